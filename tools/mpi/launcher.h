#pragma once

#include <cstddef>

/// What an MPI launcher (mpirun, srun) says of this process, read from its environment: MPI itself is not touched.
namespace forkmunk::mpi {

struct Launch {
  std::size_t rank = 0;
  std::size_t count = 1;  ///< 1: started alone.
};

/// Open MPI's mpirun, srun --mpi=pmix, and what speaks PMI (srun --mpi=pmi2, MPICH's mpiexec).
[[nodiscard]] Launch launch() noexcept;

/// How many games are played at once where nothing is said: with a launcher 1, as it starts a process for each core;
/// alone as many as there are cores.
[[nodiscard]] std::size_t default_concurrency() noexcept;

}  // namespace forkmunk::mpi

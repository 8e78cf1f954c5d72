#pragma once

#include <cstddef>

/// The rank that an MPI launcher (mpirun, srun) gave this process, read from the environment without MPI.
namespace forkmunk::mpi {

struct Launch {
  std::size_t rank = 0;
  std::size_t count = 1;  ///< 1: started without a launcher.
};

/// Supports Open MPI's mpirun, srun --mpi=pmix, and PMI (srun --mpi=pmi2, MPICH's mpiexec).
[[nodiscard]] Launch launch() noexcept;

/// The default number of parallel games: 1 with a launcher, which starts a process per core; else the number of cores.
[[nodiscard]] std::size_t default_concurrency() noexcept;

}  // namespace forkmunk::mpi

// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/referee/ranks.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace forkmunk::mpi {

/// The rank that an MPI launcher gave this process.
struct Launch {
  std::size_t rank = 0;
  std::size_t count = 1;
};

/// Supports Open MPI's mpirun, srun --mpi=pmix, and PMI (srun --mpi=pmi2, MPICH's mpiexec).
[[nodiscard]] Launch launch() noexcept;

/// Returns 1 with a launcher, which starts a process per core, otherwise the number of cores.
[[nodiscard]] std::size_t default_concurrency() noexcept;

/// The plugin's function, which initialises MPI, and finalises it when the link is destroyed. \throws Error if MPI's
/// ranks differ from the launcher's.
using ConnectFunction = void(const Launch& job, std::unique_ptr<referee::RankLink>& link);
inline constexpr const char* kConnectSymbol = "forkmunk_connect_mpi";

/// Calls `run` in each process of the job with the ranks, or without a launcher with null and without MPI. Finalises
/// MPI. \return the result of `run`. \throws the exception of `run`, after the leader has received it and all ranks
/// have ended; Error if there are ranks and this build has no MPI.
int together(const std::function<int(referee::Ranks*)>& run);

}  // namespace forkmunk::mpi

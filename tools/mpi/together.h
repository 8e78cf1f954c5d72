#pragma once

#include <forkmunk/referee/ranks.h>

#include <functional>

namespace forkmunk::mpi {

/// Runs `run` in each process that the launcher started: with the ranks that they are, or null in a process that was
/// started alone, for which MPI is not initialised. MPI is over when it returns.
/// \return what `run` returned. \throws what it threw, once the leader has heard of it and all ranks have ended; Error
/// if there are ranks and this build has no MPI.
int together(const std::function<int(referee::Ranks*)>& run);

}  // namespace forkmunk::mpi

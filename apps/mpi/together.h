#pragma once

#include <forkmunk/referee/ranks.h>

#include <functional>

namespace forkmunk::mpi {

/// Runs `run` in each process of the launcher's job with the ranks, or without a launcher with null and without MPI.
/// MPI is finalised when it returns. \return the result of `run`. \throws the exception of `run`, after the leader has
/// received it and all ranks have ended; Error if there are ranks and this build has no MPI.
int together(const std::function<int(referee::Ranks*)>& run);

}  // namespace forkmunk::mpi

#pragma once

#include "mpi/launcher.h"

#include <forkmunk/referee/ranks.h>

#include <memory>

namespace forkmunk::mpi {

/// Initialises MPI; it is over when the link is gone. \throws Error if MPI's ranks are not the launcher's, or if this
/// build has no MPI.
[[nodiscard]] std::unique_ptr<referee::RankLink> connect(const Launch& job);

}  // namespace forkmunk::mpi

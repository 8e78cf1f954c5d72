#pragma once

#include "apps/mpi/launcher.h"

#include <forkmunk/referee/ranks.h>

#include <memory>

namespace forkmunk::mpi {

/// Loads and initialises MPI, and finalises it when the link is destroyed. \throws Error if MPI's ranks differ from the
/// launcher's, or if the MPI plugin was not built or is not installed.
[[nodiscard]] std::unique_ptr<referee::RankLink> connect(const Launch& job);

/// The plugin's only function.
using ConnectFunction = void(const Launch& job, std::unique_ptr<referee::RankLink>& link);
inline constexpr const char* kConnectSymbol = "forkmunk_connect_mpi";

}  // namespace forkmunk::mpi

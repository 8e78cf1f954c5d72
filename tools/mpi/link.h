#pragma once

#include "tools/mpi/launcher.h"

#include <forkmunk/referee/ranks.h>

#include <memory>

namespace forkmunk::mpi {

/// Loads and initialises MPI, which is finalised when the link is destroyed. \throws Error if MPI's ranks are not the
/// launcher's, or if there is no MPI: this build has none, or its plugin is not installed.
[[nodiscard]] std::unique_ptr<referee::RankLink> connect(const Launch& job);

/// The plugin's one function.
using ConnectFunction = void(const Launch& job, std::unique_ptr<referee::RankLink>& link);
inline constexpr const char* kConnectSymbol = "forkmunk_connect_mpi";

}  // namespace forkmunk::mpi

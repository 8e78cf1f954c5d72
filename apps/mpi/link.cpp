#include "apps/mpi/link.h"

#include <forkmunk/base/error.h>

#include <dlfcn.h>
#include <fmt/format.h>

namespace forkmunk::mpi {

// MPI is a plugin, so that the program does not load its libraries without a launcher.
std::unique_ptr<referee::RankLink> connect(const Launch& job) {
  void* plugin = dlopen("forkmunk_mpi.so", RTLD_NOW | RTLD_GLOBAL);
  if (plugin == nullptr) {
    throw Error(
        fmt::format("started as one of {} MPI processes, but cannot load MPI ({}); build with FORKMUNK_MPI=ON "
                    "(package libopenmpi-dev), or start one process, or use --shard",
                    job.count, dlerror()));
  }
  void* const connect_mpi = dlsym(plugin, kConnectSymbol);
  if (connect_mpi == nullptr)
    throw Error(fmt::format("forkmunk_mpi.so is of another version ({}); install both from one build", dlerror()));
  std::unique_ptr<referee::RankLink> link;
  reinterpret_cast<ConnectFunction*>(connect_mpi)(job, link);
  return link;
}

}  // namespace forkmunk::mpi

#include "mpi/link.h"

#include <forkmunk/base/error.h>

#include <fmt/format.h>

namespace forkmunk::mpi {

std::unique_ptr<referee::RankLink> connect(const Launch& job) {
  throw Error(
      fmt::format("started as one of {} MPI processes, but built without MPI: build with FORKMUNK_MPI=ON "
                  "(package libopenmpi-dev), or start one process, or parts with --shard",
                  job.count));
}

}  // namespace forkmunk::mpi

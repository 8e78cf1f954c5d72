#include "apps/mpi/together.h"

#include "apps/mpi/launcher.h"
#include "apps/mpi/link.h"

#include <exception>

namespace forkmunk::mpi {

int together(const std::function<int(referee::Ranks*)>& run) {
  const Launch job = launch();
  if (job.count == 1) return run(nullptr);
  const std::unique_ptr<referee::RankLink> link = connect(job);
  referee::Ranks ranks(*link);
  try {
    const int code = run(&ranks);
    ranks.end();
    return code;
  } catch (const std::exception& error) {
    if (!ranks.lead()) ranks.fail(error.what());
    ranks.end();
    throw;
  }
}

}  // namespace forkmunk::mpi

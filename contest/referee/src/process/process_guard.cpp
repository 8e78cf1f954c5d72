#include "process_guard.h"

#include "spawn_plan.h"

#include <cerrno>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

namespace forkmunk::referee {
namespace {

// The first line is the process group; the end of the file is the end of this process. Signals of a terminal or of an
// ending group are ignored.
constexpr const char* kScript = R"(trap "" HUP INT QUIT TERM; read group; read end; kill -9 -"$group")";

}  // namespace

ProcessGuard ProcessGuard::start() {
  Pipe pipe = make_pipe();
  SpawnPlan plan;
  plan.copy(pipe.read_end, STDIN_FILENO);
  plan.open_null(STDOUT_FILENO);
  plan.open_null(STDERR_FILENO);
  ProcessGuard guard;
  guard.pid_ = plan.run({kScript}, STDERR_FILENO);
  guard.lifeline_ = std::move(pipe.write_end);
  return guard;
}

void ProcessGuard::dismiss() noexcept {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
    pid_ = -1;
  }
  lifeline_.reset();
}

}  // namespace forkmunk::referee

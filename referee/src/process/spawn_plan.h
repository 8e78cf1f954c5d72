#pragma once

#include "file_descriptor.h"

#include <initializer_list>
#include <string>

#include <spawn.h>
#include <sys/types.h>

namespace forkmunk::referee {

/// A call that the system refused.
struct Refusal {
  const char* call;
  int error;
};

/// \throws Refusal unless `error` is 0.
void check_call(int error, const char* call);

/// Both ends are closed in programs that are started, and above the descriptors that a program's stdin, stdout and
/// stderr are copied to, one after the other.
struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};
[[nodiscard]] Pipe make_pipe();

/// What posix_spawn is told: /bin/sh in a process group of its own, with the signals that a login shell would hand on,
/// whatever this process blocks or ignores. All functions throw Refusal.
class SpawnPlan {
 public:
  SpawnPlan();
  ~SpawnPlan();
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void copy(const FileDescriptor& from, int to);
  void open_null(int fd);
  /// Runs `/bin/sh -c ARGUMENTS...`; of what this process has open it gets nothing above `last_descriptor`.
  [[nodiscard]] pid_t run(std::initializer_list<std::string> arguments, int last_descriptor);

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace forkmunk::referee

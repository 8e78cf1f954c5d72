#pragma once

#include "file_descriptor.h"

#include <initializer_list>
#include <string>

#include <spawn.h>
#include <sys/types.h>

namespace forkmunk::referee {

/// A failed system call.
struct Refusal {
  const char* call;
  int error;
};

/// \throws Refusal unless `error` is 0.
void check_call(int error, const char* call);

/// Both ends are close-on-exec, and above the numbers that are used for a program's stdin, stdout and stderr.
struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};
[[nodiscard]] Pipe make_pipe();

/// Arguments of posix_spawn: /bin/sh in a process group of its own, with default signal handling, whatever this process
/// blocks or ignores. All functions throw Refusal.
class SpawnPlan {
 public:
  SpawnPlan();
  ~SpawnPlan();
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void copy(const FileDescriptor& from, int to);
  void open_null(int fd);
  /// Runs `/bin/sh -c ARGUMENTS...`; it inherits no descriptor above `last_descriptor`.
  [[nodiscard]] pid_t run(std::initializer_list<std::string> arguments, int last_descriptor);

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace forkmunk::referee

#include "spawn_plan.h"

#include <cerrno>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace forkmunk::referee {
namespace {

FileDescriptor lifted(FileDescriptor fd) {
  if (fd.get() > STDERR_FILENO) return fd;
  FileDescriptor copy(fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!copy.open()) check_call(errno, "fcntl");
  return copy;
}

}  // namespace

void FileDescriptor::reset(int fd) noexcept {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

void check_call(int error, const char* call) {
  if (error != 0) throw Refusal{call, error};
}

Pipe make_pipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) check_call(errno, "pipe2");
  FileDescriptor read_end(fds[0]);
  FileDescriptor write_end(fds[1]);
  return {lifted(std::move(read_end)), lifted(std::move(write_end))};
}

SpawnPlan::SpawnPlan() {
  check_call(posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
  if (const int error = posix_spawnattr_init(&attributes_); error != 0) {
    posix_spawn_file_actions_destroy(&actions_);
    check_call(error, "posix_spawnattr_init");
  }
  posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes_, 0);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes_, &signals);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD}) sigaddset(&signals, signal);
  posix_spawnattr_setsigdefault(&attributes_, &signals);
}

SpawnPlan::~SpawnPlan() {
  posix_spawnattr_destroy(&attributes_);
  posix_spawn_file_actions_destroy(&actions_);
}

void SpawnPlan::copy(const FileDescriptor& from, int to) {
  check_call(posix_spawn_file_actions_adddup2(&actions_, from.get(), to), "posix_spawn_file_actions");
}

void SpawnPlan::open_null(int fd) {
  check_call(posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0), "posix_spawn_file_actions");
}

pid_t SpawnPlan::run(std::initializer_list<std::string> arguments, int last_descriptor) {
  check_call(posix_spawn_file_actions_addclosefrom_np(&actions_, last_descriptor + 1), "posix_spawn_file_actions");
  std::vector<std::string> words{"/bin/sh", "-c"};
  words.insert(words.end(), arguments);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t pid = -1;
  check_call(posix_spawn(&pid, pointers[0], &actions_, &attributes_, pointers.data(), environ), "posix_spawn");
  return pid;
}

}  // namespace forkmunk::referee

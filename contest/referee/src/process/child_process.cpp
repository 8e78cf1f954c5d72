// SPDX-License-Identifier: MIT

#include "child_process.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

// Weak: a wheel for Python is linked against glibc 2.28, and runs on newer ones, too.
extern "C" [[gnu::weak]] int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t*, int) noexcept;

namespace forkmunk::referee {
namespace {

// Reads the process group and then the end of this process, and ignores signals of a terminal or of an ending group.
constexpr const char* kScript = R"(trap "" HUP INT QUIT TERM; read group; read end; kill -9 -"$group")";

void check_call(int error, const char* call) {
  if (error != 0) throw std::system_error(error, std::generic_category(), call);
}

FileDescriptor lifted(FileDescriptor fd) {
  if (fd.get() > STDERR_FILENO) return fd;
  FileDescriptor copy(fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!copy.open()) check_call(errno, "fcntl");
  return copy;
}

/// Close-on-exec ends with numbers above stdin, stdout and stderr.
struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

Pipe make_pipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) check_call(errno, "pipe2");
  FileDescriptor read_end(fds[0]);
  FileDescriptor write_end(fds[1]);
  return {lifted(std::move(read_end)), lifted(std::move(write_end))};
}

/// The arguments of posix_spawn for /bin/sh in its own process group, with default signal handling.
class SpawnPlan {
 public:
  SpawnPlan() {
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
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void copy(const FileDescriptor& from, int to) {
    check_call(posix_spawn_file_actions_adddup2(&actions_, from.get(), to), "posix_spawn_file_actions");
  }
  void open_null(int fd) {
    check_call(posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0), "posix_spawn_file_actions");
  }

  /// Runs `/bin/sh -c ARGUMENTS...`, which inherits no descriptor above `last_descriptor`.
  [[nodiscard]] pid_t run(std::initializer_list<std::string> arguments, int last_descriptor) {
    close_from(last_descriptor + 1);
    std::vector<std::string> words{"/bin/sh", "-c"};
    words.insert(words.end(), arguments);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t pid = -1;
    check_call(posix_spawn(&pid, pointers[0], &actions_, &attributes_, pointers.data(), environ), "posix_spawn");
    return pid;
  }

 private:
  // glibc before 2.34 needs the present descriptors closed one by one.
  void close_from(int first) {
    if (posix_spawn_file_actions_addclosefrom_np != nullptr) {
      check_call(posix_spawn_file_actions_addclosefrom_np(&actions_, first), "posix_spawn_file_actions");
      return;
    }
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      const int fd = std::stoi(entry.path().filename());
      if (fd >= first) check_call(posix_spawn_file_actions_addclose(&actions_, fd), "posix_spawn_file_actions");
    }
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

ProcessGuard::ProcessGuard() {
  Pipe pipe = make_pipe();
  SpawnPlan plan;
  plan.copy(pipe.read_end, STDIN_FILENO);
  plan.open_null(STDOUT_FILENO);
  plan.open_null(STDERR_FILENO);
  pid_ = plan.run({kScript}, STDERR_FILENO);
  lifeline_ = std::move(pipe.write_end);
}

void ProcessGuard::dismiss() noexcept {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
    pid_ = -1;
  }
  lifeline_.reset();
}

namespace {

using Clock = ChildProcess::Clock;
using std::chrono::milliseconds;

constexpr std::size_t kChunkBytes = 64 * 1024;  // a pipe's capacity
constexpr milliseconds kExitGrace{500};
constexpr milliseconds kTerminationGrace{500};
constexpr milliseconds kKillWait{500};
constexpr milliseconds kExitPoll{1};

using Chunk = std::array<char, kChunkBytes>;

// Sends the process group to the guard, then executes the bot.
constexpr const char* kLauncher = R"(echo $$ >&3; exec /bin/sh -c "$0" 3>&-)";
constexpr int kLifeline = 3;

/// The ends of a pipe do not share the flag.
void make_nonblocking(const FileDescriptor& fd) {
  if (fcntl(fd.get(), F_SETFL, O_NONBLOCK) != 0) check_call(errno, "fcntl");
}

/// \return nullopt at the end of the stream; 0 if nothing is available now.
std::optional<std::size_t> read_chunk(const FileDescriptor& fd, Chunk& chunk) {
  const ssize_t size = read(fd.get(), chunk.data(), chunk.size());
  if (size > 0) return static_cast<std::size_t>(size);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  return std::nullopt;
}

/// Like write(), but returns EPIPE without a SIGPIPE: the thread blocks the signal and removes it from its pending
/// signals.
ssize_t write_quietly(int fd, std::string_view bytes) {
  sigset_t pending;
  sigset_t sigpipe;
  sigset_t mask_before;
  sigemptyset(&sigpipe);
  sigaddset(&sigpipe, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &sigpipe, &mask_before);
  const ssize_t size = write(fd, bytes.data(), bytes.size());
  const int error = errno;
  if (size < 0 && error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once{};
    while (sigtimedwait(&sigpipe, nullptr, &at_once) < 0 && errno == EINTR) {}
  }
  pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
  errno = error;
  return size;
}

}  // namespace

bool wait_for(std::span<pollfd> polled, Clock::time_point until) {
  while (true) {
    const auto left = std::max(until - Clock::now(), Clock::duration::zero());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{seconds.count(), static_cast<long>(std::chrono::nanoseconds(left - seconds).count())};
    const int ready = ppoll(polled.data(), polled.size(), &timeout, nullptr);
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

ChildProcess::ChildProcess(const std::string& command_line) try {
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  make_nonblocking(input.write_end);
  make_nonblocking(output.read_end);
  make_nonblocking(errors.read_end);
  SpawnPlan plan;
  plan.copy(input.read_end, STDIN_FILENO);
  plan.copy(output.write_end, STDOUT_FILENO);
  plan.copy(errors.write_end, STDERR_FILENO);
  plan.copy(guard_.lifeline(), kLifeline);  // last, because another end may have had that number
  pid_ = plan.run({kLauncher, command_line}, kLifeline);
  input_ = std::move(input.write_end);
  output_ = std::move(output.read_end);
  errors_ = std::move(errors.read_end);
} catch (const std::system_error& error) {
  throw Error("cannot start bot ", command_line, ": ", error.what());
}

void ChildProcess::send(std::string_view bytes) {
  if (!input_.open()) return;
  unsent_ += bytes;
  flush();
}

void ChildProcess::flush() {
  const ssize_t size = write_quietly(input_.get(), std::string_view(unsent_).substr(sent_));
  if (size >= 0) {
    sent_ += static_cast<std::size_t>(size);
    if (2 * sent_ >= unsent_.size()) unsent_.erase(0, std::exchange(sent_, 0));
  } else if (errno != EAGAIN && errno != EINTR) {
    input_broken_ = true;
    input_.reset();
    unsent_.clear();
    sent_ = 0;
  }
}

void ChildProcess::watch(Pipes pipes, bool only_hang_up) const noexcept {
  pipes[0] = {output_.get(), static_cast<short>(only_hang_up ? 0 : POLLIN), 0};
  pipes[1] = {only_hang_up ? -1 : errors_.get(), POLLIN, 0};
  // stdin is polled only with unsent bytes: poll() would return at once, forever, after the other end is closed.
  pipes[2] = {only_hang_up || unsent_bytes() == 0 ? -1 : input_.get(), POLLOUT, 0};
}

void ChildProcess::exchange(Pipes pipes) {
  if (pipes[0].revents != 0) read_output();
  if (pipes[1].revents != 0) read_errors();
  if (pipes[2].revents != 0) flush();
}

void ChildProcess::exchange(Clock::time_point until) {
  std::array<pollfd, kPipes> pipes{};
  watch(pipes);
  if (wait_for(pipes, until)) exchange(pipes);
}

void ChildProcess::read_output() {
  Chunk chunk;
  if (const auto size = read_chunk(output_, chunk)) {
    output_text_.append(chunk.data(), *size);
  } else {
    output_.reset();
  }
}

void ChildProcess::read_errors() {
  Chunk chunk;
  if (const auto size = read_chunk(errors_, chunk)) {
    const std::size_t kept = std::min(*size, kErrorBytesMax);
    error_text_.append(chunk.data() + (*size - kept), kept);
    if (error_text_.size() > kErrorBytesMax) error_text_.erase(0, error_text_.size() - kErrorBytesMax);
  } else {
    errors_.reset();
  }
}

bool ChildProcess::output_hung_up() const {
  std::array<pollfd, kPipes> pipes{};
  watch(pipes, true);
  return !output_.open() || wait_for(pipes, Clock::now());
}

bool ChildProcess::exits(Clock::time_point until) {
  while (pid_ > 0) {
    siginfo_t info{};
    // WNOWAIT leaves a zombie, so that the number of its group is not reused before kill().
    const int result = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    if ((result == 0 && info.si_pid == pid_) || (result < 0 && errno == ECHILD)) break;
    if (Clock::now() >= until) return false;
    exchange(std::min(until, Clock::now() + kExitPoll));
    drop_output();
  }
  exchange(Clock::now());  // its last output
  return true;
}

void ChildProcess::drop_output() {
  dropped_lines_ += static_cast<std::size_t>(std::ranges::count(output_text_, '\n'));
  output_text_.clear();
}

std::string ChildProcess::exit_text() const {
  if (WIFSIGNALED(status_)) return "signal " + std::to_string(WTERMSIG(status_));
  return "exit code " + std::to_string(WEXITSTATUS(status_));
}

void ChildProcess::kill() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  exits(Clock::now() + kKillWait);
  guard_.dismiss();
  waitpid(pid_, &status_, WNOHANG);
  pid_ = -1;
  input_.reset();
  output_.reset();
  errors_.reset();
}

void ChildProcess::end() {
  if (pid_ <= 0) return;
  input_.reset();
  unsent_.clear();
  sent_ = 0;
  if (!exits(Clock::now() + kExitGrace)) {
    ::kill(-pid_, SIGTERM);
    exits(Clock::now() + kTerminationGrace);
  }
  kill();
  drop_output();
}

}  // namespace forkmunk::referee

#include <forkmunk/base/error.h>
#include <forkmunk/io/standard_streams.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace forkmunk::io {
namespace {

[[noreturn]] void fail_to(const std::string& action, int error) {
  const std::string reason = error == 0 ? "unknown error" : std::generic_category().message(error);
  throw Error("cannot " + action + ": " + (error == EBADF ? "it is closed" : reason));
}

}  // namespace

void secure_standard_streams() noexcept {
  // Opened in the wrong direction, a descriptor is taken, and using it fails with EBADF like a closed one. open()
  // returns the lowest free number, which is fd: those below are open by then.
  constexpr int kWays[] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) open("/dev/null", kWays[fd]);
  }
}

void flush_stdout(int error) {
  const bool flushed = std::fflush(stdout) == 0;
  if (!flushed) error = errno;
  if (!flushed || std::ferror(stdout) != 0) fail_to("write stdout", error);
}

void check_stdin() {
  if (std::ferror(stdin) == 0) return;
  char byte = 0;  // stdio does not store the error: reading again does
  fail_to("read stdin", read(STDIN_FILENO, &byte, 1) < 0 ? errno : 0);
}

}  // namespace forkmunk::io

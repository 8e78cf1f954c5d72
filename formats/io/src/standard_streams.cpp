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

[[noreturn]] void fail(const std::string& stream, const std::string& use, int error) {
  const std::string reason = error == 0 ? "an error" : std::generic_category().message(error);
  throw Error(stream + ": found " + (error == EBADF ? "it closed" : reason) + ", expected " + use);
}

}  // namespace

void secure_standard_streams() noexcept {
  // Opened the wrong way round, a descriptor is taken, and using it fails with the error of a closed one. The lowest
  // free number is the one that is missing, as those below it are open by then.
  constexpr int kWays[] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) open("/dev/null", kWays[fd]);
  }
}

void flush_stdout(int error) {
  const bool flushed = std::fflush(stdout) == 0;
  if (!flushed) error = errno;
  if (!flushed || std::ferror(stdout) != 0) fail("stdout", "a place for the results", error);
}

void check_stdin() {
  if (std::ferror(stdin) == 0) return;
  char byte = 0;  // stdio keeps no reason: the next attempt has it
  fail("stdin", "something to read", read(STDIN_FILENO, &byte, 1) < 0 ? errno : 0);
}

}  // namespace forkmunk::io

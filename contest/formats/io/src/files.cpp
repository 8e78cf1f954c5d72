// SPDX-License-Identifier: MIT

#include <forkmunk/io/files.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <tuple>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace forkmunk::io {
namespace {

[[noreturn]] void fail_to(const std::string& action, int error) {
  const std::string reason = error == 0 ? "unknown error" : std::generic_category().message(error);
  throw Error("cannot ", action, ": ", (error == EBADF ? "it is closed" : reason));
}

constexpr std::size_t kChunkSize = 256 * 1024;

/// Reads to the end, or at most one chunk beyond `size_max` bytes. \return nullopt after an error, with errno.
std::optional<std::string> read_all(int descriptor, std::size_t size_max) {
  std::string bytes;
  std::vector<char> chunk(kChunkSize);
  while (bytes.size() <= size_max) {
    const ssize_t size = read(descriptor, chunk.data(), chunk.size());
    if (size == 0) break;
    if (size > 0) bytes.append(chunk.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) return std::nullopt;
  }
  return bytes;
}

namespace fs = std::filesystem;

constexpr int kLinksMax = 40;  // the limit of Linux

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// Follows symbolic links. The target need not exist.
fs::path target_of(const std::string& path) {
  fs::path target = path;
  std::error_code error;
  for (int links = 0; links < kLinksMax && fs::is_symlink(target, error); ++links) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) break;
    target = next.is_absolute() ? next : folder_of(target) / next;
  }
  return target;
}

/// \return 0 or an error number.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = write(descriptor, bytes.data(), bytes.size());
    if (size >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// \return 0 or an error number.
int write_and_close(int descriptor, std::string_view bytes) {
  const int error = write_all(descriptor, bytes);
  return close(descriptor) != 0 && error == 0 ? errno : error;
}

/// A temporary file beside the file that it will replace.
struct NewFile {
  std::string path;
  int descriptor = -1;
};

NewFile make_file_near(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  while (true) {
    // The target's name may have the maximum length.
    const std::string name = ".forkmunk-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".part";
    NewFile file{(folder_of(target) / name).string()};
    file.descriptor = open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file.descriptor >= 0 || errno != EEXIST) return file;
  }
}

void replace_file(const std::string& path, std::string_view bytes) {
  const fs::path target = target_of(path);
  struct stat old {};
  const bool exists = stat(target.c_str(), &old) == 0;
  if (exists && access(target.c_str(), W_OK) != 0) fail_to("write " + path, errno);
  const NewFile file = make_file_near(target);
  if (file.descriptor < 0) fail_to("write " + path, errno);
  if (exists) fchmod(file.descriptor, old.st_mode & 07777);
  int error = write_and_close(file.descriptor, bytes);
  if (error == 0 && std::rename(file.path.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return;
  unlink(file.path.c_str());
  fail_to("write " + path, error);
}

}  // namespace

void secure_standard_streams() noexcept {
  // A descriptor opened in the wrong direction fails with EBADF, like a closed one. open() returns the lowest free
  // number, which is fd: the lower ones are open by then.
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
  char byte = 0;  // stdio does not store the error, so this reads again
  fail_to("read stdin", read(STDIN_FILENO, &byte, 1) < 0 ? errno : 0);
}

void FileDescriptor::reset(int fd) noexcept {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

std::string input_name(const std::string& path) { return path == "-" ? "stdin" : path; }

std::string read_file(const std::string& path, std::size_t size_max) {
  const FileDescriptor input(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                         : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::optional<std::string> bytes = input.open() ? read_all(input.get(), size_max) : std::nullopt;
  if (!bytes) fail_to("read " + input_name(path), errno);
  if (bytes->size() <= size_max) return std::move(*bytes);
  throw Error(input_name(path), ": larger than the limit of ", size_max, " bytes");
}

bool is_stdout(const std::string& path) {
  constexpr std::array<std::string_view, 4> kNames{"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  return std::find(kNames.begin(), kNames.end(), path) != kNames.end();
}

namespace {

/// Returns whether `path`, with links followed, can be replaced atomically and read again.
bool is_regular_or_absent(const std::string& path) {
  if (is_stdout(path)) return false;
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  return type == fs::file_type::regular || type == fs::file_type::not_found;
}

void check_output(const std::string& path) {
  if (is_stdout(path)) return;
  std::error_code error;
  if (fs::is_directory(path, error)) throw Error("cannot write ", path, ": is a directory");
  const fs::path target = target_of(path);
  const fs::path folder = folder_of(target);
  if (!fs::is_directory(folder, error)) {
    throw Error("cannot write ", path, ": directory ", folder.string(), " does not exist");
  }
  const bool exists = fs::exists(target, error);
  if (exists && access(target.c_str(), W_OK) != 0) fail_to("write " + path, errno);
  if (is_regular_or_absent(path) && access(folder.c_str(), W_OK | X_OK) != 0) fail_to("write " + path, errno);
}

/// Returns whether two paths, also of files that do not exist yet, lead to one file.
bool is_same_file(std::string_view one, const std::string& other) {
  std::error_code error;
  if (fs::equivalent(one, other, error)) return true;
  const auto full = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(target_of(path), error), error);
  };
  return full(std::string(one)) == full(other);
}

}  // namespace

std::FILE* check_outputs(std::initializer_list<Output> outputs, std::string_view printed,
                         std::initializer_list<std::string_view> inputs) {
  std::string_view taker = printed;
  std::FILE* report = stdout;
  for (const Output& output : outputs) {
    if (output.path.empty()) continue;
    check_output(output.path);
    const bool is_replaced = is_regular_or_absent(output.path);
    for (const std::string_view input : inputs) {
      if (is_replaced && is_same_file(input == "-" ? "/dev/stdin" : input, output.path)) {
        throw Error(output.option, " ", output.path, ": is a file to read; name another one");
      }
    }
    for (const Output& other : outputs) {
      if (&other == &output) break;
      if (is_replaced && is_same_file(other.path, output.path)) {
        throw Error(output.option, " ", output.path, ": the file of ", other.option, "; name another one");
      }
    }
    if (!is_stdout(output.path)) continue;
    if (!taker.empty()) {
      throw Error(output.option, " ", output.path, ": stdout is already used by ", taker,
                  "; write one of them to a file");
    }
    taker = output.option;
    report = stderr;
  }
  return report;
}

void write_file(const std::string& path, std::string_view bytes) {
  if (is_stdout(path)) {
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
    return flush_stdout(written ? 0 : errno);
  }
  if (is_regular_or_absent(path)) return replace_file(path, bytes);
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  const int error = descriptor < 0 ? errno : write_and_close(descriptor, bytes);
  if (error != 0) fail_to("write " + path, error);
}

LockedFile::LockedFile(std::string path)
    : path_(std::move(path)),
      // O_NONBLOCK, because opening a pipe must not wait for its other end.
      descriptor_(open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644)) {
  if (!descriptor_.open()) fail_to("write " + path_, errno);
  if (!fs::is_regular_file(path_)) throw Error(path_, ": not a regular file; give another file name");
  if (flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw Error(path_, ": another process is writing this file");
  fail_to("lock " + path_, errno);
}

std::string LockedFile::read() const {
  lseek(descriptor_.get(), 0, SEEK_SET);
  std::optional<std::string> bytes = read_all(descriptor_.get(), std::numeric_limits<std::size_t>::max() - 1);
  if (!bytes) fail_to("read " + path_, errno);
  return std::move(*bytes);
}

void LockedFile::truncate(std::size_t size) {
  if (ftruncate(descriptor_.get(), static_cast<off_t>(size)) != 0) fail_to("write " + path_, errno);
}

void LockedFile::append(std::string_view bytes) {
  const off_t size = lseek(descriptor_.get(), 0, SEEK_END);
  const int error = write_all(descriptor_.get(), bytes);
  if (error == 0) return;
  // Later bytes must not be appended to a part of these.
  if (size >= 0) std::ignore = ftruncate(descriptor_.get(), size);
  fail_to("write " + path_, error);
}

}  // namespace forkmunk::io

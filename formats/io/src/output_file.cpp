#include <forkmunk/base/error.h>
#include <forkmunk/io/output_file.h>
#include <forkmunk/io/standard_streams.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace forkmunk::io {
namespace {

namespace fs = std::filesystem;

constexpr int kLinksMax = 40;  // as many as Linux follows
constexpr std::array<std::string_view, 4> kStdoutNames{"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};

[[noreturn]] void fail(const std::string& path, std::string_view what, int error) {
  throw Error(path + ": found no way to write there (" + std::generic_category().message(error) +
              "), expected a place for " + std::string(what));
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// What `path` leads to, through symbolic links; that need not exist.
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

/// Writes all of it and closes. \return 0 or an error number.
int write_and_close(int descriptor, std::string_view bytes) {
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t size = write(descriptor, bytes.data(), bytes.size());
    if (size >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

/// A new file that nobody else has, in the folder of the one that it is to replace.
struct NewFile {
  std::string path;
  int descriptor = -1;
};

NewFile make_file_beside(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  while (true) {
    // Of its own name whatever the target's is: that may have as many letters as a name can.
    const std::string name = ".forkmunk-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".part";
    NewFile file{(folder_of(target) / name).string()};
    file.descriptor = open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file.descriptor >= 0 || errno != EEXIST) return file;
  }
}

void replace_file(const std::string& path, std::string_view bytes, std::string_view what) {
  const fs::path target = target_of(path);
  struct stat old {};
  const bool exists = stat(target.c_str(), &old) == 0;
  if (exists && access(target.c_str(), W_OK) != 0) fail(path, what, errno);
  const NewFile file = make_file_beside(target);
  if (file.descriptor < 0) fail(path, what, errno);
  if (exists) fchmod(file.descriptor, old.st_mode & 07777);
  int error = write_and_close(file.descriptor, bytes);
  if (error == 0 && std::rename(file.path.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return;
  unlink(file.path.c_str());
  fail(path, what, error);
}

}  // namespace

bool is_stdout(const std::string& path) {
  for (const std::string_view name : kStdoutNames) {
    if (path == name) return true;
  }
  return false;
}

bool is_regular_or_absent(const std::string& path) {
  if (is_stdout(path)) return false;
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  return type == fs::file_type::regular || type == fs::file_type::not_found;
}

void check_output(const std::string& path) {
  if (is_stdout(path)) return;
  std::error_code error;
  if (fs::is_directory(path, error)) throw Error(path + ": found a directory, expected the name of a file to write");
  const fs::path target = target_of(path);
  const fs::path folder = folder_of(target);
  if (!fs::is_directory(folder, error)) {
    throw Error(path + ": found no directory " + folder.string() + ", expected one to write into");
  }
  const bool exists = fs::exists(target, error);
  if (exists && access(target.c_str(), W_OK) != 0) fail(path, "a file", errno);
  if (is_regular_or_absent(path) && access(folder.c_str(), W_OK | X_OK) != 0) fail(path, "a file", errno);
}

bool check_outputs(std::initializer_list<Output> outputs, std::string_view printed) {
  std::string_view taker = printed;
  bool taken = false;
  for (const Output& output : outputs) {
    if (output.path.empty()) continue;
    check_output(output.path);
    if (!is_stdout(output.path)) continue;
    if (!taker.empty()) {
      throw Error(std::string(output.option) + " " + output.path + ": found stdout taken by " + std::string(taker) +
                  ", expected one thing only there");
    }
    taker = output.option;
    taken = true;
  }
  return taken;
}

void write_file(const std::string& path, std::string_view bytes, std::string_view what) {
  if (is_stdout(path)) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    return flush_stdout();
  }
  if (is_regular_or_absent(path)) return replace_file(path, bytes, what);
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  const int error = descriptor < 0 ? errno : write_and_close(descriptor, bytes);
  if (error != 0) fail(path, what, error);
}

}  // namespace forkmunk::io

#include <forkmunk/base/error.h>
#include <forkmunk/io/input_file.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace forkmunk::io {
namespace {

constexpr std::size_t kChunkSize = 256 * 1024;

/// An open file; stdin is not closed.
class Input {
 public:
  explicit Input(const std::string& path)
      : descriptor_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Input() {
    if (descriptor_ > STDIN_FILENO) close(descriptor_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

std::string read_file(const std::string& path, std::size_t size_max) {
  const auto fail_unreadable = [&] {
    const std::string reason = errno == EBADF ? "it is closed" : std::generic_category().message(errno);
    throw Error("cannot read " + (path == "-" ? "stdin" : path) + ": " + reason);
  };
  const Input input(path);
  if (input.descriptor() < 0) fail_unreadable();
  std::string bytes;
  std::vector<char> chunk(kChunkSize);
  while (bytes.size() <= size_max) {
    const ssize_t size = read(input.descriptor(), chunk.data(), chunk.size());
    if (size == 0) break;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail_unreadable();
    bytes.append(chunk.data(), static_cast<std::size_t>(size));
  }
  return bytes;
}

}  // namespace forkmunk::io

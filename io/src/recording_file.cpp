#include <forkmunk/io/recording_reader.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace forkmunk::io {
namespace {

constexpr std::size_t kChunkSize = 256 * 1024;

/// The bytes of a file, or of a pipe. \throws RecordingError.
std::string read_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw RecordingError(name + ": found no such file, expected a recording");
  }
  if (std::filesystem::is_directory(status)) throw RecordingError(name + ": found a directory, expected a recording");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  std::vector<char> chunk(kChunkSize);
  while (file && bytes.size() <= kRecordingSizeMax) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    bytes.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && bytes.size() <= kRecordingSizeMax) {
    throw RecordingError(name + ": found a file that cannot be read, expected a recording: " + std::strerror(errno));
  }
  return bytes;
}

}  // namespace

formats::Recording read_recording(const std::filesystem::path& path) {
  return parse_recording(read_file(path), path.string());
}

formats::Recording read_game(const std::filesystem::path& path) {
  formats::Recording recording = read_recording(path);
  if (recording.tick_count() == 0) throw RecordingError(path.string() + ": found no tick, expected a recorded game");
  return recording;
}

}  // namespace forkmunk::io

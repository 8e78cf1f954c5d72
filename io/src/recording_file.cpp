#include <forkmunk/io/input_file.h>
#include <forkmunk/io/recording_reader.h>

#include <string>
#include <utility>

namespace forkmunk::io {

formats::Recording read_recording(const std::filesystem::path& path, const ReadOptions& options) {
  std::string bytes;
  try {
    bytes = read_file(path.string(), kRecordingSizeMax, "a recording");
  } catch (const Error& error) {
    throw RecordingError(error.what());
  }
  const std::string name = path == "-" ? "stdin" : path.string();
  formats::Recording recording = parse_recording(bytes, name);
  if (options.needs_ticks && recording.tick_count() == 0) {
    throw RecordingError(name + ": found no tick, expected a recorded game");
  }
  if (options.file_bytes != nullptr) *options.file_bytes = std::move(bytes);
  return recording;
}

}  // namespace forkmunk::io

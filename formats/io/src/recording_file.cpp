#include <forkmunk/io/input_file.h>
#include <forkmunk/io/recording_reader.h>

#include <string>

namespace forkmunk::io {

std::string read_recording_bytes(const std::filesystem::path& path) {
  try {
    return read_file(path.string(), kRecordingSizeMax, "a recording");
  } catch (const Error& error) {
    throw RecordingError(error.what());
  }
}

formats::Recording read_recording(const std::filesystem::path& path) {
  return parse_recording(read_recording_bytes(path), path == "-" ? "stdin" : path.string());
}

formats::Recording read_game(const std::filesystem::path& path) {
  formats::Recording recording = read_recording(path);
  if (recording.tick_count() == 0) throw RecordingError(path.string() + ": found no tick, expected a recorded game");
  return recording;
}

}  // namespace forkmunk::io

// SPDX-License-Identifier: MIT
#include <forkmunk/io/files.h>
#include <forkmunk/io/gzip.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/io/recording_writer.h>

#include <string>
#include <utility>

namespace forkmunk::io {

formats::Recording parse_recording(std::string_view bytes, std::string_view name) {
  const std::string prefix = std::string(name) + ": ";
  if (bytes.empty()) throw RecordingError(prefix + "empty file, expected a recording");
  if (bytes.size() > kRecordingSizeMax) {
    throw RecordingError(prefix + "larger than the limit of " + std::to_string(kRecordingSizeMax) + " bytes");
  }
  std::string text;
  try {
    text = is_gzip(bytes) ? gunzip(bytes, kRecordingSizeMax) : std::string(bytes);
  } catch (const Error& error) {
    throw RecordingError(prefix + error.what());
  }
  return parse_recording_text(std::move(text), name);
}

formats::Recording read_recording(const std::filesystem::path& path, const ReadOptions& options) {
  std::string bytes;
  try {
    bytes = read_file(path.string(), kRecordingSizeMax);
  } catch (const Error& error) {
    throw RecordingError(error.what());
  }
  const std::string name = input_name(path.string());
  formats::Recording recording = parse_recording(bytes, name);
  if (options.needs_ticks && recording.tick_count() == 0) {
    throw RecordingError(name + ": the recording has no ticks");
  }
  if (options.file_bytes != nullptr) *options.file_bytes = std::move(bytes);
  return recording;
}

std::string to_visio_gz(const formats::Recording& recording, const RecordingExtras& extras) {
  return gzip(to_json_text(recording, extras));
}

void write_recording(const std::filesystem::path& path, const formats::Recording& recording,
                     const RecordingExtras& extras) {
  write_file(path.string(), to_visio_gz(recording, extras));
}

}  // namespace forkmunk::io

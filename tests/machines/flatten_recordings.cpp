// SPDX-License-Identifier: MIT
// flatten_recordings OUTPUT RECORDING...: converts strict recordings for machine_check, and infers missing commands.

#include "machines/flat_recordings.h"

#include <forkmunk/io/files.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/replay/inference.h>

#include <cstdio>
#include <filesystem>

int main(int argc, char** argv) try {
  if (argc < 3) {
    std::fputs("usage: flatten_recordings OUTPUT RECORDING...\n", stderr);
    return 2;
  }
  std::vector<forkmunk::tests::NamedRecording> recordings;
  for (int i = 2; i < argc; ++i) {
    forkmunk::formats::Recording recording = forkmunk::io::read_recording(argv[i]);
    if (!recording.has_commands) {
      const auto inference = forkmunk::replay::infer_commands(recording, forkmunk::engine::Physics::flat);
      recording = forkmunk::replay::with_commands(std::move(recording), inference);
    }
    recordings.push_back({std::filesystem::path(argv[i]).filename().string(), std::move(recording)});
  }
  const std::string flat = forkmunk::tests::to_flat(recordings);
  const auto again = forkmunk::tests::from_flat(flat);
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    if (!(again.at(i).recording == recordings[i].recording))
      throw forkmunk::Error(recordings[i].name + ": was not kept");
  }
  forkmunk::io::write_file(argv[1], flat);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "flatten_recordings: %s\n", error.what());
  return 1;
}

// SPDX-License-Identifier: MIT
#include "contest/formats/carried/carried_recordings.h"

#include <array>

#define FORKMUNK_RECORDINGS(X) \
  X(referee, game07) X(referee, game08) X(referee, game09) X(referee, game15) X(referee, game16) X(strict, game04)

extern "C" {
#define X(arithmetic, game) extern const char forkmunk_recording_##game##_begin[], forkmunk_recording_##game##_end[];
FORKMUNK_RECORDINGS(X)
#undef X
}

namespace forkmunk::io {

std::span<const CarriedRecording> carried_recordings() {
  static const std::array recordings{
#define X(arithmetic, game)                                 \
  CarriedRecording{#arithmetic "_build/" #game ".visio.gz", \
                   Arithmetic::arithmetic,                  \
                   {forkmunk_recording_##game##_begin, forkmunk_recording_##game##_end}},
      FORKMUNK_RECORDINGS(X)
#undef X
  };
  return recordings;
}

}  // namespace forkmunk::io

// SPDX-License-Identifier: MIT
#pragma once

#include "support/recordings.h"

#include <forkmunk/formats/recording.h>
#include <forkmunk/io/recording_reader.h>

#include <string>

namespace forkmunk::replay {

inline formats::Recording carried(const std::string& name) { return io::read_recording(tests::recorded(name)); }

}  // namespace forkmunk::replay

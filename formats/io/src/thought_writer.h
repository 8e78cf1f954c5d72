#pragma once

#include "json_writer.h"

#include <forkmunk/formats/thought.h>

namespace forkmunk::io {

/// Adds `,"thoughts":{...}`, or nothing if nobody had any.
void write_thoughts(JsonWriter& json, const std::vector<formats::Thoughts>& thoughts);

}  // namespace forkmunk::io

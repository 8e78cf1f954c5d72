#pragma once

#include <forkmunk/formats/thought.h>
#include <forkmunk/io/json_writer.h>

namespace forkmunk::io {

/// Adds the key `thoughts` to the object that is open; nothing if nobody had any.
void write_thoughts(JsonWriter& json, const std::vector<formats::Thoughts>& thoughts);

}  // namespace forkmunk::io

#pragma once

#include "json_writer.h"

#include <forkmunk/referee/thought.h>

namespace forkmunk::referee {

/// Adds `,"thoughts":{...}`, or nothing if nobody had any.
void write_thoughts(JsonWriter& json, const std::vector<Thoughts>& thoughts);

}  // namespace forkmunk::referee

#pragma once

#include <forkmunk/formats/search_trace.h>
#include <forkmunk/io/json_writer.h>

namespace forkmunk::io {

/// Adds the key `thoughts` to the open object, unless there are no search traces.
void write_search_traces(JsonWriter& json, const std::vector<formats::SearchTraces>& traces);

}  // namespace forkmunk::io

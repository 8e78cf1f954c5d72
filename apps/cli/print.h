#pragma once

#include <forkmunk/base/build_info.h>
#include <forkmunk/io/json_writer.h>

#include <functional>
#include <string>
#include <string_view>

namespace forkmunk::tools {

using WriteJson = std::function<void(io::JsonWriter& json)>;

/// The JSON that `write` writes, indented.
[[nodiscard]] std::string json_text(const WriteJson& write);
/// Prints it on stdout.
void print_json(const WriteJson& write);

/// Writes the description of the build that `doctor` and `bench` share.
void write_build(io::JsonWriter& json, const BuildInfo& build);

/// Prints "WHO: PROBLEM", one line of less than 400 bytes, on stderr.
void complain(std::string_view problem, std::string_view who = "forkmunk");

/// Silences stdout and complain(), in a process of a job whose rank 0 prints.
void be_quiet();

}  // namespace forkmunk::tools

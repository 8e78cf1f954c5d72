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

/// The keys that `doctor` and `bench` have of a build.
void write_build(io::JsonWriter& json, const BuildInfo& build);

/// "WHO: PROBLEM", one line on stderr, of less than 400 bytes.
void complain(std::string_view problem, std::string_view who = "forkmunk");

/// From here on nothing is printed on stdout, and complain() says nothing: another process of the job does.
void be_quiet();

}  // namespace forkmunk::tools

#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace forkmunk::tools {

/// JSON as text. Names in it may be any bytes: those that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

/// Prints json_text() on stdout.
void print_json(const nlohmann::ordered_json& json);

/// "WHO: PROBLEM", one line on stderr, of less than 400 bytes.
void complain(std::string_view problem, std::string_view who = "forkmunk");

/// From here on nothing is printed on stdout, and complain() says nothing: another process of the job does.
void be_quiet();

}  // namespace forkmunk::tools

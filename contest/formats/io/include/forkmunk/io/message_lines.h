// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/message.h>

#include <string>
#include <string_view>

namespace forkmunk::io {

/// Parses a line from the referee to a bot. \throws Error with the field, its value and the expected value.
[[nodiscard]] formats::Message parse_message(std::string_view line);

/// Returns the line of a message, without a line end. parse_message() reads it back to an equal message.
[[nodiscard]] std::string to_line(const formats::NewMatchMessage& message);
[[nodiscard]] std::string to_line(const formats::TickMessage& message);

}  // namespace forkmunk::io

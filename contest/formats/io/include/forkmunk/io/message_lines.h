// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/message.h>

#include <string>
#include <string_view>

namespace forkmunk::io {

/// Parses a line from the referee to a bot. \throws Error with the field, the value and the expected one.
[[nodiscard]] formats::Message parse_message(std::string_view line);

/// The line of a message, without its line end; parse_message() reads it back to an equal message.
[[nodiscard]] std::string to_line(const formats::NewMatchMessage& message);
[[nodiscard]] std::string to_line(const formats::TickMessage& message);

}  // namespace forkmunk::io

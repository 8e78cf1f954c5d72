#pragma once

#include <forkmunk/formats/message.h>

#include <string>
#include <string_view>

namespace forkmunk::io {

/// Reads a line that a bot was sent. \throws Error naming the field, what was found and what was expected.
[[nodiscard]] formats::Message parse_message(std::string_view line);

/// The line, without its line end, that parse_message() reads back to an equal message.
[[nodiscard]] std::string to_line(const formats::NewMatchMessage& message);
[[nodiscard]] std::string to_line(const formats::TickMessage& message);

}  // namespace forkmunk::io

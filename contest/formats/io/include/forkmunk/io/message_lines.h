// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/message.h>

#include <string>
#include <string_view>

namespace forkmunk::io {

/// \throws Error with the field, its value and the expected value.
[[nodiscard]] formats::Message parse_message(std::string_view line);

/// Returns a line without a line end, which parse_message() reads back to an equal message.
[[nodiscard]] std::string to_line(const formats::NewMatchMessage& message);
[[nodiscard]] std::string to_line(const formats::TickMessage& message);

}  // namespace forkmunk::io

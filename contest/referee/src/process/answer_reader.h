// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/referee/bot.h>

#include <string_view>

namespace forkmunk::referee {

/// Judges a line from a bot (without its line end): a command, garbled, or gone.
///
/// The line is JSON by RFC 8259: text that is not UTF-8 is garbled, and the last of duplicate keys counts. NaN,
/// Infinity, lone surrogates and huge numbers are garbled too, although the contest's runner (Python's json module)
/// accepts them. `debug` must be something that Python can slice: a text, or a list, which is dropped.
[[nodiscard]] Answer read_answer(std::string_view line);

}  // namespace forkmunk::referee

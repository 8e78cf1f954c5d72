// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/referee/bot.h>

#include <string_view>

namespace forkmunk::referee {

/// Judges a line from a bot (without its line end): a command, garbled, or gone.
///
/// The line is JSON by RFC 8259: text that is not UTF-8 is garbled, and the last of duplicate keys counts. The
/// contest's runner reads with Python's json module, which also accepts NaN, Infinity, lone surrogates and numbers of
/// any size. Here such a line is garbled, even if its `command` is valid. `debug` must be something that Python can
/// slice: a text, or a list, which is dropped. It may not be null, true or false.
[[nodiscard]] Answer read_answer(std::string_view line);

}  // namespace forkmunk::referee

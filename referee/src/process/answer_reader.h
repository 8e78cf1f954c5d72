#pragma once

#include <forkmunk/referee/bot.h>

#include <string_view>

namespace forkmunk::referee {

/// What the referee makes of a line that a bot answered, given without its line end: a command, garbled, or gone.
///
/// What JSON is, Python's json module decides, which the contest's runner reads with: NaN, Infinity and lone surrogates
/// (shown as U+FFFD) are welcome, the last of equal keys counts, and text that is not UTF-8 is no JSON. A `debug` can
/// be cut if Python can slice it: text, and lists, of which nothing is kept; not null, true or false.
[[nodiscard]] Answer read_answer(std::string_view line);

}  // namespace forkmunk::referee

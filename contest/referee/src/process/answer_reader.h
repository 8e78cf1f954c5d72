#pragma once

#include <forkmunk/referee/bot.h>

#include <string_view>

namespace forkmunk::referee {

/// Judges a line from a bot (without its line end): a command, garbled, or gone.
///
/// It accepts the JSON of Python's json module, which the contest's runner uses: NaN, Infinity and lone surrogates
/// (decoded as U+FFFD) are valid, the last of duplicate keys counts, and text that is not UTF-8 is invalid. `debug`
/// must be sliceable in Python: a text, or a list, which is dropped; not null, true or false.
[[nodiscard]] Answer read_answer(std::string_view line);

}  // namespace forkmunk::referee

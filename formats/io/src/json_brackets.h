#pragma once

#include <cstddef>
#include <string_view>

namespace forkmunk::io {

/// Calls visit(offset, depth) for each bracket of JSON outside of its strings, with the depth after it, until that
/// returns false. One that closes nothing leaves the depth at 0.
template <typename Visit>
void for_each_bracket(std::string_view text, Visit visit) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    if (c == '"') in_string = true;
    const bool opens = c == '[' || c == '{', closes = c == ']' || c == '}';
    if (!opens && !closes) continue;
    if (opens) ++depth;
    if (closes && depth > 0) --depth;
    if (!visit(i, depth)) return;
  }
}

}  // namespace forkmunk::io

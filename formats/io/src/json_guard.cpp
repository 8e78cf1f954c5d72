#include "json_brackets.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/io/json_guard.h>

#include <algorithm>

namespace forkmunk::io {

void check_json_depth(std::string_view text) {
  for_each_bracket(text, [](std::size_t i, std::size_t depth) {
    if (depth <= kJsonDepthMax) return true;
    throw Error("found JSON nested deeper than " + std::to_string(kJsonDepthMax) + " levels (byte " +
                std::to_string(i) + "), expected fewer");
  });
}

std::string json_problem(std::string_view what) {
  // "[json.exception.parse_error.101] parse error at line 1, column 9: ...; last read: '"aaa"'; expected ..."
  if (what.starts_with('[')) what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
  constexpr std::string_view kQuote = "last read: '";
  const std::size_t begin = what.find(kQuote);
  if (begin == std::string_view::npos) return std::string(what);
  const std::size_t quoted = begin + kQuote.size();
  const std::size_t end = std::min(what.rfind("'; expected"), what.size());
  std::string problem(what.substr(0, quoted));
  return problem.append(excerpt(what.substr(quoted, end - quoted))).append(what.substr(end));
}

}  // namespace forkmunk::io

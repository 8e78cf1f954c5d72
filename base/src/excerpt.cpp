#include <forkmunk/base/excerpt.h>

#include <algorithm>

namespace forkmunk {

std::string excerpt(std::string_view text) {
  std::string shown(text.substr(0, kExcerptCharactersMax));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > kExcerptCharactersMax ? shown + "..." : shown;
}

}  // namespace forkmunk

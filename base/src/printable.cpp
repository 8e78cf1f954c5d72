// SPDX-License-Identifier: MIT
#include <forkmunk/base/excerpt.h>
#include <forkmunk/base/printable.h>

#include <algorithm>

namespace forkmunk {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kGap = " ... ";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Returns the bytes of the first character; 0 for invalid UTF-8, overlong forms and surrogates included.
std::size_t character_size(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t size = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                   (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return bad ? 0 : size;
}

/// Some terminals obey U+0080 to U+009F, too.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  return first < 0x20 || first == 0x7F || (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0);
}

template <typename Replace>
std::string with(std::string_view text, Replace replaced_by) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const std::string_view character = text.substr(0, size == 0 ? 1 : size);
    result += size == 0 ? kReplacement : replaced_by(character);
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace

std::string utf8(std::string_view text) {
  return with(text, [](std::string_view character) { return character; });
}

std::string printable(std::string_view text) {
  return with(text, [](std::string_view character) { return is_control(character) ? "?" : character; });
}

std::string one_line(std::string_view text, std::size_t bytes_max) {
  std::string line = printable(text);
  if (line.size() <= bytes_max) return line;
  std::size_t begin = bytes_max / 2;
  std::size_t end = line.size() - (bytes_max - begin - kGap.size());
  while (begin > 0 && continues(line[begin])) --begin;
  while (end < line.size() && continues(line[end])) ++end;
  return line.replace(begin, end - begin, kGap);
}

std::string excerpt(std::string_view text) {
  std::string shown(text.substr(0, kExcerptCharactersMax));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > kExcerptCharactersMax ? shown + "..." : shown;
}

}  // namespace forkmunk

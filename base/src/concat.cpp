// SPDX-License-Identifier: MIT
#include <forkmunk/base/concat.h>
#include <forkmunk/base/error.h>

namespace forkmunk {

void TextPart::write(std::uint64_t magnitude, bool is_negative) {
  char* const end = digits_.data() + digits_.size();
  char* begin = end;
  do {
    *--begin = static_cast<char>('0' + magnitude % 10);
    magnitude /= 10;
  } while (magnitude != 0);
  if (is_negative) *--begin = '-';
  view_ = {begin, static_cast<std::size_t>(end - begin)};
}

std::string concat(std::initializer_list<TextPart> parts) {
  std::string joined;
  for (const TextPart& part : parts) joined += part.view();
  return joined;
}

Error::Error(std::initializer_list<TextPart> parts) : std::runtime_error(concat(parts)) {}

}  // namespace forkmunk

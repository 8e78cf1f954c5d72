// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace forkmunk {

/// A string, a letter, or a whole number in decimal, as an argument of concat(). It refers to its string.
class TextPart {
 public:
  TextPart(std::string_view string) : view_(string) {}
  TextPart(const std::string& string) : view_(string) {}
  TextPart(const char* string) : view_(string) {}
  TextPart(char letter) : digits_{letter}, view_(digits_.data(), 1) {}
  template <std::integral T>
  TextPart(T number) {
    const auto wide = static_cast<std::uint64_t>(number);
    number < 0 ? write(0 - wide, true) : write(wide, false);
  }
  TextPart(bool) = delete;
  TextPart(double) = delete;  // std::to_string() and number_text() say how many digits
  TextPart(const TextPart&) = delete;
  TextPart& operator=(const TextPart&) = delete;

  [[nodiscard]] std::string_view view() const { return view_; }

 private:
  void write(std::uint64_t magnitude, bool is_negative);

  std::array<char, 20> digits_;
  std::string_view view_;
};

/// Joins strings and whole numbers, as in concat("found ", count, " worlds").
[[nodiscard]] std::string concat(std::initializer_list<TextPart> parts);
template <typename... Parts>
[[nodiscard]] std::string concat(const Parts&... parts) {
  return concat({TextPart(parts)...});
}

}  // namespace forkmunk

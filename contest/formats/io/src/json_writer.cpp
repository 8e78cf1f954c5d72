// SPDX-License-Identifier: MIT
#include <forkmunk/base/printable.h>
#include <forkmunk/io/json_writer.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace forkmunk::io {
namespace {

constexpr std::size_t kIndent = 2;
// The powers of ten from which on numbers have an exponent.
constexpr double kFixedMin = 1e-4, kFixedMax = 1e15;

}  // namespace

void JsonWriter::new_line() {
  if (layout_ == Layout::line) return;
  text_ += '\n';
  text_.append(kIndent * static_cast<std::size_t>(depth_), ' ');
}

void JsonWriter::begin_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!is_first_) text_ += ',';
  is_first_ = false;
  if (depth_ > 0) new_line();
}

void JsonWriter::open(char bracket) {
  begin_value();
  text_ += bracket;
  ++depth_;
  is_first_ = true;
}

JsonWriter& JsonWriter::close(char bracket) {
  --depth_;
  if (!is_first_) new_line();
  text_ += bracket;
  is_first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  begin_value();
  append_quoted(name);
  text_ += layout_ == Layout::line ? ":" : ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  begin_value();
  text_ += json;
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  if (value == 0 && std::signbit(value)) return raw("-0.0");  // readers would accept "-0" as a whole number, which is 0
  std::array<char, 32> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return raw({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

JsonWriter& JsonWriter::real(double value) {
  if (!std::isfinite(value)) return null();
  const double size = std::abs(value);
  const bool fixed = size == 0 || (size >= kFixedMin && size < kFixedMax);
  std::array<char, 40> digits;
  char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                            fixed ? std::chars_format::fixed : std::chars_format::scientific)
                  .ptr;
  const std::string_view written(digits.data(), static_cast<std::size_t>(end - digits.data()));
  const bool is_whole = fixed && written.find('.') == std::string_view::npos;
  raw(written);
  if (is_whole) text_ += ".0";
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view text) {
  begin_value();
  append_quoted(text);
  return *this;
}

void JsonWriter::append_quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  text_ += '"';
  if (std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; })) {
    text_ += text;  // nothing to escape, as in all keys
    text_ += '"';
    return;
  }
  for (const char c : utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (byte < 0x20) {
      text_ += "\\u00";
      text_ += kHex[byte >> 4];
      text_ += kHex[byte & 15];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

}  // namespace forkmunk::io

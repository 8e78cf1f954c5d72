// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace forkmunk::io {

/// Writes JSON value by value, and adds commas, colons and line ends.
///
///   json.object([&] { json.field("ticks", 3).key("lives").list(lives, [&](int each) { json.value(each); }); });
class JsonWriter {
 public:
  enum class Layout : bool { line, indented };
  explicit JsonWriter(Layout layout = Layout::line) noexcept : layout_(layout) {}

  template <typename WriteFields>
  JsonWriter& object(WriteFields&& write_fields) {
    open('{');
    write_fields();
    return close('}');
  }

  template <typename WriteValues>
  JsonWriter& list(WriteValues&& write_values) {
    open('[');
    write_values();
    return close(']');
  }

  template <typename Items, typename Write>
  JsonWriter& list(const Items& items, Write&& write) {
    open('[');
    for (const auto& item : items) write(item);
    return close(']');
  }

  JsonWriter& key(std::string_view name);

  /// Writes a string, bool, number or list of them, or null for an empty optional. Floating-point numbers always have a
  /// fraction or an exponent, for readers that distinguish integers.
  template <typename Value>
  JsonWriter& value(const Value& value) {
    if constexpr (std::is_convertible_v<const Value&, std::string_view>)
      return text(value);
    else if constexpr (std::is_same_v<Value, bool>)
      return raw(value ? "true" : "false");
    else if constexpr (std::is_integral_v<Value>)
      return raw(std::to_string(value));
    else if constexpr (std::is_floating_point_v<Value>)
      return real(value);
    else if constexpr (requires { value.has_value(); })
      return value ? this->value(*value) : null();
    else
      return list(value, [this](const auto& item) { this->value(item); });
  }

  template <typename Value>
  JsonWriter& field(std::string_view name, const Value& value) {
    return key(name).value(value);
  }

  JsonWriter& null() { return raw("null"); }
  /// Writes the shortest text that reads back to the same double ("1" for 1.0), as in the contest's messages; null for
  /// NaN and infinities.
  JsonWriter& number(double value);
  JsonWriter& raw(std::string_view json);

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void begin_value();
  void new_line();
  void open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& real(double value);
  /// Escapes quotes, backslashes and control characters; replaces bytes that are not UTF-8 by U+FFFD.
  JsonWriter& text(std::string_view text);
  void append_quoted(std::string_view text);

  std::string text_;
  Layout layout_;
  int depth_ = 0;
  bool is_first_ = true;    // nothing has been written in the open object or list
  bool after_key_ = false;  // the next value belongs to a key
};

}  // namespace forkmunk::io

// SPDX-License-Identifier: MIT
#pragma once

// The parts of C++20's library that libc++ 13 of Emscripten 3.1.6 lacks, for every source (by the toolchain file).
#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

// Only a library may add to std; this header is a part of one.
namespace std {

template <typename To, typename From>
[[nodiscard]] constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}

// Writes the shortest text of 15 to 17 digits that reads as the same double.
inline to_chars_result to_chars(char* first, char* last, double value, chars_format format = chars_format::general) {
  char text[40];
  int length = 0;
  for (int digits = 15; digits <= 17; ++digits) {
    length = format == chars_format::scientific ? snprintf(text, sizeof text, "%.*e", digits - 1, value)
                                                : snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, nullptr) == value) break;
  }
  if (length > last - first) return {last, errc::value_too_large};
  memcpy(first, text, static_cast<size_t>(length));
  return {first + length, errc{}};
}

namespace ranges {

template <typename Range, typename Value, typename Projection = identity>
constexpr auto find(Range&& range, const Value& value, Projection projection = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](auto&& item) { return std::invoke(projection, item) == value; });
}
template <typename Range, typename Predicate>
constexpr auto find_if(Range&& range, Predicate predicate) {
  return std::find_if(std::begin(range), std::end(range), [&](auto&& item) { return std::invoke(predicate, item); });
}
template <typename Range, typename Predicate>
constexpr bool any_of(Range&& range, Predicate predicate) {
  return ranges::find_if(range, predicate) != std::end(range);
}
template <typename Range, typename Predicate>
constexpr bool none_of(Range&& range, Predicate predicate) {
  return !ranges::any_of(range, predicate);
}
template <typename Range, typename Predicate>
constexpr bool all_of(Range&& range, Predicate predicate) {
  return !ranges::any_of(range, [&](auto&& item) { return !std::invoke(predicate, item); });
}
template <typename Range, typename Predicate>
constexpr auto count_if(Range&& range, Predicate predicate) {
  return std::count_if(std::begin(range), std::end(range), predicate);
}
template <typename Range, typename Value>
constexpr auto count(Range&& range, const Value& value) {
  return std::count(std::begin(range), std::end(range), value);
}
template <typename A, typename B>
constexpr bool equal(A&& a, B&& b) {
  return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b));
}
template <typename Range, typename Out>
constexpr void copy(Range&& range, Out out) {
  std::copy(std::begin(range), std::end(range), out);
}
template <typename Range>
constexpr void reverse(Range&& range) {
  std::reverse(std::begin(range), std::end(range));
}
template <typename Range>
constexpr void sort(Range&& range) {
  std::sort(std::begin(range), std::end(range));
}
template <typename Range>
constexpr auto min(Range&& range) {
  return *std::min_element(std::begin(range), std::end(range));
}
// If elements are equal, min_element returns the first, and minmax the first and the last.
template <typename Range, typename Compare = std::less<>, typename Projection = identity>
constexpr auto min_element(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::min_element(std::begin(range), std::end(range), [&](auto&& a, auto&& b) {
    return compare(std::invoke(projection, a), std::invoke(projection, b));
  });
}
template <typename Range, typename Compare = std::less<>, typename Projection = identity>
constexpr auto minmax(Range&& range, Compare compare = {}, Projection projection = {}) {
  const auto found = std::minmax_element(std::begin(range), std::end(range), [&](auto&& a, auto&& b) {
    return compare(std::invoke(projection, a), std::invoke(projection, b));
  });
  return pair{*found.first, *found.second};
}

}  // namespace ranges
}  // namespace std

#endif

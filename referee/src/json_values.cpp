#include "json_values.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>

#include <algorithm>

#include <fmt/format.h>

namespace forkmunk::referee {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(std::string_view key, const json& found, std::string_view expected) {
  throw Error(fmt::format("{}: found {}, expected {}", key, excerpt(found.dump()), expected));
}

}  // namespace

const json& value_at(const json& object, const char* key) {
  if (!object.is_object()) throw Error(fmt::format("found {}, expected an object", excerpt(object.dump())));
  const auto found = object.find(key);
  if (found == object.end()) throw Error(fmt::format("{}: found nothing, expected a value", key));
  return *found;
}

std::int64_t integer_in(const json& value, std::string_view key, std::int64_t min, std::int64_t max) {
  // Above 2^63 a number is unsigned, and would be negative as what is returned.
  const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX)
                                               : value.is_number_integer();
  if (!fits || value.get<std::int64_t>() < min || value.get<std::int64_t>() > max) {
    refuse(key, value, fmt::format("a whole number from {} to {}", min, max));
  }
  return value.get<std::int64_t>();
}

double number_in(const json& value, std::string_view key, double min, double max) {
  if (!value.is_number() || !(value.get<double>() >= min && value.get<double>() <= max)) {
    refuse(key, value, fmt::format("a number from {} to {}", min, max));
  }
  return value.get<double>();
}

std::string plain_text(const json& value, std::string_view key) {
  const auto controls = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; };
  if (!value.is_string() || std::ranges::any_of(value.get_ref<const std::string&>(), controls)) {
    refuse(key, value, "a text without control characters");
  }
  return value.get<std::string>();
}

const json& list_of(const json& value, std::string_view key, std::size_t count) {
  if (!value.is_array() || value.size() != count) refuse(key, value, fmt::format("a list of {}", count));
  return value;
}

}  // namespace forkmunk::referee

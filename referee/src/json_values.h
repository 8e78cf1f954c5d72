#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

/// Values of a file of ours that somebody may have changed. Each is checked before it is converted.
/// \throws Error naming the key, what was found and what was expected.
namespace forkmunk::referee {

/// The object's value; \throws Error if there is none.
[[nodiscard]] const nlohmann::json& value_at(const nlohmann::json& object, const char* key);
[[nodiscard]] std::int64_t integer_in(const nlohmann::json& value, std::string_view key, std::int64_t min,
                                      std::int64_t max);
[[nodiscard]] double number_in(const nlohmann::json& value, std::string_view key, double min, double max);
/// A text without control characters, which would move a terminal's cursor.
[[nodiscard]] std::string plain_text(const nlohmann::json& value, std::string_view key);
/// A list of just so many entries. \return it.
[[nodiscard]] const nlohmann::json& list_of(const nlohmann::json& value, std::string_view key, std::size_t count);

}  // namespace forkmunk::referee

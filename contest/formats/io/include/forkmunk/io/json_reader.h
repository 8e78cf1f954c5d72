// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// The size of simdjson's parser depends on this macro, whose default depends on -O, which differs between parts of a
// program.
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#include <simdjson.h>

/// Reads JSON by simdjson On Demand, in one forward pass. Readers throw a JsonError that names the field.
namespace forkmunk::io {

using JsonArray = simdjson::ondemand::array;
using JsonObject = simdjson::ondemand::object;
using JsonValue = simdjson::ondemand::value;

/// A chain of keys and indices on the stack. A path must not outlive its parent and its key.
class FieldPath {
 public:
  FieldPath() = default;  // the document itself
  FieldPath(const FieldPath& parent, std::string_view key) : parent_(&parent), key_(key) {}
  FieldPath(const FieldPath& parent, std::size_t index) : parent_(&parent), index_(index) {}

  /// Returns e.g. "params.cars.1[3][0]".
  [[nodiscard]] std::string text() const;

 private:
  const FieldPath* parent_ = nullptr;
  std::string_view key_;  // empty for an entry of a list
  std::size_t index_ = 0;
};

/// A value is missing, has the wrong type or is out of range, or the text is not JSON.
class JsonError : public Error {
 public:
  JsonError(const FieldPath& path, const std::string& problem, bool broken_json = false);
  /// The text is not JSON, at the document's current location.
  [[nodiscard]] bool broken_json() const noexcept { return broken_json_; }

 private:
  bool broken_json_;
};

/// \throws JsonError for invalid JSON.
template <typename Value>
[[nodiscard]] Value intact(simdjson::simdjson_result<Value> result, const FieldPath& path) {
  Value value;
  const simdjson::error_code error = std::move(result).get(value);
  if (error != simdjson::SUCCESS) throw JsonError(path, "invalid JSON", true);
  return value;
}

/// Describes `value` for an error: "NaN", "a list", "\"abc\"".
[[nodiscard]] std::string describe(JsonValue value);
/// Returns a scalar's JSON text, or an opening bracket.
[[nodiscard]] std::string_view token_of(JsonValue value);

[[nodiscard]] bool is_null(JsonValue value);
[[nodiscard]] JsonObject read_object(JsonValue value, const FieldPath& path);
[[nodiscard]] JsonArray read_array(JsonValue value, const FieldPath& path);
[[nodiscard]] double read_number(JsonValue value, const FieldPath& path);
/// Accepts 1.0 as 1. \pre |min| and |max| are at most 2^53.
[[nodiscard]] std::int64_t read_integer(JsonValue value, const FieldPath& path, std::int64_t min, std::int64_t max);
[[nodiscard]] bool read_bool(JsonValue value, const FieldPath& path);
/// Returns a text that lives as long as the document.
[[nodiscard]] std::string_view read_text(JsonValue value, const FieldPath& path);

struct EntryCount {
  std::size_t min = 0;
  std::size_t max = std::numeric_limits<std::size_t>::max();
};
[[noreturn]] void throw_entry_count(const FieldPath& path, std::size_t found, EntryCount expected);

/// Calls read(entry, index, path) for each entry. \throws JsonError at the first entry beyond the maximum.
template <typename Read>
void read_entries(JsonValue list, const FieldPath& path, EntryCount count, Read&& read) {
  JsonArray array = read_array(list, path);
  std::size_t index = 0;
  for (auto entry : array) {
    const FieldPath entry_path(path, index);
    const JsonValue value = intact<JsonValue>(entry, entry_path);
    if (index == count.max) throw_entry_count(path, index + 1, count);
    read(value, index, entry_path);
    ++index;
  }
  if (index < count.min) throw_entry_count(path, index, count);
}

/// Reads a list, with read(entry, path) for each entry.
template <typename Read>
[[nodiscard]] auto read_list(JsonValue list, const FieldPath& path, EntryCount count, Read&& read) {
  std::vector<std::invoke_result_t<Read, JsonValue, const FieldPath&>> entries;
  read_entries(list, path, count, [&](JsonValue entry, std::size_t, const FieldPath& entry_path) {
    entries.push_back(read(entry, entry_path));
  });
  return entries;
}

/// Reads a list of two entries.
template <typename Read>
[[nodiscard]] auto read_pair(JsonValue list, const FieldPath& path, Read&& read) {
  std::array<std::invoke_result_t<Read, JsonValue, const FieldPath&>, 2> pair{};
  read_entries(list, path, {2, 2}, [&](JsonValue entry, std::size_t index, const FieldPath& entry_path) {
    pair[index] = read(entry, entry_path);
  });
  return pair;
}

template <typename Read>
void read_each_field(JsonObject& object, const FieldPath& path, Read&& read) {
  for (auto entry : object) {
    auto field = intact<simdjson::ondemand::field>(entry, path);
    const auto key = intact<std::string_view>(field.unescaped_key(), path);
    read(key, field.value(), FieldPath(path, key));
  }
}

struct FieldKey {
  std::string_view key;
  bool required = true;
};

/// Calls read(value, index, path) for each field whose key is keys[index].key, in the object's order. simdjson's own
/// lookups by key do not validate the text that they skip.
template <typename Key, std::size_t count, typename Read>
void read_fields(JsonObject& object, const FieldPath& path, const std::array<Key, count>& keys, Read&& read) {
  std::bitset<count> seen;
  for (auto entry : object) {
    auto field = intact<simdjson::ondemand::field>(entry, path);
    const auto is_its_key = [&](const Key& key) { return field.key().unsafe_is_equal(key.key); };
    const auto index = static_cast<std::size_t>(std::find_if(keys.begin(), keys.end(), is_its_key) - keys.begin());
    if (index == count) continue;
    const FieldPath field_path(path, keys[index].key);
    if (seen[index]) throw JsonError(field_path, "duplicate key");
    seen[index] = true;
    read(field.value(), index, field_path);
  }
  for (std::size_t index = 0; index < count; ++index) {
    if (seen[index] || !keys[index].required) continue;
    throw JsonError({path, keys[index].key}, "missing");
  }
}

/// A field that read(value, path) reads.
template <typename Read>
struct Field {
  std::string_view key;
  Read read;
  bool required = true;
};
template <typename Read>
Field(std::string_view, Read) -> Field<Read>;
template <typename Read>
Field(std::string_view, Read, bool) -> Field<Read>;

/// Returns a field that sets `target` to read(value, path).
template <typename Target, typename Read>
[[nodiscard]] auto read_into(std::string_view key, Target& target, Read read, bool required = true) {
  return Field{key, [&target, read](JsonValue value, const FieldPath& path) { target = read(value, path); }, required};
}

template <typename... Reads>
void read_fields(JsonObject& object, const FieldPath& path, const Field<Reads>&... fields) {
  const std::array keys{FieldKey{fields.key, fields.required}...};
  read_fields(object, path, keys, [&](JsonValue value, std::size_t index, const FieldPath& field_path) {
    std::size_t at = 0;
    ((index == at++ ? fields.read(value, field_path) : void()), ...);
  });
}

template <typename... Reads>
void read_object(JsonValue value, const FieldPath& path, const Field<Reads>&... fields) {
  JsonObject object = read_object(value, path);
  read_fields(object, path, fields...);
}

/// A text that consists of one JSON object.
class JsonDocument {
 public:
  /// \param expected  describes the content in errors.
  explicit JsonDocument(std::string text, std::string_view expected = "a JSON object");

  /// Calls read(object). \throws JsonError, also if the text is not an object or continues after it.
  template <typename Read>
  void read(Read&& read) {
    JsonObject root = open();
    try {
      read(root);
    } catch (const JsonError& error) {
      if (!error.broken_json()) throw;
      throw JsonError({}, error.what() + position());
    }
    expect_end();
  }

 private:
  JsonObject open();
  [[nodiscard]] std::string position();
  void expect_end();
  void expect_nothing_after(std::size_t end) const;
  [[nodiscard]] std::string_view text() const noexcept { return {padded_.data(), size_}; }

  std::size_t size_ = 0;
  std::string padded_;
  std::string_view expected_;
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
};

}  // namespace forkmunk::io

#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/formats/recording.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <simdjson.h>

/// The contest's messages, value by value, from JSON that simdjson walks through once, forward (On Demand). A value may
/// be read once. Each reader checks what it reads and throws a MessageError that names the field.
namespace forkmunk::io {

using JsonArray = simdjson::ondemand::array;
using JsonObject = simdjson::ondemand::object;
using JsonValue = simdjson::ondemand::value;

/// Where a value stands: a chain of names on the stack, which becomes text only if there is an error to tell.
/// A path must not outlive its parent and its key.
class FieldPath {
 public:
  FieldPath() = default;  // the message itself, which has no name
  FieldPath(const FieldPath& parent, std::string_view key) : parent_(&parent), key_(key) {}
  FieldPath(const FieldPath& parent, std::size_t index) : parent_(&parent), index_(index) {}

  /// In the messages' own words: "params.cars.1[3][0]".
  [[nodiscard]] std::string text() const;

 private:
  const FieldPath* parent_ = nullptr;
  std::string_view key_;  // empty for an entry of a list
  std::size_t index_ = 0;
};

/// A value that is missing, or not of the kind or in the range that it should be, or not even JSON.
class MessageError : public Error {
 public:
  MessageError(const FieldPath& path, const std::string& problem, bool broken_json = false);
  /// Whether the text is no JSON: then the walk's current location is where that was seen.
  [[nodiscard]] bool broken_json() const noexcept { return broken_json_; }

 private:
  bool broken_json_;
};

/// The value in a result of simdjson's, whose errors all mean broken JSON.
template <typename Value>
[[nodiscard]] Value intact(simdjson::simdjson_result<Value> result, const FieldPath& path) {
  Value value;
  const simdjson::error_code error = std::move(result).get(value);
  if (error != simdjson::SUCCESS) throw MessageError(path, "found broken JSON", true);
  return value;
}

/// What stands in the place of `value`, for an error message: "NaN", "a list", "\"abc\"".
[[nodiscard]] std::string describe(JsonValue value);

[[nodiscard]] bool is_null(JsonValue value);
[[nodiscard]] JsonObject read_object(JsonValue value, const FieldPath& path);
[[nodiscard]] JsonArray read_array(JsonValue value, const FieldPath& path);
[[nodiscard]] double read_number(JsonValue value, const FieldPath& path);
/// Also takes 1.0 for 1. \pre min and max are within 2^53 of 0.
[[nodiscard]] std::int64_t read_integer(JsonValue value, const FieldPath& path, std::int64_t min, std::int64_t max);
[[nodiscard]] bool read_bool(JsonValue value, const FieldPath& path);
/// The text lives as long as the JSON parser's document.
[[nodiscard]] std::string_view read_text(JsonValue value, const FieldPath& path);
/// From [x, y].
[[nodiscard]] engine::Vec2 read_vec2(JsonValue value, const FieldPath& path);

/// How many entries a list may have.
struct EntryCount {
  std::size_t min = 0;
  std::size_t max = 0;
};
[[noreturn]] void throw_entry_count(const FieldPath& path, std::size_t found, EntryCount expected);

/// Calls read(entry, index, path) for each entry of a list. A list that is too long is refused as soon as that is seen.
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

/// A key that an object may have.
struct FieldKey {
  std::string_view key;
  bool required = true;
};

/// Calls read(value, index, path) for each of the object's fields whose key is keys[index].key, in the object's order,
/// and passes over the others. simdjson's lookups by key are not used: they trust text that they have skipped.
template <typename Key, std::size_t count, typename Read>
void read_fields(JsonObject& object, const FieldPath& path, const std::array<Key, count>& keys, Read&& read) {
  std::bitset<count> seen;
  for (auto entry : object) {
    auto field = intact<simdjson::ondemand::field>(entry, path);
    const auto is_its_key = [&](const Key& key) { return field.key().unsafe_is_equal(key.key); };
    const auto index = static_cast<std::size_t>(std::find_if(keys.begin(), keys.end(), is_its_key) - keys.begin());
    if (index == count) continue;
    const FieldPath field_path(path, keys[index].key);
    if (seen[index]) throw MessageError(field_path, "found the key twice, expected it once");
    seen[index] = true;
    read(field.value(), index, field_path);
  }
  for (std::size_t index = 0; index < count; ++index) {
    if (seen[index] || !keys[index].required) continue;
    throw MessageError({path, keys[index].key}, "found nothing, expected a value");
  }
}

/// An object with an entry for each player, {"1": …, "2": …}: calls read(value, index_of(player), path).
template <typename Read>
void read_players(JsonValue pair, const FieldPath& path, Read&& read) {
  static constexpr std::array kKeys{FieldKey{"1"}, FieldKey{"2"}};
  JsonObject object = read_object(pair, path);
  read_fields(object, path, kKeys, read);
}

/// An object {"type": …, "params": …}: calls on_type(value, path), then on_params(value, path), whichever comes first.
template <typename OnType, typename OnParams>
void read_typed(JsonObject& object, OnType&& on_type, OnParams&& on_params) {
  static constexpr std::array kKeys{FieldKey{"type"}, FieldKey{"params"}};
  static constexpr std::array kParams{FieldKey{"params"}};
  const FieldPath root;
  bool has_type = false;
  bool params_came_first = false;
  read_fields(object, root, kKeys, [&](JsonValue value, std::size_t index, const FieldPath& path) {
    if (index == 0) {
      on_type(value, path);
      has_type = true;
    } else if (has_type) {
      on_params(value, path);
    } else {
      params_came_first = true;
    }
  });
  if (!params_came_first) return;
  (void)intact(object.reset(), root);
  read_fields(object, root, kParams,
              [&](JsonValue params, std::size_t, const FieldPath& path) { on_params(params, path); });
}

/// From a `proto_map`; what only physics minds is left to engine::validate().
[[nodiscard]] engine::MapSetup read_map(JsonValue proto_map, const FieldPath& path);
/// From a `proto_car`. What the oldest logs or most cars leave out has a default: `*_groove_offset` 5, `squared_wheels`
/// false, and 0 for what the referee uses for nothing (`max_angular_speed`, `*_wheel_joint`).
[[nodiscard]] engine::CarSetup read_car(JsonValue proto_car, const FieldPath& path);
/// From a car's state in a tick: [[x,y], angle, side, [x,y,angle], [x,y,angle]] and perhaps whether it lives.
[[nodiscard]] formats::RecordedCar read_car_state(JsonValue state, const FieldPath& path);

}  // namespace forkmunk::io

// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/formats/recording.h>

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

/// Recordings for machines without JSON and zlib, in the order of transfer() below. Little-endian, no padding.
///
///     file       "FMFLAT01", u32 count, then as many times: name, recording
///     name, text u32 bytes, the bytes
///     recording  2 texts (player ids); u8 has commands; u8 has final lives, 2 i32 if so;
///                u32 count, commands by tick number; u32 count, matches
///     match      setup; 2 i32 lives; u32 count, ticks
///     tick       i64 tick_num; per car 3 x 3 f64 (x, y, angle of body, rear, front wheel), i8 side, i8 alive
///                (-1: not recorded); f64 deadline; 2 i8 commands (-1: none)
///     setup      i64 map id; u32 count, segments of 5 f64; i64 car id;
///                body and button polygon: u32 count, 2 f64 each;
///                6 f64 (mass, friction, elasticity, max speed, max angular speed, torque); u8 drive; u8 squared;
///                rear and front wheel: 14 f64 in the order of WheelSetup
namespace forkmunk::tests {

struct NamedRecording {
  std::string name;
  formats::Recording recording;
};

class FlatWriter {
 public:
  static constexpr bool kReads = false;
  std::string bytes;

  template <std::integral T>
  void number(T& value) {
    using Unsigned = std::make_unsigned_t<T>;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes += static_cast<char>(static_cast<std::uint64_t>(static_cast<Unsigned>(value)) >> 8 * i & 0xFF);
    }
  }
  void number(double& value) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    number(bits);
  }
  void characters(std::string& text) { bytes += text; }
};

/// \throws Error if the bytes end too early.
class FlatReader {
 public:
  static constexpr bool kReads = true;
  explicit FlatReader(std::string bytes) : bytes_(std::move(bytes)) {}

  template <std::integral T>
  void number(T& value) {
    const char* at = take(sizeof(T));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) bits |= std::uint64_t{static_cast<unsigned char>(at[i])} << 8 * i;
    value = static_cast<T>(bits);
  }
  void number(double& value) {
    std::uint64_t bits = 0;
    number(bits);
    value = std::bit_cast<double>(bits);
  }
  void characters(std::string& text) { text.assign(take(text.size()), text.size()); }
  /// \throws Error unless `count` bytes can follow.
  void expect(std::size_t count) { (void)peek(count); }
  [[nodiscard]] bool at_end() const { return position_ == bytes_.size(); }

 private:
  const char* peek(std::size_t count) {
    if (count > bytes_.size() - position_) {
      throw Error("flat recordings: truncated: " + std::to_string(bytes_.size() - position_) + " bytes at " +
                  std::to_string(position_) + ", at least " + std::to_string(count) + " are needed");
    }
    return bytes_.data() + position_;
  }
  const char* take(std::size_t count) {
    const char* at = peek(count);
    position_ += count;
    return at;
  }

  std::string bytes_;
  std::size_t position_ = 0;
};

template <typename Archive>
void transfer(Archive& archive, double& number) {
  archive.number(number);
}

template <typename Archive>
void transfer(Archive& archive, engine::Vec2& point) {
  archive.number(point.x);
  archive.number(point.y);
}

template <typename Archive, typename Container>
void transfer_count(Archive& archive, Container& container) {
  auto count = static_cast<std::uint32_t>(container.size());
  archive.number(count);
  if constexpr (Archive::kReads) {
    archive.expect(count);
    container.resize(count);
  }
}

template <typename Archive>
void transfer(Archive& archive, std::string& text) {
  transfer_count(archive, text);
  archive.characters(text);
}

template <typename Archive, typename Enum>
requires std::is_enum_v<Enum>
void transfer(Archive& archive, Enum& value) {
  auto number = static_cast<std::uint8_t>(value);
  archive.number(number);
  value = static_cast<Enum>(number);
}

template <typename Archive>
void transfer(Archive& archive, bool& value) {
  std::uint8_t number = value ? 1 : 0;
  archive.number(number);
  value = number != 0;
}

/// An i8, or -1 for std::nullopt.
template <typename Archive, typename T>
void transfer(Archive& archive, std::optional<T>& value) {
  auto number = static_cast<std::int8_t>(value ? static_cast<int>(*value) : -1);
  archive.number(number);
  if constexpr (Archive::kReads) {
    value.reset();
    if (number >= 0) value = static_cast<T>(number);
  }
}

template <typename Archive>
void transfer(Archive& archive, engine::Lives& lives) {
  for (int& of_player : lives) {
    auto number = static_cast<std::int32_t>(of_player);
    archive.number(number);
    of_player = number;
  }
}

template <typename Archive>
void transfer(Archive& archive, formats::RecordedCommands& commands) {
  for (auto& command : commands) transfer(archive, command);
}

template <typename Archive>
void transfer(Archive& archive, engine::Segment& segment) {
  transfer(archive, segment.a);
  transfer(archive, segment.b);
  transfer(archive, segment.radius);
}

template <typename Archive, typename T>
void transfer(Archive& archive, std::vector<T>& list) {
  transfer_count(archive, list);
  for (T& item : list) transfer(archive, item);
}

template <typename Archive>
void transfer(Archive& archive, engine::WheelSetup& wheel) {
  transfer(archive, wheel.mass);
  transfer(archive, wheel.radius);
  transfer(archive, wheel.position);
  transfer(archive, wheel.friction);
  transfer(archive, wheel.elasticity);
  transfer(archive, wheel.joint);
  transfer(archive, wheel.groove_offset);
  transfer(archive, wheel.damp_position);
  transfer(archive, wheel.damp_length);
  transfer(archive, wheel.damp_stiffness);
  transfer(archive, wheel.damp_damping);
}

template <typename Archive>
void transfer(Archive& archive, engine::MatchSetup& setup) {
  archive.number(setup.map.external_id);
  transfer(archive, setup.map.segments);
  engine::CarSetup& car = setup.car;
  archive.number(car.external_id);
  transfer(archive, car.body_poly);
  transfer(archive, car.button_poly);
  for (double* number : {&car.body_mass, &car.body_friction, &car.body_elasticity, &car.max_speed,
                         &car.max_angular_speed, &car.torque}) {
    transfer(archive, *number);
  }
  transfer(archive, car.drive);
  transfer(archive, car.squared_wheels);
  transfer(archive, car.rear_wheel);
  transfer(archive, car.front_wheel);
}

template <typename Archive>
void transfer(Archive& archive, formats::RecordedTick& tick) {
  archive.number(tick.tick_num);
  for (formats::RecordedCar& car : tick.cars) {
    for (formats::RecordedBody* body : car.parts()) {
      transfer(archive, body->position);
      transfer(archive, body->angle);
    }
    auto side = static_cast<std::int8_t>(car.side);
    archive.number(side);
    car.side = side;
    transfer(archive, car.alive);
  }
  transfer(archive, tick.deadline_position);
  transfer(archive, tick.commands);
}

template <typename Archive>
void transfer(Archive& archive, formats::RecordedMatch& match) {
  transfer(archive, match.setup);
  transfer(archive, match.lives);
  transfer(archive, match.ticks);
}

template <typename Archive>
void transfer(Archive& archive, NamedRecording& named) {
  transfer(archive, named.name);
  formats::Recording& recording = named.recording;
  for (std::string& id : recording.player_ids) transfer(archive, id);
  transfer(archive, recording.has_commands);
  bool ended = recording.ended();
  transfer(archive, ended);
  if (ended) {
    engine::Lives lives = recording.final_lives.value_or(engine::Lives{});
    transfer(archive, lives);
    recording.final_lives = lives;
  }
  transfer(archive, recording.commands_by_tick_num);
  transfer(archive, recording.matches);
}

inline constexpr std::string_view kFlatMagic = "FMFLAT01";

inline std::string to_flat(std::vector<NamedRecording> recordings) {
  FlatWriter writer;
  writer.bytes = kFlatMagic;
  transfer(writer, recordings);
  return std::move(writer.bytes);
}

/// \throws Error for another format. Numbers are not validated.
inline std::vector<NamedRecording> from_flat(std::string bytes) {
  FlatReader reader(std::move(bytes));
  std::string magic(kFlatMagic.size(), '\0');
  reader.characters(magic);
  if (magic != kFlatMagic) throw Error("flat recordings: the file does not begin with FMFLAT01");
  std::vector<NamedRecording> recordings;
  transfer(reader, recordings);
  if (!reader.at_end()) throw Error("flat recordings: excess bytes after the last recording");
  return recordings;
}

}  // namespace forkmunk::tests

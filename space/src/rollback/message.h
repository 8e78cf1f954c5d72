// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The messages of docs/reference/rollback_messages.md. All numbers are little-endian.
namespace forkmunk::FORKMUNK_SPACE::rollback {

inline constexpr std::uint16_t kMagic = 0x4d46;  // FM
inline constexpr int kPlayersMax = 16;
inline constexpr int kStreamsMax = kPlayersMax + 1;  // players, and who is present
inline constexpr std::size_t kInputBytesMax = 1024;
inline constexpr std::size_t kMessageBytes = 1200;  // unless one input needs more
inline constexpr std::size_t kChunkBytes = 1024;
inline constexpr int kInputsPerSegmentMax = 512;
inline constexpr int kFrameMax = 0x3fffffff;
/// Instead of an instance: an empty seat, and a seat whose player has sent nothing yet.
inline constexpr std::uint32_t kEmptySeat = 0, kAwaitedSeat = 0xffffffff;

struct Settings {
  std::uint8_t players = 0;
  std::uint16_t check_every = 0;
  std::uint16_t input_bytes_max = 0;
  std::uint32_t input_hash = 0;
  std::uint32_t game = 0;
  bool operator==(const Settings&) const = default;
};
/// Returns the first difference, with both values.
std::string difference_of(const Settings& ours, const Settings& theirs);

enum class MessageKind : std::uint8_t { play = 1, chunk = 2, refusal = 3 };
enum class Purpose : std::uint8_t { none = 0, join = 1, desync = 2 };

/// Chunks before `next` have arrived, and those of the bits in `further` after it.
struct Request {
  Purpose purpose = Purpose::none;
  std::uint32_t from = 0;   // who shall send the state
  std::int32_t frame = -1;  // -1: any
  std::uint32_t next = 0;
  std::uint32_t further = 0;
};

/// The inputs of a stream, in the message's own bytes.
struct Segment {
  int stream = 0;
  std::int32_t first = 0;
  int count = 0;
  std::string_view bytes;
};

/// A message's parts, which are views of its bytes.
struct Message {
  MessageKind kind = MessageKind::play;
  std::uint64_t session = 0;
  std::uint32_t instance = 0;
  std::uint32_t to = 0;
  std::uint8_t from = 0xff;  // the sender's seat, or a client's wish; 0xff: none
  Settings settings;

  // play
  bool is_client = false, is_ready = false, is_leaving = false, has_roster = false;
  std::int32_t frame = 0;
  std::uint32_t version = 0;                      // of the sender's roster
  std::uint32_t host_instance = 0;                // who made the roster
  std::array<std::int32_t, kStreamsMax> known{};  // the first frame that the sender lacks, by stream
  std::array<std::int8_t, kPlayersMax> ahead{};   // frames ahead of each player's last message
  std::int32_t checked_frame = -1;
  std::uint64_t checksum = 0;
  std::uint16_t dropping = 0;                          // roster: seats that are being emptied
  std::array<std::uint32_t, kPlayersMax> instances{};  // roster
  Request request;
  std::vector<Segment> segments;

  // chunk
  Purpose purpose = Purpose::none;
  std::uint32_t total_bytes = 0, state_bytes = 0;  // compressed, and of RollbackGame::write()
  std::uint32_t index = 0;                         // of the chunk
  std::string_view chunk;

  // refusal
  std::string_view text;
};

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

class Writer {
 public:
  template <typename T>
  void put(T number) {
    for (std::size_t i = 0; i < sizeof number; ++i)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(number) >> 8 * i);
  }
  template <typename... Ts>
  void visit(Ts... numbers) {
    (put(numbers), ...);
  }
  void put_varint(std::uint32_t number);
  void put_bytes(std::string_view bytes) { bytes_ += bytes; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  void overwrite(std::size_t at, std::uint8_t number) { bytes_[at] = static_cast<char>(number); }
  void overwrite16(std::size_t at, std::uint16_t number) {
    bytes_[at] = static_cast<char>(number), bytes_[at + 1] = static_cast<char>(number >> 8);
  }
  [[nodiscard]] std::string_view view() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Past the end, is_good() is false and all numbers are 0.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <typename T>
  T get() {
    if (!has(sizeof(T))) return T{};
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      number |= std::uint64_t{static_cast<unsigned char>(bytes_[at_ + i])} << 8 * i;
    at_ += sizeof(T);
    return static_cast<T>(number);
  }
  template <typename... Ts>
  void visit(Ts&... numbers) {
    ((numbers = get<Ts>()), ...);
  }
  std::uint32_t get_varint();
  std::string_view get_bytes(std::size_t count);
  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t position() const { return at_; }

 private:
  bool has(std::size_t count) {
    if (is_good_ && bytes_.size() - at_ >= count) return true;
    is_good_ = false;
    return false;
  }
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool is_good_ = true;
};

/// Writes a message without its segments, whose number follows as one byte.
void write_message(Writer& writer, const Message& message);
/// Ends a message with its checksum.
void finish_message(Writer& writer);
/// \return null, or what is wrong with the bytes.
const char* read_message(std::string_view bytes, Message& message);

/// \return whether the segment has its number of inputs, none too long.
template <typename Visit>
bool visit_inputs(Reader& reader, int count, std::size_t input_bytes_max, Visit visit) {
  std::string_view last;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t code = reader.get_varint();  // 0: the input before; else the size plus 1
    if (!reader.is_good() || (code == 0 && i == 0) || code > input_bytes_max + 1) return false;
    if (code > 0) last = reader.get_bytes(code - 1);
    if (!reader.is_good()) return false;
    visit(last);
  }
  return true;
}

/// Compresses as LZ77 does.
std::string compress(std::span<const std::byte> bytes);
/// \return nothing for damaged bytes.
std::vector<std::byte> decompress(std::string_view compressed, std::size_t size);

}  // namespace forkmunk::FORKMUNK_SPACE::rollback

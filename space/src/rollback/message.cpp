// SPDX-License-Identifier: MIT
#include "message.h"

#include <forkmunk/base/concat.h>
#include <forkmunk/base/hasher.h>

#include <algorithm>
#include <cstring>

namespace forkmunk::FORKMUNK_SPACE::rollback {

namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kChecksumBytes = 4;
constexpr unsigned int kClient = 1, kReady = 2, kLeaving = 4, kRoster = 8, kChecksum = 16, kRequest = 32;
constexpr std::size_t kRefusalBytesMax = 200;
constexpr std::uint32_t kStateBytesMax = 1u << 30;

std::uint32_t message_checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(checksum_of(bytes_of(bytes)));
}

bool is_frame(std::int32_t frame) { return frame >= 0 && frame <= kFrameMax; }
bool is_purpose(Purpose purpose) { return purpose == Purpose::join || purpose == Purpose::desync; }

// The numbers of a message in the order of their bytes, for a Reader or a Writer.

template <typename Io, typename Head>
void visit_head(Io& io, Head& message) {
  auto& settings = message.settings;
  io.visit(message.kind, message.session, message.instance, message.to, message.from);
  io.visit(settings.players, settings.check_every, settings.input_bytes_max, settings.input_hash, settings.game);
}

template <typename Io, typename Play>
void visit_play(Io& io, Play& message, unsigned int flags) {
  const int players = message.settings.players;
  io.visit(message.frame, message.version, message.host_instance);
  for (int i = 0; i <= players; ++i) io.visit(message.known[i]);
  for (int i = 0; i < players; ++i) io.visit(message.ahead[i]);
  if ((flags & kChecksum) != 0) io.visit(message.checked_frame, message.checksum);
  if ((flags & kRoster) != 0) {
    io.visit(message.dropping);
    for (int i = 0; i < players; ++i) io.visit(message.instances[i]);
  }
  if ((flags & kRequest) != 0) {
    auto& request = message.request;
    io.visit(request.purpose, request.from, request.frame, request.next, request.further);
  }
}

template <typename Io, typename Part>
void visit_chunk(Io& io, Part& message) {
  io.visit(message.purpose, message.frame, message.total_bytes, message.state_bytes, message.index);
}

const char* read_segments(Reader& reader, std::string_view bytes, Message& message) {
  const int streams = message.settings.players + 1;
  const int count = reader.get<std::uint8_t>();
  if (count > streams) return "there are more segments than players";
  for (int i = 0; i < count; ++i) {
    Segment segment;
    segment.stream = reader.get<std::uint8_t>();
    segment.first = reader.get<std::int32_t>();
    segment.count = reader.get<std::uint16_t>();
    const std::size_t start = reader.position();
    if (segment.stream >= streams || segment.count > kInputsPerSegmentMax || !is_frame(segment.first)) {
      return "a segment is out of range";
    }
    const std::size_t most = segment.stream == message.settings.players ? 2 : message.settings.input_bytes_max;
    bool has_sizes = true;
    const auto check = [&](std::string_view input) {
      if (segment.stream == message.settings.players && input.size() != 2) has_sizes = false;
    };
    if (!visit_inputs(reader, segment.count, most, check) || !has_sizes) return "inputs are damaged or too long";
    segment.bytes = bytes.substr(start, reader.position() - start);
    message.segments.push_back(segment);
  }
  return nullptr;
}

const char* read_play(Reader& reader, std::string_view bytes, Message& message) {
  const unsigned int flags = reader.get<std::uint8_t>();
  message.is_client = (flags & kClient) != 0;
  message.is_ready = (flags & kReady) != 0;
  message.is_leaving = (flags & kLeaving) != 0;
  message.has_roster = (flags & kRoster) != 0;
  visit_play(reader, message, flags);
  bool has_frames = is_frame(message.frame);
  for (int i = 0; i <= message.settings.players; ++i) has_frames = has_frames && is_frame(message.known[i]);
  if (!has_frames) return "a frame's number is out of range";
  if ((flags & kChecksum) != 0) {
    const int every = message.settings.check_every;
    if (!is_frame(message.checked_frame) || every == 0 || message.checked_frame % every != 0) {
      return "a checksum is of a frame without one";
    }
  }
  if ((flags & kRequest) != 0 && !is_purpose(message.request.purpose)) return "a request has an unknown purpose";
  return reader.is_good() ? read_segments(reader, bytes, message) : nullptr;
}

const char* read_chunk(Reader& reader, Message& message) {
  visit_chunk(reader, message);
  if (!is_purpose(message.purpose)) return "a state has an unknown purpose";
  if (!is_frame(message.frame)) return "a frame's number is out of range";
  if (message.total_bytes > kStateBytesMax || message.state_bytes > kStateBytesMax) return "a state is too large";
  const std::uint64_t start = std::uint64_t{message.index} * kChunkBytes;
  if (start >= message.total_bytes) return "a part of a state is out of range";
  message.chunk =
      reader.get_bytes(static_cast<std::size_t>(std::min<std::uint64_t>(kChunkBytes, message.total_bytes - start)));
  return nullptr;
}

}  // namespace

std::string difference_of(const Settings& ours, const Settings& theirs) {
  const auto difference = [](const char* name, std::uint32_t one, std::uint32_t other) {
    return concat(name, " is ", one, " here and ", other, " there");
  };
  if (ours.players != theirs.players) return difference("players", ours.players, theirs.players);
  if (ours.check_every != theirs.check_every) return difference("check_every", ours.check_every, theirs.check_every);
  if (ours.input_bytes_max != theirs.input_bytes_max) {
    return difference("input_bytes_max", ours.input_bytes_max, theirs.input_bytes_max);
  }
  if (ours.game != theirs.game) return difference("game", ours.game, theirs.game);
  return ours == theirs ? std::string() : "input, the one before the first, differs";
}

void Writer::put_varint(std::uint32_t number) {
  for (; number >= 0x80; number >>= 7) put(static_cast<std::uint8_t>(number | 0x80));
  put(static_cast<std::uint8_t>(number));
}

std::uint32_t Reader::get_varint() {
  std::uint32_t number = 0;
  for (int shift = 0; shift < 32; shift += 7) {
    const auto part = get<std::uint8_t>();
    number |= std::uint32_t{part & 0x7fu} << shift;
    if (part < 0x80) return number;
  }
  is_good_ = false;
  return 0;
}

std::string_view Reader::get_bytes(std::size_t count) {
  if (!has(count)) return {};
  at_ += count;
  return bytes_.substr(at_ - count, count);
}

void write_message(Writer& writer, const Message& message) {
  writer.put(kMagic);
  writer.put(kVersion);
  visit_head(writer, message);
  if (message.kind == MessageKind::refusal) {
    const std::string_view text = message.text.substr(0, kRefusalBytesMax);
    writer.put(static_cast<std::uint8_t>(text.size()));
    writer.put_bytes(text);
  } else if (message.kind == MessageKind::chunk) {
    visit_chunk(writer, message);
    writer.put_bytes(message.chunk);
  } else {
    const unsigned int flags = (message.is_client ? kClient : 0) | (message.is_ready ? kReady : 0) |
                               (message.is_leaving ? kLeaving : 0) | (message.has_roster ? kRoster : 0) |
                               (message.checked_frame >= 0 ? kChecksum : 0) |
                               (message.request.purpose != Purpose::none ? kRequest : 0);
    writer.put(static_cast<std::uint8_t>(flags));
    visit_play(writer, message, flags);
  }
}

void finish_message(Writer& writer) { writer.put(message_checksum(writer.view())); }

const char* read_message(std::string_view bytes, Message& message) {
  if (bytes.size() < kChecksumBytes + sizeof kMagic + sizeof kVersion) return "it is too short";
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  Reader reader(body);
  if (reader.get<std::uint16_t>() != kMagic) return "it is not a message of a session";
  if (reader.get<std::uint8_t>() != kVersion) return "it has another version of the format";
  if (Reader(bytes.substr(body.size())).get<std::uint32_t>() != message_checksum(body)) return "its checksum is wrong";
  visit_head(reader, message);
  const int players = message.settings.players;
  if (players > kPlayersMax || (message.from != 0xff && message.from >= players)) return "a seat is out of range";
  if (message.settings.input_bytes_max > kInputBytesMax) return "inputs are too long";
  if (message.instance == kEmptySeat || message.instance == kAwaitedSeat) return "it has no sender";
  if (message.kind < MessageKind::play || message.kind > MessageKind::refusal) return "it has an unknown kind";
  const char* problem = nullptr;
  if (message.kind == MessageKind::play) problem = read_play(reader, body, message);
  if (message.kind == MessageKind::chunk) problem = read_chunk(reader, message);
  if (message.kind == MessageKind::refusal) message.text = reader.get_bytes(reader.get<std::uint8_t>());
  if (problem != nullptr) return problem;
  return reader.is_good() && reader.is_at_end() ? nullptr : "its size is wrong";
}

namespace {

constexpr int kHashBits = 14;
constexpr std::size_t kRepeatMin = 4;

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

}  // namespace

// Pairs of (number of literals, the literals, length of a repetition, its distance); the last pair has length 0.
std::string compress(std::span<const std::byte> bytes) {
  Writer writer;
  std::vector<std::uint32_t> last(std::size_t{1} << kHashBits, 0xffffffff);  // position of each hash
  const auto literals = [&](std::size_t from, std::size_t to) {
    writer.put_varint(static_cast<std::uint32_t>(to - from));
    writer.put_bytes({reinterpret_cast<const char*>(bytes.data()) + from, to - from});
  };
  std::size_t start = 0, at = 0;
  while (at + kRepeatMin <= bytes.size()) {
    const std::uint32_t word = word_at(bytes, at);
    std::uint32_t& entry = last[word * 2654435761u >> (32 - kHashBits)];
    const std::uint32_t before = entry;
    entry = static_cast<std::uint32_t>(at);
    if (before == 0xffffffff || word_at(bytes, before) != word) {
      ++at;
      continue;
    }
    std::size_t length = kRepeatMin;
    while (at + length < bytes.size() && bytes[before + length] == bytes[at + length]) ++length;
    literals(start, at);
    writer.put_varint(static_cast<std::uint32_t>(length));
    writer.put_varint(static_cast<std::uint32_t>(at - before));
    at += length;
    start = at;
  }
  literals(start, bytes.size());
  writer.put_varint(0);
  return std::string(writer.view());
}

std::vector<std::byte> decompress(std::string_view compressed, std::size_t size) {
  std::vector<std::byte> bytes;
  Reader reader(compressed);
  while (reader.is_good()) {
    const std::uint32_t literal_count = reader.get_varint();
    if (literal_count > size - bytes.size()) return {};
    const std::string_view literals = reader.get_bytes(literal_count);
    const auto* first = reinterpret_cast<const std::byte*>(literals.data());
    bytes.insert(bytes.end(), first, first + literals.size());
    const std::uint32_t length = reader.get_varint();
    if (!reader.is_good()) return {};
    if (length == 0) break;
    const std::uint32_t distance = reader.get_varint();
    if (distance == 0 || distance > bytes.size() || length > size - bytes.size()) return {};
    for (std::uint32_t i = 0; i < length; ++i) bytes.push_back(bytes[bytes.size() - distance]);
  }
  if (!reader.is_at_end() || bytes.size() != size) return {};
  return bytes;
}

}  // namespace forkmunk::FORKMUNK_SPACE::rollback

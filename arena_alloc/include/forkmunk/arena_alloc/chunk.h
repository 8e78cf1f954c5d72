// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

/// Marks functions that touch bytes behind a payload, which AddressSanitizer forbids.
#define FORKMUNK_UNSANITIZED __attribute__((no_sanitize_address))

/// The byte layout of an arena, or of a copy of one.
///
///   [ header | chunk | chunk | ... ) live_end        constant_begin ( chunk | chunk | ... ]
///
/// Offsets are from the block's start; 0 ends a free list.
namespace forkmunk::arena_alloc {

/// The unit of chunks' sizes and the alignment of payloads.
inline constexpr std::uint32_t kGranule = 16;
inline constexpr std::uint32_t kChunkHeaderBytes = 8;
inline constexpr std::uint32_t kStampBytes = 4;

/// Each multiple of 16 bytes up to 1 KiB has its own size class, then each power of two; all chunks from 4 MiB on share
/// one. Each class takes bytes in every snapshot.
inline constexpr std::uint32_t kLinearBytesMax = 1024;
inline constexpr std::uint32_t kLinearClassCount = kLinearBytesMax / kGranule;
inline constexpr std::uint32_t kClassCount = kLinearClassCount + 13;

/// Chunks of a linear class have one size; those of class kLinearClassCount + k have 2^(10 + k) bytes and more.
constexpr std::uint32_t class_of(std::uint32_t chunk_bytes) {
  if (chunk_bytes <= kLinearBytesMax) return chunk_bytes / kGranule - 1;
  return kLinearClassCount +
         std::min(static_cast<std::uint32_t>(std::bit_width(chunk_bytes)) - 11, kClassCount - 1 - kLinearClassCount);
}
static_assert(class_of(16) == 0 && class_of(1024) == kLinearClassCount - 1 && class_of(1040) == kLinearClassCount &&
              class_of(2048) == kLinearClassCount + 1 && class_of((1u << 22) - 16) == kClassCount - 2 &&
              class_of(1u << 22) == kClassCount - 1 && class_of(kCapacityBytesMax) == kClassCount - 1);

/// The header of the block, part of the state.
struct ArenaHeader {
  std::uint32_t live_end;  // after the live zone
  std::uint32_t constant_begin;
  Zone zone;
  bool has_freed;  // a chunk was ever in a free list
  std::uint8_t padding[2];
  std::uint32_t free_list[kClassCount];
};

struct Chunk {
  // A multiple of 16 up to 2^30. Bit 0 is set while the chunk is in use. Bits 1 to 3 and 31 belong to the kind.
  std::uint32_t bytes_and_flags;
  // In use: the requested bytes, with bits 30 and 31 for the kind. Free: the next free chunk.
  std::uint32_t link;

  [[nodiscard]] std::uint32_t bytes() const noexcept { return bytes_and_flags & 0x7ffffff0u; }
  [[nodiscard]] bool used() const noexcept { return (bytes_and_flags & 1u) != 0; }
  [[nodiscard]] std::uint32_t requested_bytes() const noexcept { return link & 0x3fffffffu; }
  [[nodiscard]] std::uint32_t payload_bytes() const noexcept { return bytes() - kChunkHeaderBytes; }
  [[nodiscard]] static Chunk& of(const void* payload) noexcept {
    return *(static_cast<Chunk*>(const_cast<void*>(payload)) - 1);
  }
  [[nodiscard]] std::byte* payload() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  [[nodiscard]] int kind() const noexcept {
    return static_cast<int>((bytes_and_flags >> 1 & 7u) | (bytes_and_flags >> 31 << 3) | (link >> 30 << 4));
  }

  /// Returns the stamp, a number in the chunk's last bytes; 0 without room for one.
  FORKMUNK_UNSANITIZED std::uint32_t stamp() const noexcept {
    return payload_bytes() - requested_bytes() < kStampBytes ? 0 : stamp_word();
  }
  /// Stores a stamp in the last kStampBytes of the request. \pre the payload does not need these bytes.
  FORKMUNK_UNSANITIZED void add_stamp(std::uint32_t stamp) noexcept {
    link -= kStampBytes;
    set_stamp(stamp);
  }
  /// \pre there is room for a stamp.
  FORKMUNK_UNSANITIZED void set_stamp(std::uint32_t stamp) noexcept {
    const_cast<std::uint32_t&>(stamp_word()) = stamp;
  }

  void set_free(std::uint32_t next) noexcept {
    bytes_and_flags = bytes();
    link = next;
  }
  void set_used(std::uint32_t chunk_bytes, std::size_t requested, int kind_) noexcept {
    const auto kind = static_cast<std::uint32_t>(kind_);
    bytes_and_flags = chunk_bytes | 1u | (kind & 7u) << 1 | (kind >> 3 & 1u) << 31;
    link = static_cast<std::uint32_t>(requested) | kind >> 4 << 30;
  }

 private:
  FORKMUNK_UNSANITIZED const std::uint32_t& stamp_word() const noexcept {
    return *reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const std::byte*>(this) + bytes() - kStampBytes);
  }
};
static_assert(sizeof(Chunk) == kChunkHeaderBytes);

/// Payloads are aligned: 8 bytes before a multiple of 16.
inline constexpr std::uint32_t kFirstChunkOffset = static_cast<std::uint32_t>(
    (sizeof(ArenaHeader) + kChunkHeaderBytes + kGranule - 1) / kGranule * kGranule - kChunkHeaderBytes);

/// Calls visit(offset, chunk) for the chunks of [begin, end), until visit() returns false.
template <typename Visitor>
void walk_chunks(std::byte* block, std::uint32_t begin, std::uint32_t end, Visitor&& visit) {
  for (std::uint32_t offset = begin; offset < end;) {
    Chunk& chunk = *reinterpret_cast<Chunk*>(block + offset);
    const std::uint32_t bytes = chunk.bytes();
    if (!visit(offset, chunk)) return;
    offset += bytes;
  }
}

template <typename Visitor>
void Arena::for_each_chunk(Visitor visit) const {
  const auto go_on = [&](std::uint32_t offset, Chunk& chunk) {
    visit(offset, chunk);
    return true;
  };
  walk_chunks(block_, kFirstChunkOffset, header().live_end, go_on);
  walk_chunks(block_, header().constant_begin, static_cast<std::uint32_t>(capacity_ - kChunkHeaderBytes), go_on);
}

template <typename Visitor>
void Arena::for_each_allocation(Visitor visit) const {
  for_each_chunk([&](std::uint32_t, Chunk& chunk) {
    if (chunk.used()) visit(chunk.payload(), std::size_t{chunk.requested_bytes()}, chunk.kind());
  });
}

}  // namespace forkmunk::arena_alloc

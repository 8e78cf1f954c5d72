// SPDX-License-Identifier: MIT
#include "code_names.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <cstring>
#include <istream>
#include <ostream>

namespace forkmunk::FORKMUNK_SPACE {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;
constexpr std::size_t kReadRoomBytes = std::size_t{1} << 16;

void Snapshot::reserve(std::size_t bytes) {
  if (bytes_ != nullptr && bytes_.get_deleter().size_bytes >= bytes) return;
  size_ = 0;
  bytes_ = nullptr;
  bytes_ = arena_alloc::allocate_system(bytes + bytes / 4);  // scenes grow a little
}

void Snapshot::take(const arena_alloc::Arena& arena) {
  const std::size_t bytes = arena.live_bytes();
  reserve(bytes);
  arena.save_live(bytes_.get());
  size_ = bytes;
  base_ = arena.base();
  capacity_bytes_ = arena.capacity_bytes();
}

void Snapshot::take(std::span<const std::byte> bytes, const std::byte* base, std::size_t capacity_bytes) {
  reserve(bytes.size());
  std::memcpy(bytes_.get(), bytes.data(), bytes.size());
  size_ = bytes.size();
  base_ = base;
  capacity_bytes_ = capacity_bytes;
}

Snapshot::Snapshot(const Snapshot& other) { *this = other; }

Snapshot& Snapshot::operator=(const Snapshot& other) {
  if (this == &other) return *this;
  if (!other.empty()) {
    reserve(other.size_);
    std::memcpy(bytes_.get(), other.bytes_.get(), other.size_);
  }
  size_ = other.size_bytes();
  base_ = other.base_;
  capacity_bytes_ = other.capacity_bytes_;
  return *this;
}

std::vector<std::byte> Snapshot::to_bytes() const {
  if (empty()) throw Error("the snapshot is empty: save a Space into it first");
  return chipmunk::to_portable({{bytes_.get(), size_}, base_, capacity_bytes_}, code_names());
}

Snapshot Snapshot::from_bytes(std::span<const std::byte> bytes, std::size_t memory_bytes_max) {
  // A state rarely has three times the bytes of its file.
  const std::size_t room = std::min(3 * bytes.size() + kReadRoomBytes, arena_alloc::kCapacityBytesMax);
  Snapshot snapshot;
  snapshot.reserve(room);
  try {
    arena_alloc::Arena arena({snapshot.bytes_.get(), room});
    chipmunk::from_portable(arena, bytes, code_names(), memory_bytes_max);
    snapshot.size_ = arena.live_bytes();
    snapshot.base_ = arena.base();
    snapshot.capacity_bytes_ = arena.capacity_bytes();
    return snapshot;
  } catch (const Error&) {  // perhaps because there was no room
    return Space::from_bytes(bytes, memory_bytes_max).save();
  }
}

std::vector<std::byte> delta_of(std::span<const std::byte> base, std::span<const std::byte> bytes) {
  return chipmunk::portable_delta(base, bytes, code_names());
}
std::size_t delta_bytes(std::span<const std::byte> header) { return chipmunk::portable_delta_bytes(header); }
std::vector<std::byte> apply_delta(std::span<const std::byte> base, std::span<const std::byte> delta,
                                   std::size_t bytes_max) {
  return chipmunk::apply_portable_delta(base, delta, code_names(), bytes_max);
}
static_assert(kDeltaHeaderBytes == chipmunk::kPortableDeltaHeaderBytes);

namespace {

void write_bytes(std::ostream& out, std::span<const std::byte> bytes) {
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw Error("the snapshot could not be written: the stream failed");
}

class ReadBytes {
 public:
  ReadBytes(std::istream& in, std::size_t header_bytes, std::size_t (*length_of)(std::span<const std::byte>),
            std::size_t memory_bytes_max) {
    if (!in) throw Error("a snapshot cannot be read: the stream had failed before");
    read_up_to(in, header_bytes);
    const std::size_t length = length_of(bytes());
    if (length > memory_bytes_max) throw Error("a state of a space: its file is longer than the limit of its memory");
    read_up_to(in, length);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {block_.get(), size_}; }

 private:
  void read_up_to(std::istream& in, std::size_t size) {
    while (size_ < size) {  // a damaged header can claim any size
      const std::size_t wanted = std::min(size - size_, std::max(size_, kReadBytes));
      arena_alloc::SystemBlock block = arena_alloc::allocate_system(size_ + wanted);
      if (size_ > 0) std::memcpy(block.get(), block_.get(), size_);
      block_ = std::move(block);
      const std::streamsize found =
          in.rdbuf()->sgetn(reinterpret_cast<char*>(block_.get() + size_), static_cast<std::streamsize>(wanted));
      size_ += static_cast<std::size_t>(std::max<std::streamsize>(found, 0));
      if (found != static_cast<std::streamsize>(wanted)) return;
    }
  }

  arena_alloc::SystemBlock block_;
  std::size_t size_ = 0;
};

}  // namespace

void Snapshot::write(std::ostream& out) const { write_bytes(out, to_bytes()); }

void Snapshot::write(std::ostream& out, const Snapshot& base) const {
  write_bytes(out, delta_of(base.to_bytes(), to_bytes()));
}

Snapshot Snapshot::read(std::istream& in, std::size_t memory_bytes_max) {
  const ReadBytes read(in, chipmunk::kPortableHeaderBytes, &chipmunk::portable_bytes, memory_bytes_max);
  return from_bytes(read.bytes(), memory_bytes_max);
}

Snapshot Snapshot::read(std::istream& in, const Snapshot& base, std::size_t memory_bytes_max) {
  const ReadBytes read(in, kDeltaHeaderBytes, &delta_bytes, memory_bytes_max);
  return from_bytes(apply_delta(base.to_bytes(), read.bytes(), memory_bytes_max), memory_bytes_max);
}

}  // namespace forkmunk::FORKMUNK_SPACE

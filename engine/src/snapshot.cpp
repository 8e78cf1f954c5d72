// SPDX-License-Identifier: MIT
#include "flat/live_state.h"
#include "world_implementation.h"

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/hasher.h>
#include <forkmunk/engine/snapshot.h>

#include <cstdio>
#include <istream>
#include <ostream>

namespace forkmunk::engine {
namespace {

struct FileHeader {
  std::array<char, 8> magic{'F', 'M', 'S', 'N', 'A', 'P', '0', '1'};
  std::uint64_t layout = 0;
  std::uint64_t match = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(FileHeader) == 40);

constexpr std::uint64_t kFileBytesMax = std::uint64_t{1} << 24;

std::string hex(std::uint64_t value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%016llx", static_cast<unsigned long long>(value));
  return text.data();
}

}  // namespace

void Snapshot::Release::operator()(std::byte* block) const noexcept { arena_alloc::SystemDeleter{size_bytes}(block); }

void Snapshot::allocate(std::size_t capacity) {
  size_ = 0;
  arena_alloc::SystemBlock block = arena_alloc::allocate_system(capacity);
  const Release release{block.get_deleter().size_bytes};
  bytes_ = {block.release(), release};
  capacity_ = capacity;
}

std::byte* WorldImplementation::prepare(Snapshot& snapshot, std::size_t bytes, std::uint64_t origin,
                                        std::uint64_t match) {
  if (snapshot.bytes_ == nullptr || snapshot.capacity_ < bytes) {
    // States grow to almost three times their initial size. Unwritten pages cost no memory.
    constexpr std::size_t kRoom = 4;
    snapshot.allocate(kRoom * bytes);
  }
  snapshot.size_ = bytes;
  snapshot.origin_ = origin;
  snapshot.match_ = match;
  return snapshot.bytes_.get();
}

std::span<const std::byte> WorldImplementation::bytes_of(const Snapshot& snapshot, std::uint64_t origin,
                                                         std::uint64_t match) noexcept {
  if (snapshot.origin_ != origin || snapshot.match_ != match) return {};
  return {snapshot.bytes_.get(), snapshot.size_bytes()};
}

bool Snapshot::is_portable() const noexcept { return !empty() && origin_ == flat::layout_hash(); }

void Snapshot::write(std::ostream& out) const {
  if (!is_portable()) {
    throw Error(empty()
                    ? "the snapshot is empty: save a world into it first"
                    : "a chipmunk world's snapshot holds addresses and cannot leave its process; use the flat engine");
  }
  FileHeader header;
  header.layout = origin_;
  header.match = match_;
  header.size_bytes = size_;
  header.checksum = checksum_of({bytes_.get(), size_});
  out.write(reinterpret_cast<const char*>(&header), sizeof header);
  out.write(reinterpret_cast<const char*>(bytes_.get()), static_cast<std::streamsize>(size_));
  if (!out.flush()) throw Error("cannot write the snapshot: the stream failed");
}

Snapshot Snapshot::read(std::istream& in, const World& world) {
  if (!world.has_match()) throw Error("Snapshot::read(): the world has no match; call begin_match() first");
  if (world.physics() != Physics::flat) {
    throw Error("Snapshot::read(): a chipmunk world reads no snapshots; use the flat engine");
  }
  const flat::MatchModel& model = implementation_of(world).model();
  FileHeader header;
  const FileHeader expected;
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header)) {
    throw Error("not a snapshot: it has ", in.gcount(), " bytes, the header ", sizeof header);
  }
  if (header.magic != expected.magic) throw Error("not a snapshot: it does not begin with FMSNAP01");
  if (header.layout != flat::layout_hash()) {
    throw Error("snapshot of another version: found layout ", hex(header.layout), ", expected ",
                hex(flat::layout_hash()));
  }
  if (header.match != model.key) {
    throw Error("snapshot of another match; use one of the same map, car and physics");
  }
  if (header.size_bytes < sizeof(flat::LiveState) || header.size_bytes > kFileBytesMax) {
    throw Error("damaged snapshot: found a size of ", header.size_bytes, " bytes, expected ", sizeof(flat::LiveState),
                " to ", kFileBytesMax);
  }
  const auto size = static_cast<std::size_t>(header.size_bytes);  // std::size_t may have 32 bits
  Snapshot snapshot;
  snapshot.allocate(size);
  if (!in.read(reinterpret_cast<char*>(snapshot.bytes_.get()), static_cast<std::streamsize>(size))) {
    throw Error("truncated snapshot: ", in.gcount(), " of ", header.size_bytes, " bytes after the header");
  }
  const std::uint64_t checksum = checksum_of({snapshot.bytes_.get(), size});
  if (checksum != header.checksum) {
    throw Error("damaged snapshot: found checksum ", hex(checksum), ", expected ", hex(header.checksum));
  }
  const std::size_t size_within = reinterpret_cast<const flat::LiveState*>(snapshot.bytes_.get())->size_bytes();
  if (size_within != size) {
    throw Error("damaged snapshot: its state has ", size_within, " bytes, its header has ", size);
  }
  // The checksum has no key, so it does not prevent forgery.
  if (const auto damage = flat::find_damage(model, {snapshot.bytes_.get(), size})) {
    throw Error("damaged snapshot: found a wrong ", *damage);
  }
  snapshot.size_ = size;
  snapshot.origin_ = header.layout;
  snapshot.match_ = header.match;
  return snapshot;
}

}  // namespace forkmunk::engine

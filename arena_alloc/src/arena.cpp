// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/arena_alloc/emergency_memory.h>
#include <forkmunk/arena_alloc/poison.h>
#include <forkmunk/base/check.h>
#include <forkmunk/base/concat.h>
#include <forkmunk/base/hasher.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace forkmunk::arena_alloc {
namespace {

constexpr std::uint32_t chunk_bytes_for(std::size_t payload_bytes) {
  return static_cast<std::uint32_t>((payload_bytes + kChunkHeaderBytes + kGranule - 1) / kGranule * kGranule);
}

// A slot for each multiple of the alignment. Addresses have 48 bits at most.
constexpr std::size_t kSlotCount = std::size_t{1} << ((sizeof(void*) == 8 ? 48 : 32) - kRegionAlignmentBits);
// The slot may have other mappings beside the arena.
struct Slot {
  std::atomic<Arena*> arena;
  std::atomic<std::uintptr_t> begin, end;
};
constinit std::array<Slot, kSlotCount> slots{};

std::size_t slot_of(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) >> kRegionAlignmentBits;
}

// A long range fills several slots.
void set_slots(const std::byte* base, std::size_t size_bytes, Arena* arena) noexcept {
  for (std::size_t slot = slot_of(base); slot <= slot_of(base + size_bytes - 1); ++slot) {
    slots[slot].begin.store(reinterpret_cast<std::uintptr_t>(base));
    slots[slot].end.store(arena == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(base + size_bytes));
    slots[slot].arena.store(arena, std::memory_order_release);
  }
}

// AddressSanitizer guards all bytes behind the live zone that were ever used, and so many more.
[[maybe_unused]] constexpr std::size_t kGuardBytes = 4096;

}  // namespace

Arena::Arena(std::size_t capacity_bytes, std::size_t capacity_bytes_max, Overflow overflow, Reuse reuse,
             Distance distance)
    : capacity_(std::max<std::size_t>((capacity_bytes + 63) / 64 * 64, 4096)), overflow_(overflow), reuse_(reuse) {
  if (std::max(capacity_bytes, capacity_bytes_max) > kCapacityBytesMax) {
    throw std::length_error("an arena cannot be larger than 1 GiB");
  }
  region_ = AddressRegion(capacity_, capacity_bytes_max, distance);
  block_ = region_.base();
  if (capacity_bytes_max > capacity_) capacity_ = std::min(capacity_bytes_max, region_.size_bytes()) / 64 * 64;
  if (!region_.commit(kFirstChunkOffset)) throw std::bad_alloc();
  set_slots(block_, region_.size_bytes(), this);
  reset();
}

Arena::Arena(std::span<std::byte> block)
    : block_(block.data()), capacity_(block.size() / 64 * 64), overflow_(Overflow::abort), reuse_(Reuse::whole) {
  if (block.size() > kCapacityBytesMax) throw std::length_error("an arena cannot be larger than 1 GiB");
  reset();
}

Arena::~Arena() {
  unpoison_all();
  forget_emergency();
  if (region_.base() != nullptr) set_slots(block_, region_.size_bytes(), nullptr);
  region_.note_used(high_water_);
}

Arena* Arena::containing(const void* address) noexcept {
  const std::size_t slot = slot_of(address);
  if (slot >= kSlotCount) return nullptr;
  Arena* arena = slots[slot].arena.load(std::memory_order_acquire);
  const auto word = reinterpret_cast<std::uintptr_t>(address);
  const bool is_inside = word >= slots[slot].begin.load(std::memory_order_relaxed) &&
                         word < slots[slot].end.load(std::memory_order_relaxed);
  return is_inside ? arena : nullptr;
}

Chunk& Arena::chunk_at(std::uint32_t offset) const noexcept { return *reinterpret_cast<Chunk*>(block_ + offset); }

std::uint32_t Arena::offset_of(const Chunk& chunk) const noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(&chunk) - block_);
}

void Arena::reset() noexcept {
  unpoison_all();
  forget_emergency();
  header() = ArenaHeader{};
  header().live_end = kFirstChunkOffset;
  header().constant_begin = static_cast<std::uint32_t>(capacity_ - kChunkHeaderBytes);
  std::memset(block_ + sizeof(ArenaHeader), 0, header().live_end - sizeof(ArenaHeader));
  poison_unused();
}

void Arena::set_zone(Zone zone) noexcept { header().zone = zone; }

void* Arena::allocate(std::size_t size_bytes, int kind) noexcept {
  void* payload = try_allocate(size_bytes, kind);
  return payload != nullptr ? payload : overflow(size_bytes);
}

void* Arena::try_allocate(std::size_t size_bytes, int kind) noexcept {
  Chunk* chunk = nullptr;
  if (size_bytes < capacity_) {
    const std::uint32_t chunk_bytes = chunk_bytes_for(size_bytes);
    if (header().zone == Zone::live) chunk = take_free(chunk_bytes);
    if (chunk == nullptr && chunk_bytes <= header().constant_begin - header().live_end) chunk = take_fresh(chunk_bytes);
  }
  if (chunk == nullptr) return nullptr;
  chunk->set_used(chunk->bytes(), size_bytes, kind);
  FORKMUNK_UNPOISON(chunk->payload(), size_bytes);
  std::memset(chunk->payload(), 0, size_bytes);
  return chunk->payload();
}

void* Arena::overflow(std::size_t size_bytes) noexcept {
  if (overflow_ == Overflow::abort) {
    std::fprintf(stderr,
                 "forkmunk: arena full: capacity %zu bytes, in use %zu live and %zu constant, requested %zu more\n",
                 capacity_, live_bytes(), constant_bytes(), size_bytes);
    std::abort();
  }
  overflowed_ = true;
  return allocate_emergency(*this, size_bytes);
}

void Arena::forget_emergency() noexcept {
  if (overflowed_) release_emergency_of(*this);
  overflowed_ = false;
}

// In O(1): the newest chunk of the class if it is large enough, or of the next class. With Reuse::split, also of the
// first class that has a larger one.
std::uint32_t* Arena::free_list_for(std::uint32_t chunk_bytes) const noexcept {
  if (!header().has_freed) return nullptr;
  const std::uint32_t own = class_of(chunk_bytes);
  std::uint32_t last = own < kLinearClassCount ? own : std::min(own + 1, kClassCount - 1);
  if (reuse_ == Reuse::split) last = kClassCount - 1;
  for (std::uint32_t size_class = own; size_class <= last; ++size_class) {
    std::uint32_t& head = header().free_list[size_class];
    if (head != 0 && chunk_at(head).bytes() >= chunk_bytes) return &head;
  }
  return nullptr;
}

Chunk* Arena::take_free(std::uint32_t chunk_bytes) noexcept {
  std::uint32_t* const head = free_list_for(chunk_bytes);
  if (head == nullptr) return nullptr;
  Chunk& chunk = chunk_at(*head);
  *head = chunk.link;
  if (reuse_ == Reuse::split) cut(chunk, chunk_bytes);
  return &chunk;
}

void Arena::add_free(Chunk& chunk) noexcept {
  std::uint32_t& head = header().free_list[class_of(chunk.bytes())];
  chunk.set_free(head);
  head = offset_of(chunk);
  header().has_freed = true;
}

// \pre the chunk is in no list.
void Arena::cut(Chunk& chunk, std::uint32_t chunk_bytes) noexcept {
  const std::uint32_t rest_bytes = chunk.bytes() - chunk_bytes;
  if (rest_bytes == 0) return;
  Chunk& rest = chunk_at(offset_of(chunk) + chunk_bytes);
  FORKMUNK_UNPOISON(&rest, sizeof(Chunk));
  rest.bytes_and_flags = rest_bytes;
  add_free(rest);
  chunk.bytes_and_flags -= rest_bytes;
}

// Searches a list to a fixed depth.
bool Arena::take_next(Chunk& chunk, std::uint32_t chunk_bytes) noexcept {
  constexpr int kDepth = 8;
  const std::uint32_t next_offset = offset_of(chunk) + chunk.bytes();
  if (reuse_ == Reuse::whole || next_offset >= header().live_end) return false;
  const Chunk& next = chunk_at(next_offset);
  if (next.used() || chunk.bytes() + next.bytes() < chunk_bytes) return false;
  std::uint32_t* link = &header().free_list[class_of(next.bytes())];
  for (int i = 0; *link != next_offset; link = &chunk_at(*link).link) {
    if (*link == 0 || ++i == kDepth) return false;
  }
  *link = next.link;
  chunk.bytes_and_flags += next.bytes();
  cut(chunk, chunk_bytes);
  return true;
}

// Returns null if the system has no memory.
Chunk* Arena::take_fresh(std::uint32_t chunk_bytes) noexcept {
  const std::uint32_t live = header().zone == Zone::live ? chunk_bytes : 0, constant = chunk_bytes - live;
  if (!commit(live_bytes() + live, constant_bytes() + constant)) return nullptr;
  const std::uint32_t offset = live > 0 ? header().live_end : header().constant_begin - constant;
  header().live_end += live;
  header().constant_begin -= constant;
  note_high_water();
  Chunk& chunk = chunk_at(offset);
  FORKMUNK_UNPOISON(&chunk, sizeof(Chunk));
  chunk.bytes_and_flags = chunk_bytes;
  return &chunk;
}

bool Arena::take_end(Chunk& chunk, std::uint32_t chunk_bytes) noexcept {
  const std::uint32_t offset = offset_of(chunk);
  if (offset + chunk.bytes() != header().live_end || chunk_bytes > header().constant_begin - offset ||
      !commit(offset + chunk_bytes, constant_bytes())) {
    return false;
  }
  header().live_end = offset + chunk_bytes;
  chunk.bytes_and_flags += chunk_bytes - chunk.bytes();
  note_high_water();
  return true;
}

bool Arena::try_extend(void* payload, std::size_t size_bytes) noexcept {
  Chunk& chunk = *(static_cast<Chunk*>(payload) - 1);
  FORKMUNK_CHECK(contains(payload) && chunk.used(), "try_extend(%p): not a payload of this arena", payload);
  if (size_bytes > chunk.payload_bytes()) {
    if (size_bytes >= capacity_) return false;
    const std::uint32_t chunk_bytes = chunk_bytes_for(size_bytes);
    if (!take_end(chunk, chunk_bytes) && !take_next(chunk, chunk_bytes)) return false;
  }
  const std::uint32_t old_request = chunk.requested_bytes();
  FORKMUNK_POISON(chunk.payload(), chunk.payload_bytes());
  FORKMUNK_UNPOISON(chunk.payload(), size_bytes);
  chunk.set_used(chunk.bytes(), size_bytes, chunk.kind());
  if (size_bytes > old_request) std::memset(chunk.payload() + old_request, 0, size_bytes - old_request);
  return true;
}

std::size_t Arena::reusable_bytes(std::size_t size_bytes) const noexcept {
  if (header().zone != Zone::live || size_bytes >= capacity_) return 0;
  const std::uint32_t* const head = free_list_for(chunk_bytes_for(size_bytes));
  return head == nullptr ? 0 : chunk_at(*head).payload_bytes();
}

void* Arena::reallocate(void* payload, std::size_t size_bytes) noexcept {
  if (payload == nullptr) return allocate(size_bytes);
  if (try_extend(payload, size_bytes)) return payload;
  const Chunk& chunk = *(static_cast<Chunk*>(payload) - 1);
  void* moved = allocate(size_bytes, chunk.kind());
  std::memcpy(moved, payload, chunk.requested_bytes());
  deallocate(payload);
  return moved;
}

void Arena::deallocate(void* payload) noexcept {
  if (payload == nullptr) return;
  Chunk& chunk = *(static_cast<Chunk*>(payload) - 1);
  FORKMUNK_CHECK(contains(payload) && chunk.used(), "deallocate(%p): not a used payload of this arena", payload);
  const std::uint32_t offset = offset_of(chunk);
  chunk.set_free(0);
  FORKMUNK_POISON(chunk.payload(), chunk.payload_bytes());
  // The newest chunk of a zone returns to the middle. Other constant chunks are not reused, because free lists would
  // cost more than they save.
  if (offset + chunk.bytes() == header().live_end) {
    header().live_end = offset;
    FORKMUNK_POISON(&chunk, sizeof(Chunk));
    return;
  }
  if (offset == header().constant_begin) {
    header().constant_begin += chunk.bytes();
    FORKMUNK_POISON(&chunk, sizeof(Chunk));
    return;
  }
  if (offset > header().constant_begin) return;
  add_free(chunk);
}

std::size_t Arena::live_bytes() const noexcept { return header().live_end; }

std::size_t Arena::constant_bytes() const noexcept { return capacity_ - kChunkHeaderBytes - header().constant_begin; }

bool Arena::contains(const void* address) const noexcept {
  const auto* byte = static_cast<const std::byte*>(address);
  return byte >= block_ && byte < block_ + capacity_;
}

[[gnu::no_sanitize_address]] bool Arena::has_payload_at(const void* address) const noexcept {
  if (!contains(address)) return false;
  const auto payload = static_cast<std::size_t>(static_cast<const std::byte*>(address) - block_);
  if (payload < kFirstChunkOffset + kChunkHeaderBytes || payload % kGranule != 0) return false;
  const ArenaHeader& h = header();
  const std::size_t offset = payload - kChunkHeaderBytes;
  const std::size_t end = offset < h.live_end ? h.live_end : capacity_ - kChunkHeaderBytes;
  if (offset >= h.live_end && offset < h.constant_begin) return false;
  const auto* words = reinterpret_cast<const std::uint32_t*>(block_ + offset);
  const Chunk chunk{words[0], words[1]};
  if (!chunk.used() || chunk.bytes() == 0 || chunk.bytes() > end - offset) return false;
  if (chunk.requested_bytes() > chunk.payload_bytes()) return false;
  if (offset + chunk.bytes() == end) return true;
  const Chunk next{words[chunk.bytes() / sizeof *words], 0};
  return next.bytes() != 0 && next.bytes() <= end - offset - chunk.bytes();
}

void Arena::note_high_water() noexcept {
  high_water_ = std::max(high_water_, live_bytes() + constant_bytes());
  live_end_max_ = std::max(live_end_max_, live_bytes());
}

// The constant zone ends a header and the rounded bytes before the range's end.
bool Arena::commit(std::size_t live_bytes, std::size_t constant_bytes) noexcept {
  if (!kCommits || region_.base() == nullptr) return true;
  const std::size_t after = region_.size_bytes() - capacity_ + kChunkHeaderBytes;
  return region_.commit(live_bytes, constant_bytes == 0 ? 0 : constant_bytes + after);
}

void Arena::require_memory(std::size_t live_bytes, std::size_t constant_bytes) noexcept {
  if (commit(live_bytes, constant_bytes)) return;
  std::fprintf(stderr, "forkmunk: the system has no memory for a state of %zu bytes\n", live_bytes + constant_bytes);
  std::abort();
}

void Arena::save_live(std::byte* destination) const noexcept {
  read_live([destination](std::span<const std::byte> state) { std::memcpy(destination, state.data(), state.size()); });
}

void Arena::restore_live(std::span<const std::byte> state) noexcept {
  require_memory(state.size(), constant_bytes());
  unpoison_all();
  std::memcpy(block_, state.data(), state.size());
  if (overflowed_) forget_emergency();
  note_high_water();  // the state may be larger than before
  poison_unused();
}

bool Arena::adopt(std::span<const std::byte> state) noexcept {
  if (state.size() > capacity_ - kChunkHeaderBytes || !commit(state.size(), 0)) return false;
  unpoison_all();
  std::memcpy(block_, state.data(), state.size());
  header().constant_begin = static_cast<std::uint32_t>(capacity_ - kChunkHeaderBytes);
  forget_emergency();
  note_high_water();
  poison_unused();
  return true;
}

void Arena::copy_from(const Arena& other) noexcept {
  if (other.constant_bytes() == 0 && capacity_ != other.capacity_) {
    other.unpoison_all();
    [[maybe_unused]] const bool fits = adopt({other.block_, other.live_bytes()});
    other.poison_unused();
    FORKMUNK_CHECK(fits, "copy_from: %zu bytes do not fit a capacity of %zu", other.live_bytes(), capacity_);
    return;
  }
  FORKMUNK_CHECK(capacity_ == other.capacity_, "copy_from: capacities %zu and %zu differ", capacity_, other.capacity_);
  require_memory(other.live_bytes(), other.constant_bytes());
  unpoison_all();
  other.unpoison_all();
  const std::uint32_t constant_begin = other.header().constant_begin;
  std::memcpy(block_, other.block_, other.header().live_end);
  std::memcpy(block_ + constant_begin, other.block_ + constant_begin, other.constant_bytes());
  forget_emergency();
  note_high_water();
  other.poison_unused();
  poison_unused();
}

std::uint64_t Arena::live_hash() const noexcept {
  unpoison_all();
  const std::uint64_t hash = checksum_of({block_, live_bytes()});
  poison_unused();
  return hash;
}

std::span<const std::uint32_t> Arena::free_lists() const noexcept { return header().free_list; }

// Bytes that were not requested are out of bounds, also after a restore.
void Arena::poison_unused() const noexcept {
#ifdef FORKMUNK_ASAN
  const auto poison_zone = [this](std::uint32_t begin, std::uint32_t end) {
    walk_chunks(block_, begin, end, [](std::uint32_t, Chunk& chunk) {
      const std::uint32_t asked = chunk.used() ? chunk.requested_bytes() : 0;
      FORKMUNK_POISON(chunk.payload() + asked, chunk.payload_bytes() - asked);
      return true;
    });
  };
  poison_zone(kFirstChunkOffset, header().live_end);
  poison_zone(header().constant_begin, static_cast<std::uint32_t>(capacity_ - kChunkHeaderBytes));
  const std::size_t watched_end = std::min<std::size_t>(header().constant_begin, live_end_max_ + kGuardBytes);
  FORKMUNK_POISON(block_ + header().live_end, watched_end - header().live_end);
#endif
}

void Arena::unpoison_all() const noexcept {
#ifdef FORKMUNK_ASAN
  FORKMUNK_UNPOISON(block_, std::min(capacity_, live_end_max_ + kGuardBytes));
  if (high_water_ > 0) FORKMUNK_UNPOISON(block_ + header().constant_begin, capacity_ - header().constant_begin);
#endif
}

std::optional<std::string> Arena::find_corruption() const {
  const std::uint32_t first = kFirstChunkOffset;
  const auto capacity = static_cast<std::uint32_t>(capacity_);
  const ArenaHeader& h = header();
  if (h.live_end < first || h.live_end > h.constant_begin || h.constant_begin > capacity - kChunkHeaderBytes) {
    return concat("zone borders ", h.live_end, " and ", h.constant_begin, " are impossible");
  }

  std::optional<std::string> problem;
  std::array<std::size_t, kClassCount> free_chunks{};
  const auto check_zone = [&](std::uint32_t begin, std::uint32_t end, bool live) {
    walk_chunks(block_, begin, end, [&](std::uint32_t offset, Chunk& chunk) {
      if (chunk.bytes() == 0 || chunk.bytes() % kGranule != 0 || chunk.bytes() > end - offset) {
        problem = concat("chunk at ", offset, " has impossible size ", chunk.bytes());
      } else if (chunk.used() && chunk.requested_bytes() > chunk.payload_bytes()) {
        problem = concat("chunk at ", offset, " holds a request of ", chunk.requested_bytes(), " in a payload of ",
                         chunk.payload_bytes());
      } else if (!chunk.used() && live) {
        ++free_chunks[class_of(chunk.bytes())];
      }
      return !problem;
    });
  };
  check_zone(first, h.live_end, true);
  if (!problem) check_zone(h.constant_begin, capacity - kChunkHeaderBytes, false);
  if (problem) return problem;

  for (std::uint32_t size_class = 0; size_class < kClassCount; ++size_class) {
    std::size_t listed = 0;
    for (std::uint32_t offset = h.free_list[size_class]; offset != 0; offset = chunk_at(offset).link) {
      if (offset < first || offset >= h.live_end || (offset - first) % kGranule != 0 || chunk_at(offset).used() ||
          class_of(chunk_at(offset).bytes()) != size_class || ++listed > free_chunks[size_class]) {
        return concat("free list of class ", size_class, " is broken at offset ", offset);
      }
    }
    if (listed != free_chunks[size_class]) {
      return concat("free list of class ", size_class, " holds ", listed, " of ", free_chunks[size_class],
                    " free chunks");
    }
  }
  return std::nullopt;
}

}  // namespace forkmunk::arena_alloc

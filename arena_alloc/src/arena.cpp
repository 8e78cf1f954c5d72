#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/poison.h>
#include <forkmunk/base/check.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>

namespace forkmunk::arena_alloc {
namespace {

constexpr std::uint32_t kGranule = 16;  // chunks are multiples of it; payloads are aligned to it
constexpr std::uint32_t kChunkHeaderBytes = 8;

// Size classes: one per 16 bytes up to 1 KiB, where almost every chunk is, then one per power of two.
constexpr std::uint32_t kLinearBytesMax = 1024;
constexpr std::uint32_t kLinearClassCount = kLinearBytesMax / kGranule;
constexpr std::uint32_t kClassCount = kLinearClassCount + 22;  // up to 2 GiB

// The class of a chunk of `chunk_bytes`. All chunks of a linear class are of one size; class kLinearClassCount + k has
// those of 2^(10 + k) bytes and more.
constexpr std::uint32_t class_of(std::uint32_t chunk_bytes) {
  if (chunk_bytes <= kLinearBytesMax) return chunk_bytes / kGranule - 1;
  return kLinearClassCount + static_cast<std::uint32_t>(std::bit_width(chunk_bytes)) - 11;
}

constexpr std::size_t smallest_chunk_of(std::uint32_t size_class) {
  if (size_class < kLinearClassCount) return std::size_t{size_class + 1} * kGranule;
  return std::size_t{kLinearBytesMax} << (size_class - kLinearClassCount);
}

static_assert(class_of(16) == 0 && class_of(1024) == kLinearClassCount - 1 && class_of(1040) == kLinearClassCount &&
              class_of(2048) == kLinearClassCount + 1 && class_of(1u << 31) == kClassCount - 1);

constexpr std::uint32_t chunk_bytes_for(std::size_t payload_bytes) {
  return static_cast<std::uint32_t>((payload_bytes + kChunkHeaderBytes + kGranule - 1) / kGranule * kGranule);
}

std::uint64_t hash_bytes(std::span<const std::byte> bytes) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a's basis, over 8-byte words (the zones are multiples of 8)
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

// At the block's start, part of the state. All offsets are from the block's start; 0 ends a free list.
struct Arena::Header {
  std::uint32_t live_end;        // first byte after the live zone
  std::uint32_t constant_begin;  // first byte of the constant zone
  Zone zone;
  std::uint8_t padding[3];
  std::uint32_t free_list[kClassCount];
};

struct Arena::Chunk {
  std::uint32_t bytes_and_used;  // chunk size, a multiple of 16; bit 0: in use
  std::uint32_t link;            // in use: the bytes asked for; free: offset of the next free chunk of the class

  [[nodiscard]] std::uint32_t bytes() const noexcept { return bytes_and_used & ~1u; }
  [[nodiscard]] bool used() const noexcept { return (bytes_and_used & 1u) != 0; }
  [[nodiscard]] std::uint32_t payload_bytes() const noexcept { return bytes() - kChunkHeaderBytes; }
  [[nodiscard]] std::byte* payload() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
};

namespace {
// The first chunk header stands 8 bytes before a multiple of 16, so that every payload is aligned.
constexpr std::uint32_t first_chunk_offset(std::size_t header_bytes) {
  return static_cast<std::uint32_t>((header_bytes + kChunkHeaderBytes + kGranule - 1) / kGranule * kGranule -
                                    kChunkHeaderBytes);
}
}  // namespace

Arena::Arena(std::size_t capacity_bytes) : capacity_((capacity_bytes + 63) / 64 * 64) {
  if (capacity_ > kCapacityBytesMax) throw std::length_error("an arena cannot be larger than 2 GiB");
  capacity_ = std::max<std::size_t>(capacity_, 4096);
  block_ = allocate_system(capacity_);
  reset();
}

Arena::~Arena() { unpoison_all(); }

Arena::Header& Arena::header() const noexcept { return *reinterpret_cast<Header*>(block_.get()); }

Arena::Chunk& Arena::chunk_at(std::uint32_t offset) const noexcept {
  return *reinterpret_cast<Chunk*>(block_.get() + offset);
}

std::uint32_t Arena::offset_of(const Chunk& chunk) const noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(&chunk) - block_.get());
}

void Arena::reset() noexcept {
  unpoison_all();
  header() = Header{};
  header().live_end = first_chunk_offset(sizeof(Header));
  header().constant_begin = static_cast<std::uint32_t>(capacity_ - kChunkHeaderBytes);
  std::memset(block_.get() + sizeof(Header), 0, header().live_end - sizeof(Header));
  poison_unused();
}

void Arena::set_zone(Zone zone) noexcept { header().zone = zone; }

void* Arena::allocate(std::size_t size_bytes) noexcept {
  Chunk* chunk = nullptr;
  if (size_bytes < capacity_) {
    const std::uint32_t chunk_bytes = chunk_bytes_for(size_bytes);
    if (header().zone == Zone::live) chunk = take_free(chunk_bytes);
    if (chunk == nullptr && chunk_bytes <= header().constant_begin - header().live_end) {
      chunk = &take_fresh(chunk_bytes);
    }
  }
  if (chunk == nullptr) {
    std::fprintf(stderr,
                 "forkmunk: arena full: capacity %zu bytes, in use %zu live and %zu constant, requested %zu more\n",
                 capacity_, live_bytes(), constant_bytes(), size_bytes);
    std::abort();
  }
  chunk->bytes_and_used |= 1u;
  chunk->link = static_cast<std::uint32_t>(size_bytes);
  FORKMUNK_UNPOISON(chunk->payload(), size_bytes);
  std::memset(chunk->payload(), 0, size_bytes);
  return chunk->payload();
}

// O(1): the newest free chunk of the class if it is large enough, or any of the next class, whose chunks all are.
Arena::Chunk* Arena::take_free(std::uint32_t chunk_bytes) noexcept {
  const std::uint32_t own = class_of(chunk_bytes);
  const std::uint32_t last = own < kLinearClassCount ? own : std::min(own + 1, kClassCount - 1);
  for (std::uint32_t size_class = own; size_class <= last; ++size_class) {
    std::uint32_t& head = header().free_list[size_class];
    if (head == 0 || chunk_at(head).bytes() < chunk_bytes) continue;
    Chunk& chunk = chunk_at(head);
    head = chunk.link;
    return &chunk;
  }
  return nullptr;
}

Arena::Chunk& Arena::take_fresh(std::uint32_t chunk_bytes) noexcept {
  std::uint32_t offset;
  if (header().zone == Zone::live) {
    offset = header().live_end;
    header().live_end += chunk_bytes;
  } else {
    header().constant_begin -= chunk_bytes;
    offset = header().constant_begin;
  }
  note_high_water();
  Chunk& chunk = chunk_at(offset);
  FORKMUNK_UNPOISON(&chunk, sizeof(Chunk));
  chunk.bytes_and_used = chunk_bytes;
  return chunk;
}

void* Arena::reallocate(void* payload, std::size_t size_bytes) noexcept {
  if (payload == nullptr) return allocate(size_bytes);
  Chunk& chunk = *(static_cast<Chunk*>(payload) - 1);
  FORKMUNK_CHECK(contains(payload) && chunk.used(), "reallocate(%p): not a payload of this arena", payload);

  const std::uint32_t old_request = chunk.link;
  const std::uint32_t offset = offset_of(chunk);
  const bool last = offset + chunk.bytes() == header().live_end;
  if (size_bytes > chunk.payload_bytes() && last && size_bytes < capacity_ &&
      chunk_bytes_for(size_bytes) <= header().constant_begin - offset) {
    header().live_end = offset + chunk_bytes_for(size_bytes);
    chunk.bytes_and_used = chunk_bytes_for(size_bytes) | 1u;
    note_high_water();
  }
  if (size_bytes <= chunk.payload_bytes()) {
    FORKMUNK_POISON(chunk.payload(), chunk.payload_bytes());
    FORKMUNK_UNPOISON(chunk.payload(), size_bytes);
    chunk.link = static_cast<std::uint32_t>(size_bytes);
    if (size_bytes > old_request) std::memset(chunk.payload() + old_request, 0, size_bytes - old_request);
    return payload;
  }
  void* moved = allocate(size_bytes);
  std::memcpy(moved, payload, std::min<std::size_t>(size_bytes, old_request));
  deallocate(payload);
  return moved;
}

void Arena::deallocate(void* payload) noexcept {
  if (payload == nullptr) return;
  Chunk& chunk = *(static_cast<Chunk*>(payload) - 1);
  FORKMUNK_CHECK(contains(payload) && chunk.used(), "deallocate(%p): not a used payload of this arena", payload);
  const std::uint32_t offset = offset_of(chunk);
  chunk.bytes_and_used = chunk.bytes();
  chunk.link = 0;
  FORKMUNK_POISON(chunk.payload(), chunk.payload_bytes());
  // The zone's newest chunk goes back to the middle. Another constant one is not used again: that zone is filled once,
  // and its few dead tables are not worth free lists of their own.
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
  std::uint32_t& head = header().free_list[class_of(chunk.bytes())];
  chunk.link = head;
  head = offset;
}

std::size_t Arena::live_bytes() const noexcept { return header().live_end; }

std::size_t Arena::constant_bytes() const noexcept { return capacity_ - kChunkHeaderBytes - header().constant_begin; }

bool Arena::contains(const void* address) const noexcept {
  const auto* byte = static_cast<const std::byte*>(address);
  return byte >= block_.get() && byte < block_.get() + capacity_;
}

void Arena::note_high_water() noexcept { high_water_ = std::max(high_water_, live_bytes() + constant_bytes()); }

void Arena::save_live(std::byte* destination) const noexcept {
  unpoison_all();
  std::memcpy(destination, block_.get(), header().live_end);
  poison_unused();
}

void Arena::restore_live(std::span<const std::byte> state) noexcept {
  unpoison_all();
  std::memcpy(block_.get(), state.data(), state.size());
  poison_unused();
}

void Arena::copy_from(const Arena& other) noexcept {
  FORKMUNK_CHECK(capacity_ == other.capacity_, "copy_from: capacities %zu and %zu differ", capacity_, other.capacity_);
  unpoison_all();
  other.unpoison_all();
  const std::uint32_t constant_begin = other.header().constant_begin;
  std::memcpy(block_.get(), other.block_.get(), other.header().live_end);
  std::memcpy(block_.get() + constant_begin, other.block_.get() + constant_begin, capacity_ - constant_begin);
  other.poison_unused();
  poison_unused();
  note_high_water();
}

std::uint64_t Arena::live_hash() const noexcept {
  unpoison_all();
  const std::uint64_t hash = hash_bytes({block_.get(), live_bytes()});
  poison_unused();
  return hash;
}

std::uint64_t Arena::constant_hash() const noexcept {
  unpoison_all();
  const std::uint64_t hash = hash_bytes({block_.get() + header().constant_begin, constant_bytes()});
  poison_unused();
  return hash;
}

// Calls visit(offset, chunk) for the chunks of [begin, end) and returns at the first false.
template <typename Visitor>
void Arena::walk(std::uint32_t begin, std::uint32_t end, Visitor visit) const {
  for (std::uint32_t offset = begin; offset < end;) {
    Chunk& chunk = chunk_at(offset);
    const std::uint32_t bytes = chunk.bytes();
    if (!visit(offset, chunk)) return;
    offset += bytes;
  }
}

ArenaStatistics Arena::statistics() const {
  ArenaStatistics result{capacity_, live_bytes(), constant_bytes(), high_water_, 0, {}};
  std::map<std::uint32_t, SizeClassStatistics> classes;
  walk(first_chunk_offset(sizeof(Header)), header().live_end, [&](std::uint32_t, Chunk& chunk) {
    const std::uint32_t size_class = class_of(chunk.bytes());
    auto& entry =
        classes.try_emplace(size_class, SizeClassStatistics{smallest_chunk_of(size_class), 0, 0, 0}).first->second;
    if (chunk.used()) {
      ++entry.used_count;
      entry.requested_bytes += chunk.link;
    } else {
      ++entry.free_count;
      result.free_bytes += chunk.bytes();
    }
    return true;
  });
  for (const auto& [size_class, entry] : classes) result.live_classes.push_back(entry);
  return result;
}

std::optional<std::string> Arena::find_corruption() const {
  const std::uint32_t first = first_chunk_offset(sizeof(Header));
  const auto capacity = static_cast<std::uint32_t>(capacity_);
  const Header& h = header();
  if (h.live_end < first || h.live_end > h.constant_begin || h.constant_begin > capacity - kChunkHeaderBytes) {
    return "zone borders " + std::to_string(h.live_end) + " and " + std::to_string(h.constant_begin) +
           " are impossible";
  }

  std::optional<std::string> problem;
  std::array<std::size_t, kClassCount> free_chunks{};
  const auto check_zone = [&](std::uint32_t begin, std::uint32_t end, bool live) {
    walk(begin, end, [&](std::uint32_t offset, Chunk& chunk) {
      const auto place = [offset] { return "chunk at " + std::to_string(offset); };
      if (chunk.bytes() == 0 || chunk.bytes() % kGranule != 0 || chunk.bytes() > end - offset) {
        problem = place() + " has impossible size " + std::to_string(chunk.bytes());
      } else if (chunk.used() && chunk.link > chunk.payload_bytes()) {
        problem = place() + " holds a request of " + std::to_string(chunk.link) + " in a payload of " +
                  std::to_string(chunk.payload_bytes());
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
      if (offset < first || offset >= h.live_end || chunk_at(offset).used() ||
          class_of(chunk_at(offset).bytes()) != size_class || ++listed > free_chunks[size_class]) {
        return "free list of class " + std::to_string(size_class) + " is broken at offset " + std::to_string(offset);
      }
    }
    if (listed != free_chunks[size_class]) {
      return "free list of class " + std::to_string(size_class) + " holds " + std::to_string(listed) + " of " +
             std::to_string(free_chunks[size_class]) + " free chunks";
    }
  }
  return std::nullopt;
}

// Under AddressSanitizer every byte that nobody asked for is out of bounds, also just after a restore.
void Arena::poison_unused() const noexcept {
#ifdef FORKMUNK_ASAN
  const auto poison_zone = [this](std::uint32_t begin, std::uint32_t end) {
    walk(begin, end, [](std::uint32_t, Chunk& chunk) {
      const std::uint32_t asked = chunk.used() ? chunk.link : 0;
      FORKMUNK_POISON(chunk.payload() + asked, chunk.payload_bytes() - asked);
      return true;
    });
  };
  poison_zone(first_chunk_offset(sizeof(Header)), header().live_end);
  poison_zone(header().constant_begin, static_cast<std::uint32_t>(capacity_ - kChunkHeaderBytes));
  FORKMUNK_POISON(block_.get() + header().live_end, header().constant_begin - header().live_end);
#endif
}

void Arena::unpoison_all() const noexcept {
  if (block_ != nullptr) FORKMUNK_UNPOISON(block_.get(), capacity_);
}

}  // namespace forkmunk::arena_alloc

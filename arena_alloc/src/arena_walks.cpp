// Counts and checks of whole arenas.
#include <forkmunk/arena_alloc/chunk.h>

#include <array>
#include <map>

namespace forkmunk::arena_alloc {
namespace {

constexpr std::size_t smallest_chunk_of(std::uint32_t size_class) {
  if (size_class < kLinearClassCount) return std::size_t{size_class + 1} * kGranule;
  return std::size_t{kLinearBytesMax} << (size_class - kLinearClassCount);
}

}  // namespace

ArenaStatistics Arena::statistics() const {
  ArenaStatistics result{capacity_, live_bytes(), constant_bytes(), high_water_, 0, {}};
  std::map<std::uint32_t, SizeClassStatistics> classes;
  walk_chunks(block_, kFirstChunkOffset, header().live_end, [&](std::uint32_t, Chunk& chunk) {
    const std::uint32_t size_class = class_of(chunk.bytes());
    auto& entry =
        classes.try_emplace(size_class, SizeClassStatistics{smallest_chunk_of(size_class), 0, 0, 0}).first->second;
    if (chunk.used()) {
      ++entry.used_count;
      entry.requested_bytes += chunk.requested_bytes();
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
  const std::uint32_t first = kFirstChunkOffset;
  const auto capacity = static_cast<std::uint32_t>(capacity_);
  const ArenaHeader& h = header();
  if (h.live_end < first || h.live_end > h.constant_begin || h.constant_begin > capacity - kChunkHeaderBytes) {
    return "zone borders " + std::to_string(h.live_end) + " and " + std::to_string(h.constant_begin) +
           " are impossible";
  }

  std::optional<std::string> problem;
  std::array<std::size_t, kClassCount> free_chunks{};
  const auto check_zone = [&](std::uint32_t begin, std::uint32_t end, bool live) {
    walk_chunks(block_, begin, end, [&](std::uint32_t offset, Chunk& chunk) {
      const auto name = [offset] { return "chunk at " + std::to_string(offset); };
      if (chunk.bytes() == 0 || chunk.bytes() % kGranule != 0 || chunk.bytes() > end - offset) {
        problem = name() + " has impossible size " + std::to_string(chunk.bytes());
      } else if (chunk.used() && chunk.requested_bytes() > chunk.payload_bytes()) {
        problem = name() + " holds a request of " + std::to_string(chunk.requested_bytes()) + " in a payload of " +
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
      if (offset < first || offset >= h.live_end || (offset - first) % kGranule != 0 || chunk_at(offset).used() ||
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

}  // namespace forkmunk::arena_alloc

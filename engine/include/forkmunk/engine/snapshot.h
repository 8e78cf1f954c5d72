#pragma once

#include <forkmunk/arena_alloc/system_memory.h>

#include <cstddef>
#include <cstdint>

namespace forkmunk::engine {

/// The bytes of a world at a tick, kept outside of it.
///
/// Good only for the world and the match that it was taken from; World::restore() refuses any other. Keep snapshots and
/// save into them again: a buffer that is large enough is reused, and saving then asks the system for nothing.
class Snapshot {
 public:
  Snapshot() = default;

  /// Bytes held; 0 before the first save.
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

 private:
  friend class World;
  arena_alloc::SystemBlock bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::uint64_t world_id_ = 0;  // of the world; every fork has one of its own
  std::uint64_t match_id_ = 0;  // of the match within the world
};

}  // namespace forkmunk::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>

namespace forkmunk::engine {

class World;

/// The state of a world at a tick.
///
/// The snapshot of a flat world fits every flat world in a match of the same setup, in any thread or process. The
/// snapshot of a Chipmunk world fits only that world and match. Save into the same Snapshot again to reuse its buffer.
class Snapshot {
 public:
  Snapshot() = default;

  /// Returns 0 before the first save and after a move from the snapshot.
  [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_ == nullptr ? 0 : size_; }
  [[nodiscard]] bool empty() const noexcept { return size_bytes() == 0; }
  /// Returns whether the snapshot is valid in other processes: true for flat worlds.
  [[nodiscard]] bool is_portable() const noexcept;

  /// Writes a header that names format, version, layout and match, and the state. \throws Error if the snapshot is not
  /// portable, or if `out` fails.
  void write(std::ostream& out) const;
  /// Reads the output of write(), which may come from anyone. \throws Error, which names the problem, if the bytes are
  /// not a state of the match of `world` in this version's layout, or if `world` is not a flat world with a match.
  [[nodiscard]] static Snapshot read(std::istream& in, const World& world);

 private:
  friend class WorldImplementation;

  // Keeps a block for allocate(), because it is still in the CPU's caches.
  struct Release {
    Release() noexcept : size_bytes(0) {}
    explicit Release(std::size_t size) noexcept : size_bytes(size) {}
    void operator()(std::byte* block) const noexcept;
    std::size_t size_bytes;
  };
  void allocate(std::size_t capacity);

  std::unique_ptr<std::byte, Release> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::uint64_t origin_ = 0;  // Chipmunk: the world (each fork has its own); flat: the layout
  std::uint64_t match_ = 0;   // Chipmunk: the match within the world; flat: the setup's key
};

}  // namespace forkmunk::engine

// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/error.h>

#include <cstddef>
#include <iosfwd>
#include <span>
#include <vector>

namespace forkmunk::space {

class Space;

/// A copy of the state of a Space, kept outside of the Space.
///
/// A Snapshot can be restored in its own Space, and in every other Space of this process, where its pointers are
/// translated, as fork() does. A Snapshot may outlive its Space. Save into an existing Snapshot again: a buffer that is
/// large enough is reused.
class Snapshot {
 public:
  Snapshot() = default;
  Snapshot(Snapshot&&) noexcept = default;
  Snapshot& operator=(Snapshot&&) noexcept = default;
  /// Copies the bytes.
  Snapshot(const Snapshot& other);
  Snapshot& operator=(const Snapshot& other);

  /// Returns the size of the state in bytes; 0 before the first save and after a move.
  [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_ == nullptr ? 0 : size_; }
  [[nodiscard]] bool empty() const noexcept { return size_bytes() == 0; }

  /// Writes the state for another process, machine, language or version (docs/reference/file_formats.md). Objects of
  /// the state have new addresses where it is read; the user data of a space leads to the others.
  /// \throws Error, which names the field, for a function without a name (name_code()) and for an object of make() that
  /// cannot travel; Error if `out` fails.
  void write(std::ostream& out) const;
  /// Reads one state that write() wrote, and nothing after it, so a stream may hold several states.
  ///
  /// The bytes may come from anyone, with one exception: the contents of the objects of make() are the author's.
  /// Chipmunk's functions work on every state that is read. Time and memory are linear in the number of bytes.
  /// \param memory_bytes_max  the limit of the state's memory. \throws Error that names the damage.
  [[nodiscard]] static Snapshot read(std::istream& in, std::size_t memory_bytes_max = kMemoryBytesMax);

  /// Returns the bytes that write() writes. \throws Error as write() does.
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  /// Reads exactly the bytes that to_bytes() returned. \throws Error as read() does, and for further bytes.
  [[nodiscard]] static Snapshot from_bytes(std::span<const std::byte> bytes,
                                           std::size_t memory_bytes_max = kMemoryBytesMax);

  static constexpr std::size_t kMemoryBytesMax = std::size_t{1} << 30;

 private:
  friend class Space;
  void reserve(std::size_t bytes);

  arena_alloc::SystemBlock bytes_;
  std::size_t size_ = 0;
  const std::byte* base_ = nullptr;  // where the bytes lay, of a range of so many
  std::size_t capacity_bytes_ = 0;
};

}  // namespace forkmunk::space

// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstddef>
#include <iosfwd>
#include <span>
#include <vector>

namespace forkmunk::arena_alloc {
class Arena;
}

namespace forkmunk::FORKMUNK_SPACE {

#ifdef _GLIBCXX_DEBUG  // libraries without it, whose containers differ, do not link
class [[gnu::abi_tag("debug")]] Space;
#else
class Space;
#endif

/// A copy of the state of a Space. Every Space of this process can restore it; another one than its own translates the
/// pointers, as fork() does. A Snapshot may outlive its Space.
class Snapshot {
 public:
  Snapshot() = default;
  Snapshot(Snapshot&&) noexcept = default;
  Snapshot& operator=(Snapshot&&) noexcept = default;
  Snapshot(const Snapshot& other);
  Snapshot& operator=(const Snapshot& other);

  /// Returns the size of the state; 0 before the first save and after a move.
  [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_ == nullptr ? 0 : size_; }
  [[nodiscard]] bool empty() const noexcept { return size_bytes() == 0; }

  /// Writes the state for another process, machine, language or version (docs/reference/file_formats.md). Objects have
  /// new addresses in the reader; the user data of a space leads to them. \throws Error, which names the field, for a
  /// function without a name (name_code()) and for an object of make() that cannot travel; Error if `out` fails.
  void write(std::ostream& out) const;
  /// Reads one state that write() wrote, and nothing after it, so a stream may hold several.
  ///
  /// The bytes may come from anyone, except that the contents of the objects of make() are the author's: Chipmunk's
  /// functions work on every state that is read. Time and memory are linear in the number of bytes. \param
  /// memory_bytes_max  the limit of the state's memory. \throws Error that names the damage.
  [[nodiscard]] static Snapshot read(std::istream& in, std::size_t memory_bytes_max = kMemoryBytesMax);

  /// Write to and read from memory. from_bytes() also refuses further bytes.
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  [[nodiscard]] static Snapshot from_bytes(std::span<const std::byte> bytes,
                                           std::size_t memory_bytes_max = kMemoryBytesMax);

  /// Writes the difference to `base`, a state that the reader has: a small part of write() for a state a few steps
  /// later. \throws Error as write() does.
  void write(std::ostream& out, const Snapshot& base) const;
  /// Reads one difference against `base`, from anyone, and nothing after it. \throws Error that names the damage, and
  /// for another base. A base counts by its to_bytes(), which may differ between versions.
  [[nodiscard]] static Snapshot read(std::istream& in, const Snapshot& base,
                                     std::size_t memory_bytes_max = kMemoryBytesMax);

  static constexpr std::size_t kMemoryBytesMax = std::size_t{1} << 30;

 private:
  friend class Recording;
  friend class Space;
  void reserve(std::size_t bytes);
  void take(const arena_alloc::Arena& arena);
  void take(std::span<const std::byte> bytes, const std::byte* base, std::size_t capacity_bytes);

  arena_alloc::SystemBlock bytes_;
  std::size_t size_ = 0;
  const std::byte* base_ = nullptr;  // of the saved arena
  std::size_t capacity_bytes_ = 0;
};

/// Returns the difference of two results of Snapshot::to_bytes(), uncompressed. Cost: linear in the bytes; a few
/// hundred memcpys of the state.
[[nodiscard]] std::vector<std::byte> delta_of(std::span<const std::byte> base, std::span<const std::byte> bytes);
/// Returns the bytes that delta_of() was given. The difference may come from anyone. The result's length is linear in
/// those of both arguments. \throws Error for damage, for another base, and for more than `bytes_max`.
[[nodiscard]] std::vector<std::byte> apply_delta(std::span<const std::byte> base, std::span<const std::byte> delta,
                                                 std::size_t bytes_max = Snapshot::kMemoryBytesMax);
/// Returns the length of a difference, by its first kDeltaHeaderBytes. \throws Error if they are no header.
[[nodiscard]] std::size_t delta_bytes(std::span<const std::byte> header);
inline constexpr std::size_t kDeltaHeaderBytes = 48;

}  // namespace forkmunk::FORKMUNK_SPACE

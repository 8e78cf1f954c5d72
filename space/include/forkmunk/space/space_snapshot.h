#pragma once

#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/error.h>

#include <cstddef>
#include <iosfwd>
#include <span>
#include <vector>

namespace forkmunk::space {

class Space;

/// The bytes of a Space at a moment, kept outside of it.
///
/// Good for the Space that it was taken from, and for every other in this process (the functions that it points to must
/// be there): taking it to another Space translates its pointers, as fork() does. It may outlive its Space. Keep
/// snapshots and save into them again: a buffer that is large enough is reused.
class Snapshot {
 public:
  Snapshot() = default;
  Snapshot(Snapshot&&) noexcept = default;
  Snapshot& operator=(Snapshot&&) noexcept = default;
  /// Copies the bytes.
  Snapshot(const Snapshot& other);
  Snapshot& operator=(const Snapshot& other);

  /// Bytes held; 0 before the first save, and once it was moved from.
  [[nodiscard]] std::size_t size_bytes() const noexcept { return bytes_ == nullptr ? 0 : size_; }
  [[nodiscard]] bool empty() const noexcept { return size_bytes() == 0; }

  /// Writes it for another process, on a machine with the same layouts (addresses as wide, little-endian).
  /// \throws Error that names the field if a function without a name (name_code()) would have to travel; if read()
  /// would refuse the state; and if `out` fails.
  void write(std::ostream& out) const;
  /// Reads what write() wrote, and no further: a stream may hold several. The heap's bookkeeping and everything that a
  /// space reaches are checked. Read the states of trusted peers only: a malicious author is not detected.
  /// \throws Error that names what is wrong.
  [[nodiscard]] static Snapshot read(std::istream& in);

  /// What write() writes. \throws Error as write() does.
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  /// Of to_bytes(), nothing less and nothing more. \throws Error as read() does.
  [[nodiscard]] static Snapshot from_bytes(std::span<const std::byte> bytes);

 private:
  friend class Space;
  void reserve(std::size_t bytes);

  arena_alloc::SystemBlock bytes_;
  std::size_t size_ = 0;
  const std::byte* base_ = nullptr;  // where the bytes lay, of a range of so many
  std::size_t capacity_bytes_ = 0;
};

}  // namespace forkmunk::space

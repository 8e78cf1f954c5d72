#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::chipmunk::fast {

/// Copies of what a collision test reads of shapes, to see later whether a callback has changed it.
class ShapeCopies {
 public:
  void clear() noexcept;
  /// \return the copy's number. Cost: mostly nothing where the shape has one already.
  std::uint32_t add(const cpShape* shape);
  /// \param callbacks  how many there were since clear(): a shape is compared once after each, and not before the
  /// first.
  [[nodiscard]] bool is_unchanged(std::uint32_t copy, std::uint32_t callbacks) noexcept;

 private:
  struct Copy {
    const cpShape* shape;
    std::size_t begin;             // in bytes_
    std::uint32_t compared_after;  // callbacks
    bool was_equal;
  };
  static constexpr std::size_t kSlots = 1024;

  std::vector<std::byte> bytes_;
  std::size_t used_ = 0;
  std::vector<Copy> copies_;
  std::array<std::uint16_t, kSlots> last_with_{};  // by the lowest bits of shapes' ids: the copy's number + 1
};

}  // namespace forkmunk::chipmunk::fast

#pragma once

#include <cstddef>
#include <vector>

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::chipmunk::fast {

/// Copies of what a collision test reads of shapes, to see later whether a callback has changed it.
class ShapeCopies {
 public:
  void clear() noexcept {
    used_ = 0;
    last_[0] = last_[1] = kNone;
  }
  /// \return the copy's number; that of the last copy of the shape if it is one of the last two.
  std::size_t add(const cpShape* shape);
  [[nodiscard]] bool is_unchanged(std::size_t copy) const noexcept;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::vector<std::byte> bytes_;
  std::size_t used_ = 0;
  std::size_t last_[2] = {kNone, kNone};
};

}  // namespace forkmunk::chipmunk::fast

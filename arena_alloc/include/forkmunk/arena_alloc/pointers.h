// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

/// Pointers in the data of an arena.
namespace forkmunk::arena_alloc {

// The tag is neither part of an address of a program, nor of an offset of a portable state, nor of a usual number. It
// has 24 bits against coincidence.
inline constexpr std::uint64_t kUncountedTag = 0x7ff6b10000000000u;
inline constexpr std::uint64_t kUncountedHandles = (std::uint64_t{1} << 40) - 1;

/// Returns a word for user data that hashes and comparisons skip. It holds a handle of the program, below 2^40, which
/// may differ between equal scenes. For 64-bit addresses.
[[nodiscard]] inline void* uncounted(std::uint64_t handle) noexcept {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(kUncountedTag | handle));
}
/// Returns whether `word` is a result of uncounted().
[[nodiscard]] inline bool is_uncounted(const void* word) noexcept {
  return (reinterpret_cast<std::uintptr_t>(word) & ~kUncountedHandles) == kUncountedTag;
}
/// Returns the handle that uncounted() put into `word`.
[[nodiscard]] inline std::uint64_t uncounted_handle(const void* word) noexcept {
  return reinterpret_cast<std::uintptr_t>(word) & kUncountedHandles;
}

/// Visits the pointers of an object, one by one.
class PointerVisitor {
 public:
  template <typename T>
  void operator()(T*& pointer) {
    visit(reinterpret_cast<void*&>(const_cast<std::remove_const_t<T>*&>(pointer)));
  }
  virtual void visit(void*& pointer) = 0;

 protected:
  ~PointerVisitor() = default;
};

/// A pointer that leads out of the arena.
struct OutsidePointer {
  std::string location;  ///< "body 3: userData": kind, index within the kind, field.
  const void* address;
  bool is_user_data;  ///< True: only the user follows the pointer. False: Chipmunk follows it too, and copies share its
                      ///< target.
};

}  // namespace forkmunk::arena_alloc

#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

/// Pointers in what lies in an arena.
namespace forkmunk::arena_alloc {

// No address of a program, no offset of a portable state, and no usual number: 24 bits by chance.
inline constexpr std::uint64_t kUncountedTag = 0x7ff6b10000000000u;
inline constexpr std::uint64_t kUncountedHandles = (std::uint64_t{1} << 40) - 1;

/// A word for user data that hashes and comparisons leave out: a handle of the program's, below 2^40, that may differ
/// between equal scenes. For addresses of 64 bits.
[[nodiscard]] inline void* uncounted(std::uint64_t handle) noexcept {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(kUncountedTag | handle));
}
[[nodiscard]] inline bool is_uncounted(const void* word) noexcept {
  return (reinterpret_cast<std::uintptr_t>(word) & ~kUncountedHandles) == kUncountedTag;
}
/// What uncounted() was given.
[[nodiscard]] inline std::uint64_t uncounted_handle(const void* word) noexcept {
  return reinterpret_cast<std::uintptr_t>(word) & kUncountedHandles;
}

/// Shown the pointers of an object, one by one.
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
  std::string place;  ///< "body 3: userData": the kind, its number among its kind, the field.
  const void* address;
  bool is_user_data;  ///< The user's own business; else Chipmunk follows it, and a copy would share what is there.
};

}  // namespace forkmunk::arena_alloc

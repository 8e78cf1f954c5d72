#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

/// Pointers in the data of an arena.
namespace forkmunk::arena_alloc {

// Neither an address of a program, nor an offset of a portable state, nor a usual number; 24 bits against coincidence.
inline constexpr std::uint64_t kUncountedTag = 0x7ff6b10000000000u;
inline constexpr std::uint64_t kUncountedHandles = (std::uint64_t{1} << 40) - 1;

/// A word for user data that hashes and comparisons skip: a handle of the program, below 2^40, that may differ between
/// equal scenes. For 64-bit addresses.
[[nodiscard]] inline void* uncounted(std::uint64_t handle) noexcept {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(kUncountedTag | handle));
}
[[nodiscard]] inline bool is_uncounted(const void* word) noexcept {
  return (reinterpret_cast<std::uintptr_t>(word) & ~kUncountedHandles) == kUncountedTag;
}
/// The reverse of uncounted().
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
  bool is_user_data;  ///< Only the user follows it; otherwise Chipmunk does, and a copy would share its target.
};

}  // namespace forkmunk::arena_alloc

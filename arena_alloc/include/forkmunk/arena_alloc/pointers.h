// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace forkmunk::arena_alloc {

// The tag of the words of uncounted(). No address, offset of a portable state or usual number contains it: 24 bits make
// a coincidence improbable.
inline constexpr std::uint64_t kUncountedTag = 0x7ff6b10000000000u;
inline constexpr std::uint64_t kUncountedHandles = (std::uint64_t{1} << 40) - 1;

// With addresses of 32 bits there is no room for a tag: all words of uncounted() are the address of this object.
inline constexpr char kUncountedWord = 0;

/// Returns a word for user data that hashes and comparisons skip. The word holds `handle`, below 2^40, which may differ
/// between equal scenes. With addresses of 32 bits the handle is lost.
[[nodiscard]] inline void* uncounted(std::uint64_t handle) noexcept {
  if constexpr (sizeof(void*) < 8) return const_cast<char*>(&kUncountedWord);
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(kUncountedTag | handle));
}
/// Returns whether `word` is a result of uncounted().
[[nodiscard]] inline bool is_uncounted(const void* word) noexcept {
  if constexpr (sizeof(void*) < 8) return word == &kUncountedWord;
  return (reinterpret_cast<std::uintptr_t>(word) & ~kUncountedHandles) == kUncountedTag;
}
/// Returns the handle that uncounted() put into `word`; 0 with addresses of 32 bits.
[[nodiscard]] inline std::uint64_t uncounted_handle(const void* word) noexcept {
  if constexpr (sizeof(void*) < 8) return 0;
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
  /// The kind, the index within the kind and the field, e.g. "body 3: userData".
  std::string location;
  const void* address;
  /// True if only the user follows the pointer. Otherwise Chipmunk follows the pointer too, and copies share its
  /// target.
  bool is_user_data;
};

}  // namespace forkmunk::arena_alloc

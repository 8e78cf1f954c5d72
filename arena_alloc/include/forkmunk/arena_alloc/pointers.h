// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace forkmunk::arena_alloc {

// The tag of uncounted(). No address, offset of a portable state or usual number contains these 24 bits.
inline constexpr std::uint64_t kUncountedTag = 0x7ff6b10000000000u;
inline constexpr std::uint64_t kUncountedHandles = (std::uint64_t{1} << 40) - 1;

// With addresses of 32 bits, without room for a tag, all words of uncounted() are this address.
inline constexpr char kUncountedWord = 0;

/// Returns a word for user data that hashes and comparisons skip. The word holds `handle`, below 2^40, but not with
/// addresses of 32 bits.
[[nodiscard]] inline void* uncounted(std::uint64_t handle) noexcept {
  if constexpr (sizeof(void*) < 8) return const_cast<char*>(&kUncountedWord);
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(kUncountedTag | handle));
}
[[nodiscard]] inline bool is_uncounted(const void* word) noexcept {
  if constexpr (sizeof(void*) < 8) return word == &kUncountedWord;
  return (reinterpret_cast<std::uintptr_t>(word) & ~kUncountedHandles) == kUncountedTag;
}
/// Returns the handle in `word`; 0 with addresses of 32 bits.
[[nodiscard]] inline std::uint64_t uncounted_handle(const void* word) noexcept {
  if constexpr (sizeof(void*) < 8) return 0;
  return reinterpret_cast<std::uintptr_t>(word) & kUncountedHandles;
}

/// Visits the pointers of an object.
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
  /// The kind, the index within the kind and the field: "body 3: userData".
  std::string location;
  const void* address;
  /// Only the user follows the pointer. Chipmunk follows others, and copies share their targets.
  bool is_user_data;
};

}  // namespace forkmunk::arena_alloc

#pragma once

#include <forkmunk/chipmunk/arena_state.h>

#include <concepts>
#include <cstdint>

/// What visitors of fields (fields.h) have in common.
namespace forkmunk::chipmunk {

/// Below it a word that a user keeps in a pointer is a number: no address.
inline constexpr std::uintptr_t kNumberMax = 1 << 16;

/// What a word of user data is taken for.
enum class UserWord : std::uint8_t {
  offset,     ///< It points into the arena.
  name,       ///< An address that has a name.
  uncounted,  ///< arena_alloc::uncounted()
  number,     ///< Anything else, pointers to outside with it.
};
[[nodiscard]] inline UserWord meaning_of(const void* word, std::uintptr_t base, std::uintptr_t bytes,
                                         const NamedCode& named) noexcept {
  const auto value = reinterpret_cast<std::uintptr_t>(word);
  if (value - base < bytes) return UserWord::offset;
  if (value < kNumberMax) return UserWord::number;
  if (arena_alloc::is_uncounted(word)) return UserWord::uncounted;
  return named.name_of(word) != nullptr ? UserWord::name : UserWord::number;
}

/// For visitors that let a user's function show an object's pointers: all that do not carry states to other processes.
struct CallsShowing {
  template <typename Show>
  void typed(void (*visit)(void*, PointerVisitor&), void* object, Show& show) const {
    visit(object, show);
  }
};

/// For visitors that read numbers: structures of doubles, one by one, go to `Derived::number(field, x)`, and whole
/// numbers to `Derived::integer(field, x)`.
template <typename Derived>
struct SplitsData {
  void data(const char* field, double x) { self().number(field, x); }
  template <std::integral T>
  void data(const char* field, T x) {
    self().integer(field, static_cast<std::uint64_t>(x));
  }
  void data(const char* field, cpVect x) { all(field, x.x, x.y); }
  void data(const char* field, cpBB x) { all(field, x.l, x.b, x.r, x.t); }
  void data(const char* field, const cpTransform& x) { all(field, x.a, x.b, x.c, x.d, x.tx, x.ty); }
  void data(const char* field, const cpMat2x2& x) { all(field, x.a, x.b, x.c, x.d); }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  template <typename... T>
  void all(const char* field, T... x) {
    (self().number(field, x), ...);
  }
};

}  // namespace forkmunk::chipmunk

// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/precision.h>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace forkmunk::FORKMUNK_CHIPMUNK {

/// The defects of a space, which are in no field of Chipmunk's.
struct Defects {
  unsigned bits;
};

/// A word below this number in a user's pointer is a number.
inline constexpr std::uintptr_t kNumberMax = 1 << 16;

enum class UserWord : std::uint8_t {
  offset,     ///< A pointer into the arena.
  name,       ///< An address that has a name.
  uncounted,  ///< arena_alloc::uncounted()
  number,     ///< Anything else, including pointers to the outside.
};
[[nodiscard]] inline UserWord meaning_of(const void* word, std::uintptr_t base, std::uintptr_t bytes,
                                         const NamedCode& named) noexcept {
  const auto value = reinterpret_cast<std::uintptr_t>(word);
  if (value - base < bytes) return UserWord::offset;
  // Before numbers: with 32 bits a constant's address may be as low as a number.
  if (arena_alloc::is_uncounted(word)) return UserWord::uncounted;
  if (value < kNumberMax) return UserWord::number;
  return named.name_of(word) != nullptr ? UserWord::name : UserWord::number;
}

/// Gives pointers new values: `Derived::move(p)` gets Chipmunk's, `move_user(p)` those that may be the user's.
template <typename Derived>
struct MovesPointers {
  static constexpr bool kWantsData = false;

  template <typename T>
  void pointer(const char*, T*& p) const {
    self().move(p);
  }
  void user(const char*, void*& p) const { self().move_user(p); }
  void user(const char*, std::uintptr_t& number) const {
    auto* p = reinterpret_cast<void*>(number);
    self().move_user(p);
    number = reinterpret_cast<std::uintptr_t>(p);
  }
  void word(void*& w) const { self().move_user(w); }
  template <typename T>
  void code(const char*, T&) const {}
  template <typename T>
  void data(const char*, const T&) const {}
  void bytes_at(const std::byte*, std::size_t) const {}
  void at(const char*, std::size_t) const {}

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

/// Reads numbers: `Derived::number(field, x)` gets doubles one by one, and `Derived::integer(field, x)` whole numbers.
template <typename Derived>
struct SplitsData {
  void data(const char* field, double x) { self().number(field, x); }
  template <std::integral T>
  void data(const char* field, T x) {
    self().integer(field, static_cast<std::uint64_t>(x));
  }
  void data(const char* field, Defects x) { self().integer(field, x.bits); }
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

/// Lets the user's function show the pointers of an object to `v`, and shows the rest as bytes.
template <typename V>
void visit_typed(V& v, std::byte* payload, std::size_t bytes) {
  class Pointers final : public PointerVisitor {
   public:
    Pointers(V& visitor, std::byte* object) : visitor_(visitor), next_(object) {}
    void visit(void*& pointer) override {
      auto* address = reinterpret_cast<std::byte*>(&pointer);
      rest(address);
      visitor_.user("pointer", pointer);
      next_ = address + sizeof(void*);
    }
    void rest(std::byte* end) {
      if (end > next_) visitor_.bytes_at(next_, static_cast<std::size_t>(end - next_));
    }

   private:
    V& visitor_;
    std::byte* next_;
  };
  auto& header = *reinterpret_cast<TypedHeader*>(payload);
  v.code("visit", header.visit);
  std::byte* object = payload + sizeof(TypedHeader);
  Pointers pointers(v, object);
  if (header.visit != nullptr) header.visit(object, pointers);
  pointers.rest(payload + bytes);
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK

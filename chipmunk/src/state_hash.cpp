#include "fields.h"
#include "visitors.h"

#include <forkmunk/base/hasher.h>

#include <cmath>

namespace forkmunk::chipmunk {
namespace {

std::uint64_t hash_of_name(const std::string& name) {
  Hasher hasher;
  for (const char c : name) hasher.add(static_cast<unsigned char>(c));
  return hasher.value() | 2;  // never 0 or 1
}

struct StateHasher : CallsShowing, SplitsData<StateHasher> {
  static constexpr bool kWantsData = true;
  Hasher hasher;
  std::uintptr_t base;
  std::uintptr_t bytes;
  const NamedCode& named;

  StateHasher(const arena_alloc::Arena& arena, const NamedCode& code)
      : base(reinterpret_cast<std::uintptr_t>(arena.base())), bytes(arena.capacity_bytes()), named(code) {}

  // An offset; or the name of one of Chipmunk's constants; or "something".
  void add_address(std::uintptr_t address) {
    const std::uintptr_t offset = address - base;
    hasher.add(offset < bytes ? std::uint64_t{offset} << 2 | 3 : named.hash_of(reinterpret_cast<const void*>(address)));
  }
  template <typename T>
  void pointer(const char*, T*& p) {
    add_address(reinterpret_cast<std::uintptr_t>(p));
  }
  template <typename T>
  void code(const char*, T& p) {
    hasher.add(named.hash_of(reinterpret_cast<const void*>(p)));
  }
  void user(const char*, void*& p) {
    switch (meaning_of(p, base, bytes, named)) {
      case UserWord::name: return hasher.add(named.hash_of(p));
      case UserWord::uncounted: return hasher.add(std::uint64_t{1});
      default: return word(p);
    }
  }
  void user(const char*, std::uintptr_t& number) { add_number(number); }
  void word(void*& w) { add_number(reinterpret_cast<std::uintptr_t>(w)); }
  void add_number(std::uintptr_t word) {
    hasher.add(word - base < bytes ? std::uint64_t{word - base} << 2 | 3 : std::uint64_t{word});
  }
  void bytes_at(const std::byte* p, std::size_t count) { hasher.add_bytes({p, count}); }
  void at(const char*, std::size_t) {}

  void number(const char*, double x) {
    hasher.add(std::isnan(x) ? std::uint64_t{0x7ff8000000000000u} : std::bit_cast<std::uint64_t>(x));
  }
  void integer(const char*, std::uint64_t x) { hasher.add(x); }
};

}  // namespace

void NamedCode::add(const std::string& name, const void* code, CodeType type) {
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.name == name; });
  entries_[code] = {name, hash_of_name(name), type};
}

const std::string* NamedCode::name_of(const void* code) const noexcept {
  const auto found = entries_.find(code);
  return found == entries_.end() ? nullptr : &found->second.name;
}

const void* NamedCode::find(const std::string& name) const noexcept {
  for (const auto& [code, entry] : entries_) {
    if (entry.name == name) return code;
  }
  return nullptr;
}

CodeType NamedCode::type_of(const void* code) const noexcept {
  const auto found = entries_.find(code);
  return found == entries_.end() ? CodeType::unknown : found->second.type;
}

std::uint64_t NamedCode::hash_of(const void* code) const noexcept {
  if (code == nullptr) return 0;
  const auto found = entries_.find(code);
  return found == entries_.end() ? 1 : found->second.hash;
}

std::uint64_t hash(const arena_alloc::Arena& arena, const NamedCode& code) {
  StateHasher hasher(arena, code);
  arena.for_each_chunk([&](std::uint32_t offset, arena_alloc::Chunk& chunk) {
    hasher.hasher.add(offset, chunk.bytes_and_flags, chunk.link);
    if (chunk.used()) visit_allocation(hasher, chunk.payload(), chunk.requested_bytes(), chunk.kind());
  });
  for (const std::uint32_t first_free : arena.free_lists()) hasher.hasher.add(first_free);
  return hasher.hasher.value();
}

}  // namespace forkmunk::chipmunk

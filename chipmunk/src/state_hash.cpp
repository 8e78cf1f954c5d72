// SPDX-License-Identifier: MIT
#include "fields.h"
#include "state_numbers.h"
#include "visitors.h"

#include <forkmunk/base/hasher.h>

#include <cmath>
#include <cstring>

namespace forkmunk::FORKMUNK_CHIPMUNK {
namespace {

std::uint64_t hash_of_name(const std::string& name) {
  Hasher hasher;
  for (const char c : name) hasher.add(static_cast<unsigned char>(c));
  return hasher.value() | 2;  // never 0 or 1
}

struct StateHasher : SplitsData<StateHasher> {
  static constexpr bool kWantsData = true;
  Hasher hasher;
  std::uintptr_t base;
  std::uintptr_t bytes;
  const NamedCode& named;
  const StateNumbers numbers;

  StateHasher(const arena_alloc::Arena& arena, const NamedCode& code)
      : base(reinterpret_cast<std::uintptr_t>(arena.base())),
        bytes(arena.capacity_bytes()),
        named(code),
        numbers(arena) {}

  // Adds an object's number, with the offset if it is the user's; 3 for Chipmunk's own tables.
  void add_inside(const void* address) {
    if (const std::uint32_t number = numbers.of(address); number != 0)
      return hasher.add(std::uint64_t{number} << 2 | 3);
    const StateObject* const object = numbers.user_object_around(address);
    if (object == nullptr) return hasher.add(std::uint64_t{3});
    hasher.add(std::uint64_t{numbers.of(object->payload)} << 2 | 3,
               static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - object->payload));
  }
  [[nodiscard]] bool is_inside(std::uintptr_t word) const { return word - base < bytes; }

  template <typename T>
  void pointer(const char*, T*& p) {
    if (is_inside(reinterpret_cast<std::uintptr_t>(p))) return add_inside(p);
    hasher.add(named.hash_of(p));
  }
  // These arrays hash alike, even before a space has parts.
  void pointer(const char*, cpArray*&) { hasher.add(std::uint64_t{3}); }
  template <typename T>
  void code(const char*, T& p) {
    hasher.add(named.hash_of(reinterpret_cast<const void*>(p)));
  }
  void user(const char*, void*& p) {
    switch (meaning_of(p, base, bytes, named)) {
      case UserWord::name: return hasher.add(named.hash_of(p));
      case UserWord::uncounted: return hasher.add(std::uint64_t{0});  // counts as none: it does not travel
      default: return add_word(reinterpret_cast<std::uintptr_t>(p));
    }
  }
  void user(const char*, std::uintptr_t& number) { add_word(number); }
  // Chipmunk's ~0 (any collision type) is as wide as an address.
  void add_word(std::uintptr_t word) {
    if (is_inside(word)) return add_inside(reinterpret_cast<const void*>(word));
    hasher.add(word == ~std::uintptr_t{0} ? ~std::uint64_t{0} : std::uint64_t{word});
  }
  void word(void*& w) { add_word(reinterpret_cast<std::uintptr_t>(w)); }
  void bytes_at(const std::byte* p, std::size_t count) { hasher.add_bytes({p, count}); }
  void at(const char*, std::size_t) {}

  void number(const char*, double x) {
    hasher.add(std::isnan(x) ? std::uint64_t{0x7ff8000000000000u} : std::bit_cast<std::uint64_t>(x));
  }
  void integer(const char*, std::uint64_t x) { hasher.add(x); }
  using SplitsData::data;
  // Without defects, hashes stay those of versions without this field.
  void data(const char*, Defects defects) {
    if (defects.bits != 0) hasher.add(std::uint64_t{defects.bits});
  }

  // Adds words that are addresses one by one, and the rest as bytes, because the width of an address differs.
  void add_words(std::byte* payload, std::size_t size) {
    std::size_t added = 0;
    for (std::size_t i = 0; i + sizeof(void*) <= size; i += sizeof(void*)) {
      std::uintptr_t word = 0;
      std::memcpy(&word, payload + i, sizeof word);
      if (!is_inside(word)) continue;
      bytes_at(payload + added, i - added);
      add_word(word);
      added = i + sizeof(void*);
    }
    bytes_at(payload + added, size - added);
  }

  void add_tree(layout::Tree& tree) {
    code("klass", tree.klass);
    code("velocity_function", tree.velocity_function);
    // The number of buckets, which never shrinks, decides the order of the leaves.
    hasher.add(tree.stamp, tree.leaves->entry_count, tree.leaves->bucket_count);
    if (tree.root != nullptr) add_node(*tree.root);
  }
  void add_node(layout::Node& node) {
    visit(*this, node);
    if (!node.is_leaf()) {
      add_node(*node.children.a);
      return add_node(*node.children.b);
    }
    for (layout::Pair* pair = node.leaf.pairs; pair != nullptr; pair = pair->end_at(&node).next) {
      hasher.add(pair->a.leaf == &node, numbers.of(pair->end_beyond(&node).leaf->shape), pair->id);
    }
  }
  // The order of the cells depends on the width of a C long. A query between steps changes stamps and the bins of
  // removed shapes. Neither decides a step, but the next query leaves out objects whose stamp is the hash's.
  void add_spatial_hash(layout::SpaceHash& hash) {
    code("klass", hash.klass);
    number("cell_size", hash.cell_size);
    hasher.add(static_cast<std::uint64_t>(hash.cell_count));
    layout::for_each<layout::SpaceHashHandle>(layout::set_of(reinterpret_cast<cpHashSet*>(hash.handles)),
                                              [&](const layout::SpaceHashHandle& handle, const layout::HashSetBin&) {
                                                hasher.add(numbers.of(handle.object), handle.use_count,
                                                           handle.stamp == hash.stamp);
                                              });
    for (int i = 0; i < hash.cell_count; ++i) {
      for (const layout::SpaceHashBin* bin = hash.cells[i]; bin != nullptr; bin = bin->next) {
        if (bin->handle->object == nullptr) continue;
        hasher.add(static_cast<std::uint64_t>(i), numbers.of(bin->handle->object));
      }
    }
  }
  void add_index(cpSpatialIndex* index) {
    const int kind = arena_alloc::Chunk::of(index).kind();
    if (kind == FORKMUNK_KIND_SPACE_HASH) return add_spatial_hash(*reinterpret_cast<layout::SpaceHash*>(index));
    if (kind == FORKMUNK_KIND_TREE) add_tree(layout::tree_of(index));  // others are the user's objects
  }
  void add_space(ListedSpace& listed) {
    visit(*this, listed);
    cpSpace& space = listed.space;
    for (const cpArray* array : {space.dynamicBodies, space.staticBodies, space.sleepingComponents, space.rousedBodies,
                                 space.constraints, space.arbiters}) {
      hasher.add(static_cast<std::uint64_t>(array->num));
      for (int i = 0; i < array->num; ++i) hasher.add(numbers.of(array->arr[i]));
    }
    const layout::HashSet& arbiters = layout::set_of(space.cachedArbiters);
    hasher.add(arbiters.entry_count, arbiters.bucket_count);
    for (int i = 0; i < space.postStepCallbacks->num; ++i) {
      auto* const callback = static_cast<cpPostStepCallback*>(space.postStepCallbacks->arr[i]);
      if (callback != nullptr) visit(*this, *callback);  // null: it has run
    }
    add_index(space.staticShapes);
    add_index(space.dynamicShapes);
  }
  void add(const StateObject& object) {
    hasher.add(object.kind);
    switch (object.kind) {
      case FORKMUNK_KIND_SPACE: return add_space(*reinterpret_cast<ListedSpace*>(object.payload));
      case FORKMUNK_KIND_POLY: {
        auto& poly = *reinterpret_cast<cpPolyShape*>(object.payload);
        visit_polygon(*this, poly, object.bytes);
        if (poly.planes == poly._planes) return;
        for (int i = 0; i < 2 * poly.count; ++i) visit(*this, poly.planes[i]);
        return;
      }
      case FORKMUNK_KIND_ARBITERS: {
        auto& arbiter = *reinterpret_cast<cpArbiter*>(object.payload);
        visit(*this, arbiter);
        if (arbiter.contacts == nullptr) return;
        for (int i = 0; i < arbiter.count; ++i) visit(*this, arbiter.contacts[i]);
        return;
      }
      case FORKMUNK_KIND_CONSERVATIVE: return add_words(object.payload, object.bytes);
      default:
        // Objects inside a space are visited with the space.
        if (object.bytes != 0) visit_allocation(*this, object.payload, object.bytes, object.kind);
    }
  }
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
  if (ArenaRoot* const root = root_of(arena)) hasher.pointer("main_space", root->main_space);
  for (const StateObject& object : hasher.numbers.objects()) hasher.add(object);
  return hasher.hasher.value();
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK

// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/precision.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>

/// The objects of a state in an order that no address and no size of a structure decides, so that it is the same on
/// machines with 32- and 64-bit addresses.
namespace forkmunk::FORKMUNK_CHIPMUNK {

struct StateObject {
  std::byte* payload;
  std::size_t bytes;
  int kind;
};

/// Numbers by address, for what lies in the live memory of an arena and is aligned as pointers are.
class AddressTable {
 public:
  explicit AddressTable(const arena_alloc::Arena& arena)
      : base_(reinterpret_cast<std::uintptr_t>(arena.base())),
        count_(arena.live_bytes() / sizeof(void*) + 1),
        block_(arena_alloc::allocate_system(count_ * sizeof(std::uint32_t))),
        numbers_(reinterpret_cast<std::uint32_t*>(block_.get())) {
    std::memset(numbers_, 0, count_ * sizeof(std::uint32_t));
  }
  /// Returns the number of an address; 0 for all that have none. Null takes no branch of its own, because a processor
  /// would often predict the branch wrongly.
  [[nodiscard]] std::uint32_t of(const void* address) const {
    const std::uintptr_t index = address == nullptr ? 0 : index_of(address);
    return index < count_ ? numbers_[index] : 0;
  }
  /// Returns whether an address can have a number.
  [[nodiscard]] bool contains(const void* address) const { return index_of(address) < count_; }
  /// \pre contains(address).
  void set(const void* address, std::uint32_t number) { numbers_[index_of(address)] = number; }

 private:
  // Addresses that are not aligned have indices beyond all others.
  [[nodiscard]] std::uintptr_t index_of(const void* address) const {
    return std::rotr(reinterpret_cast<std::uintptr_t>(address) - base_, std::countr_zero(sizeof(void*)));
  }

  std::uintptr_t base_;
  std::size_t count_;
  arena_alloc::SystemBlock block_;
  std::uint32_t* numbers_;
};

/// Numbers the objects of a state from 1 on. Spaces come in order of creation. Each space is followed by its static
/// body and its dynamic, static and sleeping bodies. Their shapes, joints, contacts and handlers follow in Chipmunk's
/// own order, and cached contacts by their shapes' numbers. Last come objects that are in no space, and the user's own
/// objects, both in order of creation.
class StateNumbers {
 public:
  explicit StateNumbers(const arena_alloc::Arena& arena);

  [[nodiscard]] const std::vector<StateObject>& objects() const { return objects_; }
  /// Returns the number of an object; 0 for null, Chipmunk's own tables, and all other addresses.
  [[nodiscard]] std::uint32_t of(const void* address) const {
    const std::uint32_t number = inside_.of(address);
    return number != 0 && number < kFirstPlace ? number : outside_.empty() ? 0 : number_outside(address);
  }
  /// Sets and returns numbers of parts of spaces that are no objects, such as nodes of trees. Parts without one have 0.
  /// \pre `part` lies in the arena.
  void set_place(const void* part, std::uint32_t place) { inside_.set(part, kFirstPlace + place); }
  [[nodiscard]] std::uint32_t place_of(const void* part) const {
    const std::uint32_t number = inside_.of(part);
    return number < kFirstPlace ? 0 : number - kFirstPlace;
  }
  /// Returns the user's object that contains `address`; null if there is none.
  [[nodiscard]] const StateObject* user_object_around(const void* address) const;

 private:
  static constexpr std::uint32_t kFirstPlace = std::uint32_t{1} << 31;

  [[nodiscard]] std::uint32_t number_outside(const void* address) const;
  bool add(const void* object, std::size_t bytes, int kind);
  void add_rest(const arena_alloc::Arena& arena);
  void add_space(cpSpace& space);
  void add_body(cpBody* body);
  void add_bodies(const cpArray& bodies);
  void add_contacts(const cpSpace& space);
  void add_handlers(const cpSpace& space);

  std::vector<StateObject> objects_;
  AddressTable inside_;
  std::unordered_map<const void*, std::uint32_t> outside_;
  std::vector<StateObject> user_objects_;  // sorted by address
};

}  // namespace forkmunk::FORKMUNK_CHIPMUNK

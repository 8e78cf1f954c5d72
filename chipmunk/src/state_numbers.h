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

namespace forkmunk::FORKMUNK_CHIPMUNK {

struct StateObject {
  std::byte* payload;
  std::size_t bytes;
  int kind;
};

class AddressTable {
 public:
  explicit AddressTable(const StateMemory& memory)
      : base_(memory.base),
        count_(memory.bytes.size() / sizeof(void*) + 1),
        block_(arena_alloc::allocate_system(count_ * sizeof(std::uint32_t))),
        numbers_(reinterpret_cast<std::uint32_t*>(block_.get())) {
    std::memset(numbers_, 0, count_ * sizeof(std::uint32_t));
  }
  /// Returns 0 for an address without a number. Null takes no branch of its own, which would often be mispredicted.
  [[nodiscard]] std::uint32_t of(const void* address) const {
    const std::uintptr_t index = address == nullptr ? 0 : index_of(address);
    return index < count_ ? numbers_[index] : 0;
  }
  /// Returns whether an address can have a number.
  [[nodiscard]] bool contains(const void* address) const { return index_of(address) < count_; }
  /// \pre contains(address).
  [[nodiscard]] std::uint32_t& at(const void* address) { return numbers_[index_of(address)]; }

 private:
  // Unaligned addresses have indices beyond all others.
  [[nodiscard]] std::uintptr_t index_of(const void* address) const {
    return std::rotr(reinterpret_cast<std::uintptr_t>(address) - base_, std::countr_zero(sizeof(void*)));
  }

  std::uintptr_t base_;
  std::size_t count_;
  arena_alloc::SystemBlock block_;
  std::uint32_t* numbers_;
};

/// Numbers the objects of a state from 1 on. Spaces come in order of creation, each followed by its static body and its
/// dynamic, static and sleeping bodies. Their shapes, joints, contacts and handlers follow in Chipmunk's own order, and
/// cached contacts by their shapes' numbers. Last come objects in no space, then the user's, both by creation.
class StateNumbers {
 public:
  explicit StateNumbers(const StateMemory& memory);

  [[nodiscard]] const std::vector<StateObject>& objects() const { return objects_; }
  /// Returns 0 for null, Chipmunk's own tables, and all other addresses.
  [[nodiscard]] std::uint32_t of(const void* address) const {
    const std::uint32_t number = inside_.of(address);
    return number != 0 && number < kFirstPlace ? number : outside_.empty() ? 0 : number_outside(address);
  }
  /// Numbers a part that is no object, such as a node of a tree. \return false for a part that has a number.
  /// \pre `part` is in the arena.
  bool add_place(const void* part, std::size_t place) {
    std::uint32_t& number = inside_.at(part);
    const bool is_new = number < kFirstPlace;
    number = is_new ? kFirstPlace + static_cast<std::uint32_t>(place) : number;
    return is_new;
  }
  /// Returns 0 for a part without a number.
  [[nodiscard]] std::uint32_t place_of(const void* part) const {
    const std::uint32_t number = inside_.of(part);
    return number < kFirstPlace ? 0 : number - kFirstPlace;
  }
  /// Returns null if there is none.
  [[nodiscard]] const StateObject* user_object_around(const void* address) const;

 private:
  static constexpr std::uint32_t kFirstPlace = std::uint32_t{1} << 31;

  [[nodiscard]] std::uint32_t number_outside(const void* address) const;
  void add(const void* object, std::size_t bytes, int kind);
  void add_rest();
  void add_space(cpSpace& space);
  void add_body(cpBody* body);
  void add_bodies(const cpArray& bodies);
  void add_contacts(const cpSpace& space);
  void add_handlers(const cpSpace& space);

  StateMemory at_;
  std::vector<StateObject> objects_;
  AddressTable inside_;
  std::unordered_map<const void*, std::uint32_t> outside_;
  std::vector<StateObject> user_objects_;  // sorted by address
};

}  // namespace forkmunk::FORKMUNK_CHIPMUNK

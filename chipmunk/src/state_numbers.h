// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/precision.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace forkmunk::FORKMUNK_CHIPMUNK {

/// Numbers to sort by: a sort() of another type is 3 KB more of WebAssembly.
using SortKeys = std::vector<std::array<std::uintptr_t, 3>>;

struct StateObject {
  std::byte* payload;
  std::uint32_t bytes;
  int kind;
};

class AddressTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  explicit AddressTable(const StateMemory& memory)
      : base_(memory.base),
        count_(memory.bytes.size() / sizeof(void*) + 1),
        block_(arena_alloc::allocate_system(count_ * sizeof(std::uint32_t))),
        numbers_(reinterpret_cast<std::uint32_t*>(block_.get())) {
    std::memset(numbers_, 0xff, count_ * sizeof(std::uint32_t));
  }
  /// Returns 0 for null, kNone for an address without a number.
  [[nodiscard]] std::uint32_t of(const void* address) const {
    if (address == nullptr) return 0;
    const std::uintptr_t index = index_of(address);
    return index < count_ ? numbers_[index] : kNone;
  }
  /// Returns whether an address can have a number.
  [[nodiscard]] bool contains(const void* address) const { return index_of(address) < count_; }
  /// \pre contains(address).
  [[nodiscard]] std::uint32_t& at(const void* address) const { return numbers_[index_of(address)]; }

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
    return number < kFirstPlace ? number : outside_.empty() ? 0 : number_outside(address);
  }
  /// Numbers below kFirstPlace are objects'. Parts that are no objects, such as nodes of trees, have the next ones.
  static constexpr std::uint32_t kFirstPlace = std::uint32_t{1} << 31;
  [[nodiscard]] const AddressTable& inside() const { return inside_; }
  /// Returns null if there is none.
  [[nodiscard]] const StateObject* user_object_around(const void* address) const;

 private:
  [[nodiscard]] std::uint32_t number_outside(const void* address) const;
  [[nodiscard]] std::uint32_t& place_outside(const void* address);
  [[gnu::always_inline]] void add(const void* object, std::uint32_t bytes, int kind);
  void add_rest();
  void add_space(cpSpace& space);
  void add_body(cpBody* body);
  void add_bodies(const cpArray& bodies);
  void add_contacts(const cpSpace& space);
  void add_handlers(const cpSpace& space);

  StateMemory at_;
  std::vector<StateObject> objects_;
  std::uint32_t stamped_count_ = 0;
  AddressTable inside_;
  std::unordered_map<const void*, std::uint32_t> outside_;
  std::vector<StateObject> user_objects_;  // sorted by address
};

}  // namespace forkmunk::FORKMUNK_CHIPMUNK

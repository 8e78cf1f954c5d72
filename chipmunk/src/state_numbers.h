// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// The objects of a state in an order that no address and no size of a structure decides, so that it is the same on
/// machines with 32- and 64-bit addresses.
namespace forkmunk::chipmunk {

struct StateObject {
  std::byte* payload;
  std::size_t bytes;
  int kind;
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
  [[nodiscard]] std::uint32_t of(const void* address) const;
  /// Returns the user's object that contains `address`; null if there is none.
  [[nodiscard]] const StateObject* user_object_around(const void* address) const;

 private:
  struct Slot {
    const void* address = nullptr;
    std::uint32_t number = 0;
  };
  bool add(const void* object, std::size_t bytes, int kind);
  /// Returns the objects that it adds by address.
  template <typename Condition>
  std::vector<StateObject> add_by_creation(const arena_alloc::Arena& arena, Condition has_kind);
  void add_space(cpSpace& space);
  void add_body(cpBody* body);
  void add_bodies(const cpArray& bodies);
  void add_contacts(const cpSpace& space);
  void add_handlers(const cpSpace& space);
  void grow();

  std::vector<StateObject> objects_;
  std::vector<Slot> slots_;                // open addressing, by address
  std::vector<StateObject> user_objects_;  // sorted by address
};

}  // namespace forkmunk::chipmunk

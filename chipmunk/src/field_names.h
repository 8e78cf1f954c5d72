// SPDX-License-Identifier: MIT
#pragma once

#include "fields.h"

#include <forkmunk/chipmunk/precision.h>

#include <string>

namespace forkmunk::FORKMUNK_CHIPMUNK {

/// Returns a name like "body" or "pivot joint".
[[nodiscard]] const char* name_of_kind(int kind) noexcept;

class FieldLocation {
 public:
  void enter(int kind, std::size_t number) {
    kind_ = kind;
    number_ = number;
    element_ = nullptr;
  }
  void at(const char* element, std::size_t index) {
    element_ = element;
    index_ = index;
  }
  [[nodiscard]] std::string of(const char* field) const;
  /// "body 3"
  [[nodiscard]] std::string of_object() const;
  [[nodiscard]] int kind() const { return kind_; }

 private:
  int kind_ = 0;
  std::size_t number_ = 0;
  const char* element_ = nullptr;
  std::size_t index_ = 0;
};

template <typename Visit>
void for_each_located(const arena_alloc::Arena& arena, FieldLocation& location, Visit visit) {
  std::size_t numbers[FORKMUNK_KIND_COUNT] = {};
  arena.for_each_allocation([&](std::byte* payload, std::size_t bytes, int kind) {
    location.enter(kind, kind < FORKMUNK_KIND_COUNT ? numbers[kind]++ : 0);
    visit(payload, bytes, kind);
  });
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK

// SPDX-License-Identifier: MIT
#pragma once

namespace forkmunk::arena_alloc {

class Arena;

/// While a Scope is alive, routing.h takes new memory without an owner from the Scope's arena, or, if it has none, from
/// malloc, on the thread that made the Scope. Scopes nest.
class [[nodiscard]] Scope {
 public:
  explicit Scope(Arena* arena) noexcept;
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  /// Ends the calling thread's scopes below `stack`. A trap of WebAssembly skips their destructors.
  static void abandon_below(const void* stack) noexcept;

 private:
  friend class Arena;
  Arena* arena_;
  Scope* outer_;
};

}  // namespace forkmunk::arena_alloc

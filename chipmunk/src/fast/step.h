// SPDX-License-Identifier: MIT
#pragma once

#include "fast/stock_step.h"

#include <forkmunk/base/per_thread.h>
#include <forkmunk/base/simd/kernel.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace forkmunk::FORKMUNK_CHIPMUNK::fast {

class StaleContacts;

/// Working memory of a part of a step. The memory belongs to the thread and is kept from step to step. T has the
/// content of its last use. A callback that steps another space gets another T.
template <typename T>
class Scratch {
 public:
  Scratch() : used_(acquire()) {}
  ~Scratch() { unused().push_back(std::move(used_)); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T& operator*() const noexcept { return *used_; }
  T* operator->() const noexcept { return used_.get(); }

 private:
  static std::vector<std::unique_ptr<T>>& unused() { return per_thread<std::vector<std::unique_ptr<T>>>(); }
  static std::unique_ptr<T> acquire() {
    auto& all = unused();
    if (all.empty()) {
      all.reserve(all.capacity() + 1);
      return std::make_unique<T>();
    }
    std::unique_ptr<T> last = std::move(all.back());
    all.pop_back();
    return last;
  }

  std::unique_ptr<T> used_;
};

/// An array that grows and never shrinks. Growing loses the content.
template <typename T>
class Buffer {
 public:
  [[nodiscard]] bool has_room(std::size_t count) const noexcept { return count <= capacity_; }
  /// Makes room for `count` items. Cost: nothing if there is room already.
  void reserve(std::size_t count) {
    if (has_room(count)) return;
    const std::size_t wanted = count + count / 2;
    owner_.reset(new T[wanted]);  // not zeroed; Emscripten 3.1 has no make_unique_for_overwrite
    items_ = owner_.get();
    capacity_ = wanted;
  }
  // data() is forced inline, because kernels of all SIMD targets call it.
  FORKMUNK_INLINE T* data() const noexcept { return items_; }

 private:
  std::unique_ptr<T[]> owner_;
  T* items_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Updates the moving shapes and finds the collisions: fills space->arbiters and calls begin and preSolve, as
/// cpSpaceStep() does. \pre the space is locked, and its bodies are at their positions of the step's end.
/// \return whether an arbiter is in space->arbiters twice.
bool find_collisions(cpSpace* space, StaleContacts& stale);

/// Integrates the velocities and solves contacts and joints, as cpSpaceStep() does. \pre the space is locked.
/// \param in_turn  whether contacts must be solved one by one.
void solve(cpSpace* space, cpFloat dt, cpFloat previous_dt, bool in_turn);

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast

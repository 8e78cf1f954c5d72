// SPDX-License-Identifier: MIT
#pragma once

/// An object per thread: `thread_local`, except with gcc on Windows, which frees the memory of such objects before it
/// calls their destructors. Objects without a destructor can be `thread_local` everywhere.
#if defined(__MINGW32__) && !defined(__clang__)
#define FORKMUNK_OWN_THREAD_LOCALS
#endif

#include <memory>
#include <utility>
#include <vector>

namespace forkmunk {

#ifdef FORKMUNK_OWN_THREAD_LOCALS

/// A thread's object in a slot. The system calls `destroy` when the thread ends (per_thread_windows.cpp).
struct HeldByThread {
  void (*destroy)(HeldByThread*) noexcept;
};
/// One pointer per thread, never freed.
class ThreadSlot {
 public:
  ThreadSlot();
  [[nodiscard]] HeldByThread* get() const noexcept;
  void set(HeldByThread* held) const;

 private:
  unsigned long index_;
};

/// Returns the calling thread's T, which the first call constructs. \throws std::bad_alloc and what the constructor
/// throws.
template <typename T>
T& per_thread() {
  struct Held : HeldByThread {
    T value{};
  };
  static const ThreadSlot slot;
  HeldByThread* held = slot.get();
  if (held == nullptr) {
    held = new Held{{[](HeldByThread* old) noexcept { delete static_cast<Held*>(old); }}, {}};
    slot.set(held);
  }
  return static_cast<Held*>(held)->value;
}

#else

template <typename T>
T& per_thread() {
  thread_local T value;
  return value;
}

#endif

/// Working memory of the thread, with the content of its last use. Nested uses, as by a callback, get further ones.
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

/// Where objects are destroyed before their thread ends, nothing would empty a cache of released memory.
#ifdef FORKMUNK_OWN_THREAD_LOCALS
inline constexpr bool kThreadsHaveCaches = false;
#else
inline constexpr bool kThreadsHaveCaches = true;
#endif

/// Calls end() when its thread ends, if the thread used the object. A cache that end() empties needs no destructor and
/// can be used while the thread ends.
template <void (*end)() noexcept>
struct AtThreadEnd {
  bool awaited = false;
  ~AtThreadEnd() { end(); }
};

}  // namespace forkmunk

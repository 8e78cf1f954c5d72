// SPDX-License-Identifier: MIT
#pragma once

/// An object per thread, which is destroyed when its thread ends. This is `thread_local`, except with gcc on Windows,
/// which frees the memory of `thread_local` objects before it calls their destructors. Objects without a destructor can
/// be `thread_local` everywhere.
#if defined(__MINGW32__) && !defined(__clang__)
#define FORKMUNK_OWN_THREAD_LOCALS
#endif

namespace forkmunk {

#ifdef FORKMUNK_OWN_THREAD_LOCALS

/// The object that a slot holds for a thread. The system calls `destroy` when the thread ends (per_thread_windows.cpp).
struct HeldByThread {
  void (*destroy)(HeldByThread*) noexcept;
};
/// One pointer per thread. Slots are never freed.
class ThreadSlot {
 public:
  ThreadSlot();
  [[nodiscard]] HeldByThread* get() const noexcept;
  void set(HeldByThread* held) const;

 private:
  unsigned long index_;
};

/// Returns the T of the calling thread, which the first call constructs.
/// \throws at the first call, std::bad_alloc and what the constructor of T throws.
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

/// Whether a thread may keep released memory in a cache of its own. A thread whose objects are destroyed before the
/// thread ends gets no cache, because nothing would empty the cache.
#ifdef FORKMUNK_OWN_THREAD_LOCALS
inline constexpr bool kThreadsHaveCaches = false;
#else
inline constexpr bool kThreadsHaveCaches = true;
#endif

/// Calls end() when its thread ends, if the thread used the object. A cache that end() empties has no destructor, so
/// that it can be used while the thread ends.
template <void (*end)() noexcept>
struct AtThreadEnd {
  bool awaited = false;
  ~AtThreadEnd() { end(); }
};

}  // namespace forkmunk

#pragma once

/// An object per thread that is destroyed when its thread ends: `thread_local`, but where the compiler's does not work.
/// gcc on Windows frees the memory of `thread_local` objects before it calls their destructors; those without one are
/// not concerned.
#if defined(__MINGW32__) && !defined(__clang__)
#define FORKMUNK_OWN_THREAD_LOCALS
#endif

namespace forkmunk {

#ifdef FORKMUNK_OWN_THREAD_LOCALS

/// What a slot holds for a thread; the system calls `destroy` when the thread ends (per_thread_windows.cpp).
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

/// The calling thread's T, made at its first call. \throws std::bad_alloc, and as T's constructor, at the first call.
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

}  // namespace forkmunk

// SPDX-License-Identifier: MIT
#include <forkmunk/base/per_thread.h>

#ifdef FORKMUNK_OWN_THREAD_LOCALS
#include <new>

#include <windows.h>

namespace forkmunk {
namespace {

void WINAPI end_thread(void* held) {
  if (held != nullptr) static_cast<HeldByThread*>(held)->destroy(static_cast<HeldByThread*>(held));
}

}  // namespace

ThreadSlot::ThreadSlot() : index_(::FlsAlloc(end_thread)) {
  if (index_ == FLS_OUT_OF_INDEXES) throw std::bad_alloc();
}

HeldByThread* ThreadSlot::get() const noexcept { return static_cast<HeldByThread*>(::FlsGetValue(index_)); }

void ThreadSlot::set(HeldByThread* held) const {
  if (::FlsSetValue(index_, held) != 0) return;
  held->destroy(held);
  throw std::bad_alloc();
}

}  // namespace forkmunk
#endif

#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace forkmunk::chipmunk::fast {

/// Memory that a part of a step works in: the thread's own, kept from step to step. A callback that steps another space
/// meanwhile gets another T. T's content is unspecified: what the last part that had it left there.
template <typename T>
class Scratch {
 public:
  Scratch() : used_(take()) {}
  ~Scratch() { unused().push_back(std::move(used_)); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T& operator*() const noexcept { return *used_; }
  T* operator->() const noexcept { return used_.get(); }

 private:
  static std::vector<std::unique_ptr<T>>& unused() {
    thread_local std::vector<std::unique_ptr<T>> all;
    return all;
  }
  static std::unique_ptr<T> take() {
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

}  // namespace forkmunk::chipmunk::fast

// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/base/random.h>
#include <forkmunk/search/plan.h>

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace forkmunk::search {

/// Writes the state of a planner between two decisions as bytes, or reads them into a planner with the same options.
/// Both machines must have the same byte order.
class PlannerState {
 public:
  /// Makes a state that writes into bytes().
  PlannerState() = default;
  /// Reads `bytes`, which must outlive it.
  explicit PlannerState(std::string_view bytes) : unread_(bytes), reads_(true) {}

  /// \throws Error when there is nothing left to read.
  template <typename T>
  void operator()(T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, Random>);
    if (!reads_) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
      return;
    }
    if (unread_.size() < sizeof value) throw Error("a planner's state: truncated");
    std::memcpy(&value, unread_.data(), sizeof value);
    unread_.remove_prefix(sizeof value);
  }
  /// Writes or reads 64 bits on all machines.
  void index(std::size_t& value) {
    std::uint64_t wide = value;
    (*this)(wide);
    value = static_cast<std::size_t>(wide);
  }
  void tick(int& value) {
    (*this)(value);
    if (value < 0 || value > 1'000'000'000) throw Error("a planner's state: an impossible tick");
  }
  /// \throws Error also for a command or a length that no plan has.
  template <typename Command>
  void operator()(BasicPlan<Command>& plan) {
    int ticks = plan.ticks();
    (*this)(ticks);
    if (ticks < 0 || ticks > kPlanTicksMax) throw Error("a planner's state: a plan has an impossible length");
    if (reads_) plan = BasicPlan<Command>(ticks, CommandTraits<Command>::kNone);
    for (int tick = 0; tick < ticks; ++tick) {
      auto command = static_cast<std::uint8_t>(plan.at(tick));
      (*this)(command);
      if (command >= CommandTraits<Command>::kCount) throw Error("a planner's state: a plan has an unknown command");
      plan.set(tick, static_cast<Command>(command));
    }
  }
  /// \throws Error also for another length than `ticks`.
  template <typename Command>
  void operator()(BasicPlan<Command>& plan, int ticks) {
    (*this)(plan);
    if (plan.ticks() != ticks) throw Error("a planner's state: of a planner with other options");
  }

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool at_end() const noexcept { return unread_.empty(); }

 private:
  std::string bytes_;
  std::string_view unread_;
  bool reads_ = false;
};

}  // namespace forkmunk::search

// SPDX-License-Identifier: MIT
#pragma once

#include "planning/positions.h"
#include "planning/search_signatures.h"

#include <forkmunk/planning/planner.h>

namespace forkmunk::tests {

/// FNV-1a with 64 bits.
class Fnv {
 public:
  void add(std::uint64_t value) {
    for (int i = 0; i < 8; ++i, value >>= 8) hash_ = (hash_ ^ (value & 0xff)) * 0x100000001b3u;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

inline SearchSignature signature_of(std::string_view planner_name) {
  SearchSignature signature{planner_name, 0, 0};
  Fnv plans;
  for (SearchPosition& position : search_positions()) {
    planning::PlannerOptions options;
    options.seed = 1;
    const auto planner = planning::make_planner(planner_name, options);
    planner->begin_match(position.world, engine::Player::first);
    for (int i = 0; i < 3; ++i) {
      search::Budget budget = search::Budget::of_ticks(1200);
      const planning::Decision decision = planner->decide(position.world, engine::Command::stop, budget);
      signature.ticks += decision.ticks;
      for (int tick = 0; tick < decision.plan.ticks(); ++tick) {
        plans.add(static_cast<std::uint64_t>(decision.plan.at(tick)));
      }
      position.world.step({decision.command, engine::Command::stop});
    }
  }
  signature.plans = plans.value();
  return signature;
}

}  // namespace forkmunk::tests

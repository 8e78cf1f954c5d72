#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/search/planner.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Heuristics for single maps and cars that override a planner's command, where its horizon is too short.
///
/// An override acts only while it is safe: the planner predicts no death, the opponent does not close in fast, and my
/// car is where the heuristic expects it. Each is one small function with its map and car in overrides.cpp.
namespace forkmunk::search {

struct OverrideInfo {
  std::string_view name;
  std::string_view what;  ///< One line for --help, with map and car.
};

/// bus_bumper, hole_platform, island_towards
[[nodiscard]] std::span<const OverrideInfo> overrides() noexcept;

/// The enabled overrides: none by default, because none has improved the score (docs/results/strength.md).
class Overrides {
 public:
  /// \throws Error for an unknown name.
  void enable(std::string_view name);

  struct Verdict {
    std::string_view name;
    engine::Command command = engine::Command::stop;
  };
  /// The first enabled one that applies.
  [[nodiscard]] std::optional<Verdict> apply(const engine::World& world, engine::Player me,
                                             const Decision& planned) const;

 private:
  std::vector<bool> enabled_;  // by overrides(); empty: none
};

}  // namespace forkmunk::search

#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/search/planner.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// What some maps and cars want that a planner does not see within its horizon.
///
/// A rule takes over only while it is safe: the planner foresees nobody's death, the opponent does not close in fast,
/// and my car is where the rule expects it. Each is one small function with its map and car in rules.cpp.
namespace forkmunk::search {

struct RuleInfo {
  std::string_view name;
  std::string_view what;  ///< One line for --help, with map and car.
  bool on = true;         ///< By default: whether it measured better than nothing (docs/strength.md).
};

/// bus_bumper, hole_platform, island_towards
[[nodiscard]] std::span<const RuleInfo> rules() noexcept;

/// The rules that are switched on.
class Rules {
 public:
  /// Those that are on by default.
  Rules();
  [[nodiscard]] static Rules none();
  /// \throws Error if there is none of that name.
  void switch_on(std::string_view name, bool on);

  struct Verdict {
    std::string_view rule;
    engine::Command command = engine::Command::stop;
  };
  /// The first rule that takes over, if any does.
  [[nodiscard]] std::optional<Verdict> apply(const engine::World& world, engine::Player me,
                                             const Decision& planned) const;

 private:
  std::vector<bool> on_;  // by rules()
};

}  // namespace forkmunk::search

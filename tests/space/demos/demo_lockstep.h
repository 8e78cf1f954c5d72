// SPDX-License-Identifier: MIT
#pragma once

#include "demo_branch.h"

#include <string>
#include <vector>

namespace forkmunk::space {

/// One of the scenes that a unit has.
struct DemoScene {
  std::size_t unit;
  int number;
  std::string name;  // letters, digits and _
  bool is_benchmark;
};
[[nodiscard]] std::vector<DemoScene> demo_scenes();
inline std::ostream& operator<<(std::ostream& out, const DemoScene& scene) { return out << scene.name; }

/// Steps a scene along, back and again, together with a fork and stock Chipmunk.
class Lockstep {
 public:
  static constexpr std::uint32_t kSeed = 11;  ///< With it the crane hooks its crate, and the slicer cuts.

  explicit Lockstep(const DemoScene& scene);

  /// At every 50th of `steps` steps: save, fork, 100 steps, restore, and from there 100 steps and more; each in the
  /// same states as the first time, the fork too. \return what went wrong, or nothing.
  [[nodiscard]] std::string run(std::size_t steps);

 private:
  void advance(std::size_t count, Branch* twin);
  void expect(bool holds, const std::string& failure);

  Branch main_;
  StockScene stock_;
  std::size_t at_ = 0;
  std::vector<std::uint64_t> hashes_;  // after so many steps
  std::string failure_;
};

}  // namespace forkmunk::space

// SPDX-License-Identifier: MIT
#pragma once

#include "demo_branch.h"

#include <string>
#include <vector>

namespace forkmunk::space {

struct DemoScene {
  std::size_t unit;
  int number;
  std::string name;
  bool is_benchmark;
};
[[nodiscard]] std::vector<DemoScene> demo_scenes();
inline std::ostream& operator<<(std::ostream& out, const DemoScene& scene) { return out << scene.name; }

/// Steps a scene forward, back and again, beside a fork and stock Chipmunk.
class Lockstep {
 public:
  static constexpr std::uint32_t kSeed = 11;  ///< The crane hooks its crate, and the slicer cuts.

  explicit Lockstep(const DemoScene& scene);

  /// Saves and forks at every 50th step, and compares 100 repeated steps. \return what went wrong, or "".
  [[nodiscard]] std::string run(std::size_t steps);

 private:
  void advance(std::size_t count, Branch* twin);
  void expect(bool holds, const std::string& failure);

  Branch main_;
  StockScene stock_;
  std::size_t at_ = 0;
  std::vector<std::uint64_t> hashes_;  ///< [number of steps]
  std::string failure_;
};

}  // namespace forkmunk::space

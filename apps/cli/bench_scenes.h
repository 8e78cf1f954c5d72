#pragma once

#include <string>
#include <vector>

namespace forkmunk::tools {

/// forkmunk bench --scenes.
struct SceneBenchOptions {
  bool json = false;
  std::string scene;  // empty: all
  std::vector<int> body_counts{10, 50, 200, 800};
  std::string simd;  // empty: the widest of this processor
  int repetition_count = 0;
};

/// Measures scenes in forkmunk::space and in stock Chipmunk, and prints a table or JSON.
/// \throws Error if this processor does not have options.simd.
int bench_scenes(const SceneBenchOptions& options);

}  // namespace forkmunk::tools

#pragma once

#include <forkmunk/base/build_info.h>

#include <cstddef>
#include <string>
#include <vector>

namespace forkmunk::tools {

/// forkmunk bench --batch.
struct BatchBenchOptions {
  bool json = false;
  std::vector<std::string> games;  // empty: the built-in ones
  std::vector<std::size_t> sizes{1, 8, 64, 1024, 16384};
  std::vector<std::size_t> threads;  // empty: one, and the number of cores
  int repetition_count = 0;
};

/// "forkmunk 0.1.0, GNU 12.2.0, Release, check level 1, PROCESSOR".
std::string provenance(const BuildInfo& build);

int bench_batches(const BatchBenchOptions& options);

}  // namespace forkmunk::tools

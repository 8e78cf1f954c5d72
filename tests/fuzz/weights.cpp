// SPDX-License-Identifier: MIT
#include "memory_file.h"
#include "text_input.h"

#include <forkmunk/base/error.h>
#include <forkmunk/planning/planner.h>
#include <forkmunk/player/weights_file.h>

#include <array>
#include <optional>
#include <vector>

namespace forkmunk {
namespace {

using Numbers = std::vector<std::array<double, planning::kCarKindCount>>;

template <class Read>
std::optional<Numbers> read(Read&& reader) {
  try {
    const planning::Weights weights = reader();
    planning::PlannerOptions options;
    options.weights = weights;
    (void)planning::make_planner(search::kBestPlanner, options);
    Numbers numbers;
    for (const planning::TermWeight& row : weights) numbers.push_back(row.weight);
    return numbers;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace forkmunk;
  const std::string text = tests::text_of(data, size);
  const auto alone = read([&] { return player::parse_weights(text); });
  const tests::MemoryFile file(text);
  const auto of_file = read([&] { return player::read_weights(file.path()); });
  tests::require(!alone || alone == of_file, "a file's weights are not those of its text");
  return 0;
}

#include "memory_file.h"

#include <forkmunk/base/error.h>
#include <forkmunk/player/weights_file.h>
#include <forkmunk/search/planner.h>

#include <array>
#include <optional>
#include <vector>

/// A table of weights, as text and as a file.
namespace forkmunk {
namespace {

using Numbers = std::vector<std::array<double, search::kCarKindCount>>;

template <class Read>
std::optional<Numbers> read(Read&& reader) {
  try {
    const search::Weights weights = reader();
    search::PlannerOptions options;
    options.weights = weights;
    (void)search::make_planner(search::kBestPlanner, options);
    Numbers numbers;
    for (const search::TermWeight& row : weights) numbers.push_back(row.weight);
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

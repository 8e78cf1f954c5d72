#include "memory_file.h"

#include <forkmunk/base/error.h>
#include <forkmunk/player/weights_file.h>
#include <forkmunk/search/planner.h>

#include <optional>

/// A table of weights: alone, as a file of `forkmunk tune`'s, and written again.
namespace forkmunk {
namespace {

template <class Read>
std::optional<std::string> read(Read&& reader) {
  try {
    const search::Weights weights = reader();
    const std::string written = player::to_json_text(weights);
    tests::require(player::to_json_text(player::parse_weights(written)) == written,
                   "weights that were written read back differently");
    (void)player::to_source(weights);
    search::PlannerOptions options;
    options.weights = weights;
    (void)search::make_planner(search::kBestPlanner, options);
    return written;
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

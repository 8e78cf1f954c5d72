#include "memory_file.h"

#include <forkmunk/base/error.h>
#include <forkmunk/referee/arena_log.h>
#include <forkmunk/referee/arena_report.h>

#include <algorithm>

/// The log that an arena is resumed from, and the report that is made of it.
namespace forkmunk {
namespace {

using namespace referee;

ArenaPlan plan() {
  ArenaPlan plan;
  plan.bots = {"builtin:chase", "builtin:level"};
  plan.games_per_pairing = 4;
  plan.seed = 0;
  return plan;
}

void run(const std::string& text) {
  const ArenaPlan arena = plan();
  const std::vector<ArenaGame> games = schedule(arena);
  const tests::MemoryFile file(text);
  std::vector<ArenaResult> results;
  try {
    results = ArenaLog(file.path(), arena, games).take_results();
  } catch (const Error&) {
    return;
  }
  tests::require(results.size() <= games.size(), "more games than there are");
  std::ranges::sort(results, {}, &ArenaResult::index);
  const ArenaReport report = make_report(arena, games, std::move(results), std::nullopt);
  (void)score_of(report.first);
  (void)ratings_of(report);
  for (const Conduct& conduct : report.conduct) (void)conduct.times.quantile_ms(0.99);
  // Read again: what was cut off is gone, and the rest is the same.
  tests::require(ArenaLog(file.path(), arena, games).take_results().size() == report.results.size(),
                 "a log that was opened is another one");
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  forkmunk::run(forkmunk::tests::text_of(data, size));
  return 0;
}

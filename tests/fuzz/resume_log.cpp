// SPDX-License-Identifier: MIT
#include "memory_file.h"
#include "text_input.h"
#include "tournament_log.h"

#include <forkmunk/base/error.h>
#include <forkmunk/referee/tournament_report.h>

#include <algorithm>

namespace forkmunk {
namespace {

using namespace referee;

TournamentPlan plan() {
  TournamentPlan plan;
  plan.bots = {"builtin:chase", "builtin:level"};
  plan.games_per_pairing = 4;
  plan.seed = 0;
  return plan;
}

void run(const std::string& text) {
  static const Tournament tournament(plan());
  const tests::MemoryFile file(text);
  std::vector<TournamentResult> results;
  try {
    results = TournamentLog(file.path(), tournament).take_results();
  } catch (const Error&) {
    return;
  }
  tests::require(results.size() <= tournament.games().size(), "more games than there are");
  std::ranges::sort(results, {}, &TournamentResult::index);
  const TournamentReport report = make_report(tournament, std::move(results), std::nullopt);
  (void)score_of(report.first);
  (void)ratings_of(report);
  for (const Conduct& conduct : report.conduct) (void)conduct.times.quantile_ms(0.99);
  tests::require(TournamentLog(file.path(), tournament).take_results().size() == report.results.size(),
                 "a log that was opened is another one");
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  forkmunk::run(forkmunk::tests::text_of(data, size));
  return 0;
}

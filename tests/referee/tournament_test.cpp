// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/referee/tournament.h>

#include <map>

#include <gtest/gtest.h>

namespace forkmunk::referee {
namespace {

TournamentPlan plan() {
  TournamentPlan result;
  result.bots = {"builtin:chase", "builtin:level", "builtin:genetic:ticks=20"};
  result.games_per_pairing = 2;
  result.seed = 11;
  return result;
}

using Outcome = std::tuple<std::optional<engine::Player>, std::int64_t, std::size_t>;
std::map<std::size_t, Outcome> outcomes(const std::vector<TournamentResult>& results) {
  std::map<std::size_t, Outcome> found;
  for (const TournamentResult& result : results)
    found[result.index] = {result.winner, result.ticks, result.matches.size()};
  return found;
}

TEST(Tournament, ThreadsDoNotChangeTheResults) {
  const Tournament tournament(plan());
  TournamentRun run;
  const auto alone = outcomes(TournamentRunner(tournament, run).play());
  EXPECT_EQ(alone.size(), 6u);
  run.concurrency = 4;
  std::size_t calls = 0;
  run.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_LE(done, total);
    ++calls;
  };
  EXPECT_EQ(outcomes(TournamentRunner(tournament, run).play()), alone);
  EXPECT_EQ(calls, 7u) << "at the start, and after each game";
}

TEST(Tournament, ShardsArePairsAndTogetherTheWhole) {
  const Tournament tournament(plan());
  std::map<std::size_t, Outcome> together;
  for (const char* shard : {"1/2", "2/2"}) {
    TournamentRun run;
    run.shard = parse_shard(shard);
    for (const auto& [index, outcome] : outcomes(TournamentRunner(tournament, run).play())) {
      EXPECT_EQ(index / 2 % 2, run.shard.index);
      EXPECT_TRUE(together.emplace(index, outcome).second) << index << " in two shards";
    }
  }
  EXPECT_EQ(together, outcomes(TournamentRunner(tournament, {}).play()));
  for (const char* bad : {"", "1", "0/2", "3/2", "1/2x", "-1/2", "1/99999999"})
    EXPECT_THROW((void)parse_shard(bad), Error) << bad;
}

TEST(TimeHistogram, JoinsAnswerTimesOfAllGames) {
  TimeHistogram fast, times;
  for (int i = 0; i < 99; ++i) fast.add(1);
  times.add(100);
  times.add(fast);
  EXPECT_EQ(times.count(), 100u);
  EXPECT_DOUBLE_EQ(times.mean_ms(), 1.99);
  EXPECT_NEAR(times.quantile_ms(0.99), 1, 0.1);
  EXPECT_EQ(times.quantile_ms(1), 100);
  fast.add(times);
  EXPECT_EQ(fast.max_ms, 100);
}

}  // namespace
}  // namespace forkmunk::referee

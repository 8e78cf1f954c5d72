#include <forkmunk/base/error.h>
#include <forkmunk/referee/arena_runner.h>

#include <map>

#include <gtest/gtest.h>

namespace forkmunk::referee {
namespace {

ArenaPlan plan() {
  ArenaPlan result;
  result.bots = {"builtin:chase", "builtin:level", "builtin:genetic:ticks=60"};
  result.games_per_pairing = 2;
  result.seed = 11;
  return result;
}

// What does not depend on the clock.
using Outcome = std::tuple<int, std::int64_t, std::size_t>;
std::map<std::size_t, Outcome> outcomes(const std::vector<ArenaResult>& results) {
  std::map<std::size_t, Outcome> found;
  for (const ArenaResult& result : results) found[result.index] = {result.winner, result.ticks, result.matches.size()};
  return found;
}

TEST(ArenaRunner, ThreadsDoNotChangeTheResults) {
  const ArenaPlan arena = plan();
  const std::vector<ArenaGame> games = schedule(arena);
  ArenaRun run;
  const auto alone = outcomes(run_arena(arena, games, run));
  EXPECT_EQ(alone.size(), 6u);
  run.concurrency = 4;
  std::size_t told = 0;
  run.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_LE(done, total);
    ++told;
  };
  EXPECT_EQ(outcomes(run_arena(arena, games, run)), alone);
  EXPECT_EQ(told, 6u);
}

TEST(ArenaRunner, ShardsArePairsAndTogetherTheWhole) {
  const ArenaPlan arena = plan();
  const std::vector<ArenaGame> games = schedule(arena);
  std::map<std::size_t, Outcome> together;
  for (const char* shard : {"1/2", "2/2"}) {
    ArenaRun run;
    run.shard = parse_shard(shard);
    for (const auto& [index, outcome] : outcomes(run_arena(arena, games, run))) {
      EXPECT_EQ(index / 2 % 2, run.shard.index);
      EXPECT_TRUE(together.emplace(index, outcome).second) << index << " in two shards";
    }
  }
  EXPECT_EQ(together, outcomes(run_arena(arena, games, {})));
  for (const char* bad : {"", "1", "0/2", "3/2", "1/2x", "-1/2", "1/99999999"})
    EXPECT_THROW((void)parse_shard(bad), Error) << bad;
}

}  // namespace
}  // namespace forkmunk::referee

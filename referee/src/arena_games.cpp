#include <forkmunk/base/error.h>
#include <forkmunk/base/random.h>
#include <forkmunk/referee/arena_games.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/match_list.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace forkmunk::referee {

std::vector<ArenaGame> schedule(const ArenaPlan& plan) {
  if (plan.games_per_pairing == 0 || plan.games_per_pairing % 2 != 0) {
    throw Error(fmt::format("--games: found {}, expected an even number: every pair of games is played from both seats",
                            plan.games_per_pairing));
  }
  const std::size_t pairings = plan.bots.size() * (plan.bots.size() - 1) / 2;
  if (pairings > kArenaGamesMax || plan.games_per_pairing > kArenaGamesMax / std::max<std::size_t>(pairings, 1)) {
    throw Error(fmt::format("--games: found {} for each of {} pairings, expected at most {} games in all",
                            plan.games_per_pairing, pairings, kArenaGamesMax));
  }
  std::vector<ArenaGame> games;
  for (std::size_t a = 0; a < plan.bots.size(); ++a) {
    for (std::size_t b = a + 1; b < plan.bots.size(); ++b) {
      for (std::size_t pair = 0; pair < plan.games_per_pairing / 2; ++pair) {
        // Every pairing meets on the same matches, whatever the number of games.
        Random random = Random::stream(plan.seed, pair);
        const std::uint64_t seed = random.next();
        games.push_back({games.size(), {a, b}, seed});
        games.push_back({games.size(), {b, a}, seed});
      }
    }
  }
  return games;
}

void TimeHistogram::add(double ms) {
  const double us = std::max(ms * 1000, 1e-3);
  ++buckets_[static_cast<int>(std::floor(std::log2(us) * 8))];
  ++count_;
  total_ms_ += ms;
  max_ms_ = std::max(max_ms_, ms);
}

void TimeHistogram::add(const TimeHistogram& other) {
  for (const auto& [bucket, count] : other.buckets_) buckets_[bucket] += count;
  count_ += other.count_;
  total_ms_ += other.total_ms_;
  max_ms_ = std::max(max_ms_, other.max_ms_);
}

TimeHistogram TimeHistogram::from(const Data& data) {
  TimeHistogram histogram;
  histogram.buckets_ = data.buckets;
  for (const auto& [bucket, count] : data.buckets) histogram.count_ += count;
  histogram.total_ms_ = data.total_ms;
  histogram.max_ms_ = data.max_ms;
  return histogram;
}

double TimeHistogram::mean_ms() const noexcept { return count_ == 0 ? 0 : total_ms_ / static_cast<double>(count_); }

double TimeHistogram::quantile_ms(double p) const noexcept {
  const double rank = std::ceil(p * static_cast<double>(count_));
  double passed = 0;
  for (const auto& [bucket, count] : buckets_) {
    passed += static_cast<double>(count);
    if (passed >= rank) return std::min(max_ms_, std::exp2((bucket + 1) / 8.0) / 1000);
  }
  return max_ms_;
}

ArenaResult play_arena_game(const ArenaPlan& plan, const ArenaGame& game) {
  Random random(game.seed);
  const MatchList matches = draw_matches(random);
  const GamePlan game_plan{matches.setups, plan.physics, random.next()};
  std::array<std::unique_ptr<Bot>, 2> bots;
  for (std::size_t seat = 0; seat < 2; ++seat) {
    bots[seat] = make_bot(plan.bots[game.seats[seat]], random.next(), plan.limits);
  }
  const bool watched = plan.on_lost && (game.seats[0] == 0 || game.seats[1] == 0);
  GameRecord record;
  const GameResult played = play_game(game_plan, *bots[0], *bots[1], watched ? &record : nullptr);

  ArenaResult result;
  result.index = game.index;
  result.lives = played.lives;
  result.winner = played.winner ? static_cast<int>(index_of(*played.winner)) + 1 : 0;
  result.ticks = played.ticks;
  result.verdict = played.verdict;
  if (watched && result.winner != 0 && game.seats[static_cast<std::size_t>(result.winner) - 1] != 0) {
    for (std::size_t seat = 0; seat < 2; ++seat) record.recording.player_ids[seat] = plan.bots[game.seats[seat]];
    result.page = plan.on_lost(game, {std::move(record), matches.names, played});
  }
  for (std::size_t m = 0; m < played.matches.size(); ++m) {
    ArenaResult::Match& match = result.matches.emplace_back();
    match.name = matches.names[m];
    match.ticks = played.matches[m].ticks;
    match.died = played.matches[m].died;
    for (std::size_t seat = 0; seat < 2; ++seat) {
      if (match.died[seat]) match.causes[seat] = to_string(played.matches[m].cause[seat]);
    }
  }
  for (std::size_t seat = 0; seat < 2; ++seat) {
    for (const double ms : played.players[seat].answer_ms) result.times[seat].add(ms);
    result.garbled[seat] = played.players[seat].garbled_answers;
    if (played.players[seat].disconnected) result.verdicts[seat] = played.players[seat].verdict;
  }
  return result;
}

}  // namespace forkmunk::referee

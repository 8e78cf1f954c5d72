// SPDX-License-Identifier: MIT
#include "tournament_log.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/base/printable.h>
#include <forkmunk/base/random.h>
#include <forkmunk/referee/match_list.h>
#include <forkmunk/referee/tournament.h>
#include <forkmunk/referee/tournament_report.h>
#include <forkmunk/referee/workers.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace forkmunk::referee {
namespace {

using statistics::SprtDecision;

std::vector<TournamentGame> schedule(const TournamentPlan& plan) {
  if (plan.games_per_pairing == 0 || plan.games_per_pairing % 2 != 0) {
    throw Error(fmt::format("--games: {} is not an even number; games are played in pairs with exchanged seats",
                            plan.games_per_pairing));
  }
  const std::size_t pairings = plan.bots.size() * (plan.bots.size() - 1) / 2;
  if (pairings > kTournamentGamesMax ||
      plan.games_per_pairing > kTournamentGamesMax / std::max<std::size_t>(pairings, 1)) {
    throw Error(fmt::format("--games: {} for each of {} pairings; the limit is {} games in total",
                            plan.games_per_pairing, pairings, kTournamentGamesMax));
  }
  std::vector<TournamentGame> games;
  // Logs identify games by numbers, which must not depend on their count.
  for (std::size_t pair = 0; pair < plan.games_per_pairing / 2; ++pair) {
    Random random = Random::stream(plan.seed, pair);
    const std::uint64_t seed = random.next();  // the same matches for every pairing
    for (std::size_t a = 0; a < plan.bots.size(); ++a) {
      for (std::size_t b = a + 1; b < plan.bots.size(); ++b) {
        games.push_back({games.size(), {a, b}, seed});
        games.push_back({games.size(), {b, a}, seed});
      }
    }
  }
  return games;
}

}  // namespace

TournamentRunner::TournamentRunner(const Tournament& tournament, const TournamentRun& run)
    : tournament_(tournament), run_(run), results_(tournament.games().size()), end_(results_.size()) {
  if (run_.log.empty()) return;
  log_ = std::make_unique<TournamentLog>(run_.log, tournament_);
  for (TournamentResult& result : log_->take_results()) results_[result.index] = std::move(result);
  played_ = static_cast<std::size_t>(std::ranges::count_if(results_, [](const auto& r) { return r.has_value(); }));
  check_sprt();
}

TournamentRunner::~TournamentRunner() = default;

std::vector<TournamentResult> TournamentRunner::play() {
  missing_ = 0;
  for (std::size_t i = 0; i < end_; ++i) missing_ += is_missing(i) ? 1 : 0;
  if (run_.progress) run_.progress(played_, played_ + missing_);
  const std::size_t players = std::max<std::size_t>(std::min(run_.concurrency, missing_), 1);
  // With other ranks, the first worker distributes games and plays none.
  std::atomic<bool> distributes{run_.ranks == nullptr};
  run_workers(players + (run_.ranks != nullptr ? 1 : 0), [&](std::atomic<bool>& stop) {
    if (!distributes.exchange(true)) return hand_out(stop);
    while (const TournamentGame* game = stop ? nullptr : next()) take(tournament_.play(*game));
  });
  return results();
}

std::vector<TournamentResult> TournamentRunner::results() const {
  const std::scoped_lock lock(mutex_);
  // Games beyond the test's end depend on the number of threads.
  std::vector<TournamentResult> played;
  for (std::size_t i = 0; i < end_; ++i) {
    if (results_[i]) played.push_back(*results_[i]);  // games of other shards may be missing
  }
  return played;
}

void TournamentRunner::hand_out(std::atomic<bool>& stop) {
  const auto next_piece = [this]() -> std::optional<std::string> {
    const TournamentGame* game = next();
    if (game == nullptr) return std::nullopt;
    return std::to_string(game->index);
  };
  const auto take_line = [this](const std::string& line) {
    std::optional<TournamentResult> result = parse_line(line, tournament_);
    if (!result) throw Error("a rank returned a game that is not in this tournament");
    take(std::move(*result));
  };
  run_.ranks->serve(next_piece, take_line, stop);
}

void TournamentRunner::take(TournamentResult result) {
  const std::scoped_lock lock(mutex_);
  if (log_) log_->append(result);
  const std::size_t index = result.index;
  results_[index] = std::move(result);
  ++played_;
  if (run_.progress) run_.progress(played_, played_ + --missing_);
  check_sprt();
}

// Both games of a pair belong to the same shard.
bool TournamentRunner::is_missing(std::size_t game) const {
  return !results_[game] && game / 2 % run_.shard.count == run_.shard.index;
}

const TournamentGame* TournamentRunner::next() {
  const std::scoped_lock lock(mutex_);
  while (next_ < end_ && !is_missing(next_)) ++next_;
  if (next_ >= end_) return nullptr;
  return &tournament_.games()[next_++];
}

// Counts pairs in order, so that the order of finishing does not matter.
void TournamentRunner::check_sprt() {
  if (!run_.sprt) return;
  for (; settled_ + 1 < end_ && results_[settled_] && results_[settled_ + 1]; settled_ += 2) {
    pairs_.add(result_for(*results_[settled_], 0), result_for(*results_[settled_ + 1], 1));
    if (sprt_decision(log_likelihood_ratio(pairs_, *run_.sprt), *run_.sprt) != SprtDecision::undecided)
      end_ = settled_ + 2;
  }
}

Shard parse_shard(const std::string& text) {
  constexpr std::size_t kCountMax = 1'000'000;
  std::size_t index = 0, count = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%zu/%zu%c", &index, &count, &rest) != 2 || index < 1 || index > count ||
      count > kCountMax) {
    throw Error("--shard: ", excerpt(text), " is not I/N with I from 1 to N");
  }
  return {index - 1, count};
}

Tournament::Tournament(TournamentPlan plan) : plan_(std::move(plan)), games_(schedule(plan_)) {
  for (const std::string& bot : plan_.bots) bots_.push_back(parse_bot(bot));
}

void Tournament::follow(const TournamentRun& run) const {
  run.ranks->follow(run.concurrency,
                    [&](const std::string& piece) { return to_line(*this, play(games_.at(std::stoul(piece)))); });
}

TournamentResult Tournament::play(const TournamentGame& game) const {
  Random random(game.seed);
  const MatchList matches = draw_matches(random);
  const GamePlan game_plan{matches.setups, plan_.physics, random.next()};
  std::array<std::unique_ptr<Bot>, 2> bots;
  for (std::size_t seat = 0; seat < 2; ++seat) bots[seat] = bots_[game.seats[seat]](random.next(), plan_.limits, false);
  const GameResult played = play_game(game_plan, *bots[0], *bots[1], nullptr);

  TournamentResult result;
  result.index = game.index;
  result.lives = played.lives;
  result.winner = played.winner;
  result.ticks = played.ticks;
  result.verdict = played.verdict;
  for (std::size_t m = 0; m < played.matches.size(); ++m) {
    result.matches.push_back({matches.names[m], played.matches[m]});
  }
  for (std::size_t seat = 0; seat < 2; ++seat) {
    for (const double ms : played.players[seat].answer_ms) result.times[seat].add(ms);
    result.garbled[seat] = played.players[seat].garbled_answers;
    result.surplus_lines[seat] = played.players[seat].surplus_lines;
    if (played.players[seat].disconnected) result.verdicts[seat] = played.players[seat].verdict;
  }
  return result;
}

void TimeHistogram::add(double ms) {
  const double us = std::max(ms * 1000, 1e-3);
  ++buckets[static_cast<int>(std::floor(std::log2(us) * 8))];
  total_ms += ms;
  max_ms = std::max(max_ms, ms);
}

void TimeHistogram::add(const TimeHistogram& other) {
  for (const auto& [bucket, count] : other.buckets) buckets[bucket] += count;
  total_ms += other.total_ms;
  max_ms = std::max(max_ms, other.max_ms);
}

std::size_t TimeHistogram::count() const noexcept {
  std::size_t sum = 0;
  for (const auto& [bucket, count] : buckets) sum += count;
  return sum;
}

double TimeHistogram::mean_ms() const noexcept { return buckets.empty() ? 0 : total_ms / static_cast<double>(count()); }

double TimeHistogram::quantile_ms(double p) const noexcept {
  const double rank = std::ceil(p * static_cast<double>(count()));
  double passed = 0;
  for (const auto& [bucket, count] : buckets) {
    passed += static_cast<double>(count);
    if (passed >= rank) return std::min(max_ms, std::exp2((bucket + 1) / 8.0) / 1000);
  }
  return max_ms;
}

using statistics::Result;
using statistics::Score;

std::optional<Score> score_of(const Standing& standing) {
  if (2 * standing.pairs.pairs() == standing.games.games()) return statistics::score_of(standing.pairs);
  return statistics::score_of(standing.games);
}

std::vector<statistics::Rating> ratings_of(const TournamentReport& report) {
  std::vector<statistics::Pairing> pairings;
  for (const auto& [bots, standing] : report.pairings) pairings.push_back({bots.first, bots.second, standing.games});
  return statistics::ratings_of(report.plan.bots.size(), pairings);
}

Result result_for(const TournamentResult& result, std::size_t seat) noexcept {
  if (!result.winner) return Result::draw;
  return index_of(*result.winner) == seat ? Result::win : Result::loss;
}

void Standing::add(const TournamentResult& result, std::size_t seat) {
  games.add(result_for(result, seat));
  lives[0] += static_cast<std::size_t>(result.lives[seat]);
  lives[1] += static_cast<std::size_t>(result.lives[1 - seat]);
  for (const auto& [name, outcome] : result.matches) {
    MatchTally& tally = by_map_car[name];
    ++tally.matches;
    tally.ticks += static_cast<std::size_t>(outcome.ticks);
    if (outcome.died[0] == outcome.died[1]) {
      ++tally.draws;
    } else {
      ++(outcome.died[seat] ? tally.losses : tally.wins);
    }
  }
}

TournamentReport make_report(const Tournament& tournament, std::vector<TournamentResult> results,
                             const std::optional<statistics::SprtOptions>& sprt) {
  TournamentReport report;
  report.plan = tournament.plan();
  for (std::string& bot : report.plan.bots) bot = printable(bot);
  report.sprt = sprt;
  report.conduct.resize(report.plan.bots.size());
  std::ranges::sort(results, {}, &TournamentResult::index);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const TournamentResult& result = results[i];
    const TournamentGame& game = tournament.games()[result.index];
    const std::size_t a = std::min(game.seats[0], game.seats[1]);
    const std::size_t seat_of_a = game.seats[0] == a ? 0 : 1;
    Standing& pairing = report.pairings[{a, std::max(game.seats[0], game.seats[1])}];
    pairing.add(result, seat_of_a);
    if (a == 0) report.first.add(result, seat_of_a);
    const bool completes_pair = result.index % 2 == 1 && i > 0 && results[i - 1].index + 1 == result.index;
    if (completes_pair) {
      const Result before = result_for(results[i - 1], 1 - seat_of_a);
      pairing.pairs.add(before, result_for(result, seat_of_a));
      if (a == 0) report.first.pairs.add(before, result_for(result, seat_of_a));
    }
    if (!result.verdict.empty()) {
      ++report.broken_off;
      report.last_verdict = result.verdict;
    }
    for (std::size_t seat = 0; seat < 2; ++seat) {
      Conduct& conduct = report.conduct[game.seats[seat]];
      conduct.times.add(result.times[seat]);
      conduct.garbled += result.garbled[seat];
      conduct.surplus_lines += result.surplus_lines[seat];
      if (result.verdicts[seat].empty()) continue;
      ++conduct.disconnections;
      conduct.last_verdict = result.verdicts[seat];
    }
  }
  if (sprt) {
    report.llr = log_likelihood_ratio(report.first.pairs, *sprt);
    report.decision = sprt_decision(report.llr, *sprt);
  }
  report.results = std::move(results);
  return report;
}

}  // namespace forkmunk::referee

// SPDX-License-Identifier: MIT
#include <forkmunk/base/printable.h>
#include <forkmunk/referee/tournament_report.h>

#include <algorithm>

namespace forkmunk::referee {

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
  for (std::string& bot : report.plan.bots) bot = printable(bot);  // the names are for display only from here on
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

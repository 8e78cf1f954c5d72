#include "arena_line.h"
#include "workers.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/referee/arena_report.h>
#include <forkmunk/referee/arena_runner.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <thread>

namespace forkmunk::referee {
namespace {

using statistics::SprtDecision;

// A result on its way from one rank to another: its line, and the page that was written.
std::string to_text(const ArenaPlan& plan, const ArenaGame& game, const ArenaResult& result) {
  return to_line(plan, game, result) + '\n' + result.page;
}

ArenaResult from_text(const std::string& text, const ArenaPlan& plan, const std::vector<ArenaGame>& games) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::optional<ArenaResult> result = parse_arena_line(std::string_view(text).substr(0, end), plan, games);
  if (!result) throw Error("a rank played a game that there is not");
  result->page = text.substr(std::min(end + 1, text.size()));
  return std::move(*result);
}

class Runner {
 public:
  Runner(const ArenaPlan& plan, const std::vector<ArenaGame>& games, const ArenaRun& run)
      : plan_(plan), games_(games), run_(run), results_(games.size()) {
    if (run_.log == nullptr) return;
    for (ArenaResult& result : run_.log->take_results()) results_[result.index] = std::move(result);
    played_ = static_cast<std::size_t>(std::ranges::count_if(results_, [](const auto& r) { return r.has_value(); }));
    check_sprt();
  }

  std::vector<ArenaResult> run() {
    const std::size_t left = count_missing();
    const std::size_t players = std::max<std::size_t>(std::min(run_.concurrency, left), 1);
    const auto leader = std::this_thread::get_id();
    // Where there are other ranks, this thread hands games out, and plays none.
    run_workers(players + (run_.ranks != nullptr ? 1 : 0), [&](std::atomic<bool>& stop) {
      run_.ranks != nullptr&& std::this_thread::get_id() == leader ? hand_out(stop) : work(stop);
    });
    // What was played beyond the test's end is left out: it depends on the number of threads.
    std::vector<ArenaResult> played;
    for (std::size_t i = 0; i < end_; ++i) {
      if (results_[i]) played.push_back(std::move(*results_[i]));  // another shard's may be missing
    }
    for (std::size_t i = end_; i < results_.size(); ++i) {
      if (results_[i] && !results_[i]->page.empty()) std::filesystem::remove(results_[i]->page);
    }
    return played;
  }

 private:
  void work(const std::atomic<bool>& stop) {
    while (const ArenaGame* game = stop ? nullptr : next()) {
      take(play_arena_game(plan_, *game));
    }
  }

  void hand_out(std::atomic<bool>& stop) {
    const auto next_piece = [this]() -> std::optional<std::string> {
      const ArenaGame* game = next();
      if (game == nullptr) return std::nullopt;
      return std::to_string(game->index);
    };
    run_.ranks->serve(
        next_piece, [this](const std::string& text) { take(from_text(text, plan_, games_)); }, stop);
  }

  void take(ArenaResult result) {
    const std::scoped_lock lock(mutex_);
    if (run_.log != nullptr) run_.log->append(result);
    const std::size_t index = result.index;
    results_[index] = std::move(result);
    ++played_;
    if (run_.progress) run_.progress(played_, played_ + --missing_);
    check_sprt();
  }

  // Both games of a pair are of one shard.
  [[nodiscard]] bool is_missing(std::size_t game) const {
    return !results_[game] && game / 2 % run_.shard.count == run_.shard.index;
  }

  std::size_t count_missing() {
    missing_ = 0;
    for (std::size_t i = 0; i < end_; ++i) missing_ += is_missing(i) ? 1 : 0;
    return missing_;
  }

  const ArenaGame* next() {
    const std::scoped_lock lock(mutex_);
    while (next_ < end_ && !is_missing(next_)) ++next_;
    if (next_ >= end_) return nullptr;
    return &games_[next_++];
  }

  // Looks at the pairs in their order, so that the end does not depend on which was over first.
  void check_sprt() {
    if (!run_.sprt) return;
    for (; settled_ + 1 < end_ && results_[settled_] && results_[settled_ + 1]; settled_ += 2) {
      pairs_.add(result_for(*results_[settled_], 0), result_for(*results_[settled_ + 1], 1));
      if (sprt_decision(log_likelihood_ratio(pairs_, *run_.sprt), *run_.sprt) != SprtDecision::undecided)
        end_ = settled_ + 2;
    }
  }

  const ArenaPlan& plan_;
  const std::vector<ArenaGame>& games_;
  const ArenaRun& run_;
  std::mutex mutex_;  // of all that follows
  std::vector<std::optional<ArenaResult>> results_;
  std::size_t played_ = 0;
  std::size_t missing_ = 0;  // of this shard
  std::size_t next_ = 0;     // games before it are played or being played
  statistics::PairRecord pairs_;
  std::size_t settled_ = 0;  // games before it are in pairs_
  std::size_t end_ = games_.size();
};

}  // namespace

ArenaShard parse_shard(const std::string& text) {
  constexpr std::size_t kCountMax = 1'000'000;
  std::size_t index = 0, count = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%zu/%zu%c", &index, &count, &rest) != 2 || index < 1 || index > count ||
      count > kCountMax) {
    throw Error("--shard: found " + excerpt(text) + ", expected I/N with I from 1 to N");
  }
  return {index - 1, count};
}

std::vector<ArenaResult> run_arena(const ArenaPlan& plan, const std::vector<ArenaGame>& games, const ArenaRun& run) {
  return Runner(plan, games, run).run();
}

void follow_arena(const ArenaPlan& plan, const std::vector<ArenaGame>& games, std::size_t concurrency, Ranks& ranks) {
  ranks.follow(concurrency, [&](const std::string& piece) {
    const ArenaGame& game = games.at(std::stoul(piece));
    return to_text(plan, game, play_arena_game(plan, game));
  });
}

}  // namespace forkmunk::referee

// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/referee/statistics.h>
#include <forkmunk/referee/tournament.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

/// Threads instead of MPI's ranks.
namespace forkmunk::referee {
namespace {

using std::chrono::milliseconds;

class Job {
 public:
  class Link final : public RankLink {
   public:
    Link(Job& job, std::size_t rank) : job_(job), rank_(rank) {}
    [[nodiscard]] std::size_t rank() const noexcept override { return rank_; }
    [[nodiscard]] std::size_t count() const noexcept override { return job_.count_; }
    std::string ask(std::size_t slot, const std::string& text) override {
      {
        const std::scoped_lock lock(job_.mutex_);
        job_.questions_.push_back({rank_, slot, text});
      }
      for (;; std::this_thread::sleep_for(milliseconds(1))) {
        const std::scoped_lock lock(job_.mutex_);
        if (auto answer = job_.answers_.extract({rank_, slot})) return answer.mapped();
      }
    }
    std::optional<Question> next_question() override {
      {
        const std::scoped_lock lock(job_.mutex_);
        if (!job_.questions_.empty()) {
          Question question = job_.questions_.front();
          job_.questions_.pop_front();
          return question;
        }
      }
      std::this_thread::sleep_for(milliseconds(1));
      return std::nullopt;
    }
    void answer(const Question& question, const std::string& text) override {
      const std::scoped_lock lock(job_.mutex_);
      EXPECT_TRUE(job_.answers_.emplace(std::pair(question.rank, question.slot), text).second) << "answered twice";
    }

   private:
    Job& job_;
    std::size_t rank_;
  };

  explicit Job(std::size_t count) : count_(count) {}

  void run(const std::function<void(Ranks&)>& lead, const std::function<void(Ranks&, std::size_t)>& follow) {
    std::vector<std::jthread> followers;
    for (std::size_t rank = 1; rank < count_; ++rank) {
      followers.emplace_back([this, rank, &follow] {
        Link link(*this, rank);
        Ranks ranks(link);
        follow(ranks, rank);
        ranks.end();
      });
    }
    Link link(*this, 0);
    Ranks ranks(link);
    lead(ranks);
    ranks.end();
  }

 private:
  std::size_t count_;
  std::mutex mutex_;
  std::deque<RankLink::Question> questions_;
  std::map<std::pair<std::size_t, std::size_t>, std::string> answers_;
};

TournamentPlan plan(std::size_t games) {
  TournamentPlan result;
  result.bots = {"builtin:chase", "builtin:level"};
  result.games_per_pairing = games;
  result.seed = 11;
  return result;
}

using OutcomeInOrder = std::tuple<std::size_t, std::optional<engine::Player>, std::int64_t>;

std::vector<OutcomeInOrder> outcomes_in_order(const std::vector<TournamentResult>& results) {
  std::vector<OutcomeInOrder> found;
  for (const TournamentResult& result : results) found.emplace_back(result.index, result.winner, result.ticks);
  return found;
}

TournamentRun following(Ranks& ranks, std::size_t concurrency) {
  TournamentRun run;
  run.ranks = &ranks;
  run.concurrency = concurrency;
  return run;
}

TEST(Ranks, PlayATournamentAsOneProcessDoes) {
  const Tournament tournament(plan(40));
  const auto alone = outcomes_in_order(TournamentRunner(tournament, {}).play());
  std::vector<TournamentResult> together;
  Job job(4);
  job.run(
      [&](Ranks& ranks) {
        TournamentRun run;
        run.ranks = &ranks;
        run.concurrency = 2;
        together = TournamentRunner(tournament, run).play();
      },
      [&](Ranks& ranks, std::size_t rank) { tournament.follow(following(ranks, rank)); });
  EXPECT_EQ(outcomes_in_order(together), alone);
}

TEST(Ranks, EndAnSprtAtTheSameGame) {
  const Tournament tournament(plan(400));
  TournamentRun run;
  run.sprt = statistics::SprtOptions{.elo0 = -100, .elo1 = 0, .alpha = 0.2, .beta = 0.2};
  const auto alone = outcomes_in_order(TournamentRunner(tournament, run).play());
  EXPECT_LT(alone.size(), 400u);
  std::vector<TournamentResult> together;
  Job job(3);
  job.run(
      [&](Ranks& ranks) {
        run.ranks = &ranks;
        together = TournamentRunner(tournament, run).play();
      },
      [&](Ranks& ranks, std::size_t) { tournament.follow(following(ranks, 1)); });
  EXPECT_EQ(outcomes_in_order(together), alone);
}

// Other followers finish and keep their games.
TEST(Ranks, AFollowersFailureReachesTheLeader) {
  const Tournament tournament(plan(4000));
  const std::string path = std::filesystem::temp_directory_path() / ("forkmunk_ranks_" + std::to_string(getpid()));
  std::string what;
  std::size_t done = 0;
  Job job(3);
  job.run(
      [&](Ranks& ranks) {
        TournamentRun run;
        run.log = path;
        run.ranks = &ranks;
        run.progress = [&](std::size_t played, std::size_t) { done = played; };
        try {
          (void)TournamentRunner(tournament, run).play();
        } catch (const Error& error) {
          what = error.what();
        }
      },
      [&](Ranks& ranks, std::size_t rank) {
        if (rank != 2) return tournament.follow(following(ranks, 2));
        ranks.follow(2, [](const std::string&) -> std::string { throw Error("found no disk"); });
      });
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), done);
  EXPECT_LT(done, tournament.games().size());
  std::filesystem::remove(path);
  EXPECT_EQ(what, "rank 2: found no disk");
}

TEST(Ranks, AFollowerThatFailsAtOnceEndsTheGames) {
  const Tournament tournament(plan(20'000));
  Job job(3);
  job.run(
      [&](Ranks& ranks) {
        TournamentRun run;
        run.ranks = &ranks;
        EXPECT_THROW((void)TournamentRunner(tournament, run).play(), Error);
      },
      [&](Ranks& ranks, std::size_t rank) {
        if (rank == 1) return tournament.follow(following(ranks, 1));
        ranks.fail("found no folder");
      });
}

}  // namespace
}  // namespace forkmunk::referee

// SPDX-License-Identifier: MIT
#include "process_bots.h"

#include <forkmunk/referee/play.h>

#include <algorithm>
#include <thread>

namespace forkmunk::referee {
namespace {

using PerSeat = std::array<std::vector<Answer>, 2>;

/// The bot's time, a part of the charged time.
double own_seconds(const Answer& answer) { return std::stod(answer.debug) * 1e-6; }

/// The fastest answer has the least delay by other load.
double fastest(const std::vector<Answer>& answers) {
  double result = 1e9;
  for (const Answer& answer : answers) result = std::min(result, answer.charged.value_or(Seconds(0)).count());
  return result;
}

PerSeat play_seated(Round& round, std::size_t seat, ProcessBot& bot, ProcessBot& other, int ticks) {
  return seat == 0 ? round.play({&bot, &other}, ticks) : round.play({&other, &bot}, ticks);
}

/// Takes `ms` for each of `answers` answers, and then is gone.
class Thinker final : public Bot {
 public:
  Thinker(int ms, int answers) : ms_(ms), left_(answers) {}
  void begin_match(const engine::World&, Player, const engine::Lives&) override {}
  void send_tick(const engine::World&) override {}
  Answer answer(const engine::World&) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms_));
    return {--left_ > 0 ? Kind::command : Kind::gone, Command::stop, {}, {}};
  }

 private:
  int ms_;
  int left_;
};

using ProcessBotTime = ProcessBots;

TEST_F(ProcessBotTime, HangingBotsAreGoneInTime) {
  for (const std::string mode : {"hang", "deaf", "stopped", "flood_stderr_for_ever"}) {
    const auto start = Clock::now();
    expect_lost(bot(mode), Kind::gone, 1, "gave no answer within 0.3 s", short_limits());
    EXPECT_GE(seconds_since(start), kShortSeconds);
    EXPECT_GE(waited_, kShortSeconds);
    EXPECT_LT(waited_, BotLimits{}.answer_time.count()) << "the limit of another bot";
  }
}

TEST_F(ProcessBotTime, GoneBotsStayGone) {
  BotLimits limits = short_limits();
  int waits = 0;
  limits.while_waiting = [&waits] { ++waits; };
  ProcessBot hanging(bot("hang"), limits);
  const Answer first = round_.ask(hanging);
  EXPECT_GT(waits, 0);
  waits = 0;
  const Answer second = round_.ask(hanging);
  EXPECT_EQ(waits, 0);
  EXPECT_EQ(first.kind, Kind::gone);
  EXPECT_EQ(second.kind, Kind::gone);
  EXPECT_EQ(second.verdict, first.verdict);
}

TEST_F(ProcessBotTime, StartingUpIsChargedOnlyWhileTheRefereeWaits) {
  const auto start = Clock::now();
  double asked = 0.6;
  BotLimits limits = patient_limits();
  limits.while_waiting = [&] { asked = std::min(asked, seconds_since(start)); };
  ProcessBot slow(bot("slow_start 600"), limits);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  const double before = seconds_since(start);
  const Answer answer = round_.ask(slow);
  const double charged = answer.charged.value_or(Seconds(0)).count();
  ASSERT_EQ(answer.kind, Kind::command);
  EXPECT_GE(charged, 0.6 - asked);
  EXPECT_LE(charged, seconds_since(start) - before);
  expect_lost(bot("slow_start 1000"), Kind::gone, 1, "gave no answer within 0.3 s", short_limits());
}

TEST_F(ProcessBotTime, TooMuchTimePerGameIsGoneAndTheAnswerDropped) {
  BotLimits limits = patient_limits();
  limits.game_time = Seconds(0);
  expect_lost(bot("honest"), Kind::gone, 1, "the limit of 0 s", limits);
  limits.game_time = Seconds(1);
  const std::vector<Answer> answers = play(bot("slow 200"), 6, limits);
  EXPECT_EQ(answers.back().kind, Kind::gone);
  EXPECT_TRUE(contains(answers.back().verdict, "the limit of 1 s")) << answers.back().verdict;
  EXPECT_GT(waited_, 1);
  EXPECT_GE(fastest(answers), 0.2);
}

TEST_F(ProcessBotTime, ClocksOfTwoSlowBotsRunInParallel) {
  ProcessBot first(bot("slow 24"), patient_limits());
  ProcessBot second(bot("slow 24"), patient_limits());
  const PerSeat answers = round_.play({&first, &second}, 12);
  std::array<int, 2> charged_for_one{};
  for (const std::size_t seat : {0, 1}) {
    ASSERT_EQ(kinds(answers[seat]), Kinds(12, Kind::command));
    for (std::size_t i = 0; i < 12; ++i) {
      const double charged = answers[seat][i].charged.value_or(Seconds(0)).count();
      EXPECT_GE(charged, own_seconds(answers[seat][i]));
      charged_for_one[seat] += charged < own_seconds(answers[0][i]) + own_seconds(answers[1][i]) ? 1 : 0;
    }
  }
  EXPECT_GT(charged_for_one[0], 0);
  EXPECT_GT(charged_for_one[1], 0);
}

TEST_F(ProcessBotTime, ASlowOpponentIsNotCharged) {
  for (const std::size_t seat : {0, 1}) {
    ProcessBot slow(bot("slow 100"), patient_limits());
    ProcessBot fast(bot("honest"), patient_limits());
    const PerSeat answers = play_seated(round_, seat, slow, fast, 6);
    for (const Answer& answer : answers[seat])
      EXPECT_GE(answer.charged.value_or(Seconds(0)).count(), own_seconds(answer));
    EXPECT_LT(fastest(answers[1 - seat]), 0.1) << seat;
    EXPECT_GE(fastest(answers[seat]), 0.1);
  }
}

TEST_F(ProcessBotTime, LimitsArePerBot) {
  BotLimits limits = patient_limits();
  for (const std::size_t seat : {0, 1}) {
    limits.answer_time = Seconds(1);
    ProcessBot slow(bot("slow 1500"), limits);
    ProcessBot patient(bot("slow 800"), patient_limits());
    const PerSeat late = play_seated(round_, seat, slow, patient, 1);
    EXPECT_EQ(late[seat].front().verdict, "gave no answer within 1 s; a bot must flush its output after each line")
        << seat;
    EXPECT_EQ(late[1 - seat].front().kind, Kind::command);

    ProcessBot fast(bot("honest"), limits);
    const PerSeat in_time = play_seated(round_, seat, fast, patient, 2);
    EXPECT_EQ(kinds(in_time[seat]), Kinds(2, Kind::command)) << "the other's time is not its own";

    limits.game_time = Seconds(0.3);
    ProcessBot hurried(bot("slow 60"), limits);
    ProcessBot steady(bot("slow 60"), patient_limits());
    const PerSeat total = play_seated(round_, seat, hurried, steady, 6);
    EXPECT_EQ(total[seat].back().kind, Kind::gone) << seat;
    EXPECT_TRUE(contains(total[seat].back().verdict, "the limit of 0.3 s")) << total[seat].back().verdict;
    EXPECT_EQ(kinds(total[1 - seat]), Kinds(6, Kind::command));
    limits = patient_limits();
  }
}

// The referee waits for the first bot's output while the second answers.
TEST_F(ProcessBotTime, AnOpponentsFailureIsNotCharged) {
  std::vector<Answer> honest_answers;
  for (int i = 0; i < 5; ++i) {
    ProcessBot closing(bot("close_stdin"), patient_limits());
    ProcessBot honest(bot("honest"), patient_limits());
    const PerSeat answers = round_.play({&closing, &honest}, 2);
    ASSERT_EQ(kinds(answers[0]), (Kinds{Kind::command, Kind::unwritable}));
    ASSERT_EQ(kinds(answers[1]), Kinds(2, Kind::command));
    honest_answers.push_back(answers[1][1]);
    EXPECT_GE(answers[0][1].charged.value_or(Seconds(0)).count(), 0.1);
  }
  EXPECT_LT(fastest(honest_answers), 0.1);
}

TEST_F(ProcessBotTime, InAGameBothAreChargedTheirOwnTime) {
  GamePlan plan;
  plan.matches = {tests::scene_of("IslandMap", "Buggy").setup};
  BotLimits limits = patient_limits();
  limits.game_time = Seconds(0.4);
  ProcessBot first(bot("slow 24"), limits);
  ProcessBot second(bot("slow 24"), limits);
  const GameResult result = play_game(plan, first, second);
  for (const PlayerResult& player : result.players) {
    EXPECT_TRUE(contains(player.verdict, "the limit of 0.4 s")) << player.verdict;
    EXPECT_LE(player.answer_ms.size(), 17u);
    for (const double ms : player.answer_ms) EXPECT_GE(ms, 24);
  }
}

TEST_F(ProcessBotTime, ABuiltinAndAProcessAreChargedTheirOwnTime) {
  GamePlan plan;
  plan.matches = {tests::scene_of("IslandMap", "Buggy").setup};
  BotLimits limits = patient_limits();
  limits.game_time = Seconds(0.5);
  for (const std::size_t seat : {0, 1}) {
    const auto play_both = [&](Bot& builtin, ProcessBot& process) {
      const GameResult result = seat == 0 ? play_game(plan, builtin, process) : play_game(plan, process, builtin);
      return std::pair(result.players[seat].answer_ms, result.players[1 - seat].answer_ms);
    };
    Thinker thorough(60, 8);
    ProcessBot honest(bot("honest"), patient_limits());
    const auto [thinking, answering] = play_both(thorough, honest);
    ASSERT_EQ(thinking.size(), 8u);
    EXPECT_GE(std::ranges::min(thinking), 60);
    EXPECT_LT(*std::min_element(answering.begin(), answering.begin() + 8), 60) << seat;

    Thinker quick(0, 8);
    ProcessBot slow(bot("slow 60"), limits);
    const auto [quick_ms, slow_ms] = play_both(quick, slow);
    EXPECT_LT(std::ranges::min(quick_ms), 60) << seat;
    EXPECT_GE(std::ranges::min(slow_ms), 60);
    EXPECT_LE(slow_ms.size(), 9u);
  }
}

}  // namespace
}  // namespace forkmunk::referee

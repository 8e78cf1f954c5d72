// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/player/line_player.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::player {
namespace {

PlayerOptions options() {
  PlayerOptions result;
  result.ticks = 200;
  return result;
}

engine::MatchSetup match_setup() { return {maps::catalogue()[0].setup, cars::catalogue()[0].setup}; }

/// The first player's lines; both players hold a key.
std::vector<std::string> lines_of_a_match(int ticks) {
  const engine::MatchSetup setup = match_setup();
  engine::World world;
  world.begin_match(setup);
  std::vector<std::string> lines{io::to_line(formats::NewMatchMessage{5, 5, setup})};
  for (int tick = 0; tick < ticks; ++tick) {
    lines.push_back(io::to_line(formats::message_for(engine::Player::first, world)));
    world.step({engine::Command::right, engine::Command::left});
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

TEST(Serve, AnswersAsLineByLine) {
  const std::vector<std::string> lines = lines_of_a_match(12);
  PlannerPlayer alone(options());
  std::string expected;
  for (const std::string& line : lines) {
    if (const auto answer = answer_line(alone, line).line) expected += *answer + '\n';
  }
  PlannerPlayer player(options());
  std::istringstream in(joined(lines));
  std::ostringstream out;
  serve(player, in, out);
  EXPECT_EQ(out.str(), expected);
  EXPECT_TRUE(in.eof());
}

/// The message arrives at the search's `questions`th question.
std::function<bool()> arriving_after(int questions) {
  return [questions, asked = 0]() mutable { return ++asked % questions == 0; };
}

/// Clocks that advance by `step` at each reading.
struct SimulatedTime {
  using Clock = search::Budget::Clock;

  std::chrono::nanoseconds step = std::chrono::microseconds(2);
  std::chrono::nanoseconds thread_time{0};
  std::chrono::nanoseconds delay{0};  // time of other programs

  [[nodiscard]] Clock::time_point now() {
    thread_time += step;
    return Clock::time_point(thread_time + delay);
  }
  [[nodiscard]] Clocks clocks() {
    return {[this] { return now(); }, [this] { return thread_time; }, [] { return std::chrono::nanoseconds(0); }};
  }
  /// The message arrives `time` after the search's first question.
  [[nodiscard]] std::function<bool()> arriving_after(std::chrono::nanoseconds time) {
    return [this, time, since = std::optional<Clock::time_point>()]() mutable {
      if (!since) since = now();
      if (now() - *since < time) return false;
      since.reset();
      return true;
    };
  }
};

TEST(Serve, SearchesWhileItWaits) {
  using namespace std::chrono_literals;
  PlayerOptions timed;
  timed.time = 500us;
  SimulatedTime time;
  PlannerPlayer player(timed, time.clocks());
  constexpr int kTicks = 12;
  std::istringstream in(joined(lines_of_a_match(kTicks)));
  std::ostringstream out;
  serve(player, in, out, {}, time.arriving_after(20ms));
  EXPECT_EQ(player.effort().answers, kTicks);
  EXPECT_GT(player.effort().pondered_ticks, 1000);
  EXPECT_LT(player.effort().total, time.thread_time / 2) << "searching while it waits is not charged";
}

TEST(Serve, AnswersSoonerIfItWaitsForTheProcessor) {
  using namespace std::chrono_literals;
  const auto searched = [](std::chrono::nanoseconds delay) {
    SimulatedTime time;
    Clocks clocks = time.clocks();
    clocks.run_delay = [delay, sum = 0ns]() mutable { return sum += delay; };
    PlannerPlayer player(PlayerOptions{}, clocks);
    std::istringstream in(joined(lines_of_a_match(6)));
    std::ostringstream out;
    serve(player, in, out);
    return player.effort().search;
  };
  EXPECT_LT(searched(5s), searched(0s) / 2) << "seven delays use half of the game's time";
}

TEST(Serve, ReproducibleAnswersDoNotDependOnTheWait) {
  const std::string text = joined(lines_of_a_match(12));
  std::ostringstream at_once, waiting;
  for (auto* out : {&at_once, &waiting}) {
    PlannerPlayer player(options());
    std::istringstream in(text);
    serve(player, in, *out, {}, out == &waiting ? arriving_after(2000) : nullptr);
    EXPECT_EQ(player.effort().pondered_ticks, 0);
  }
  EXPECT_EQ(waiting.str(), at_once.str());
}

TEST(PlannerPlayer, BeginsWithThePlanThatItPondered) {
  PlayerOptions timed;
  timed.time = std::chrono::nanoseconds(1);  // too short for a plan
  const std::vector<std::string> lines = lines_of_a_match(3);
  const auto plan_of = [](const std::string& line) { return line.substr(line.find("debug")); };
  std::string plans[2];
  for (const bool ponders : {false, true}) {
    SimulatedTime time;
    PlannerPlayer player(timed, time.clocks());
    for (const std::string& line : lines) {
      const auto answer = answer_line(player, line, time.now()).line;
      if (answer) plans[ponders] = plan_of(*answer);
      player.prepare();
      if (ponders) player.ponder(arriving_after(5000));
    }
  }
  EXPECT_NE(plans[0], plans[1]);
}

TEST(PlannerPlayer, StopsPonderingIfTheOpponentDoesNotAnswer) {
  using namespace std::chrono_literals;
  PlayerOptions timed;
  timed.time = 1ms;
  SimulatedTime time;
  PlannerPlayer player(timed, time.clocks());
  for (const std::string& line : lines_of_a_match(4)) {
    (void)answer_line(player, line, time.now());
    player.prepare();
    const auto begin = time.now();
    player.ponder(time.arriving_after(5s));
    EXPECT_LT(time.now() - begin, 61ms) << "60 ms a tick are allowed";
  }
}

TEST(PlannerPlayer, PondersOnABusyMachineIfTheGamesTimeLasts) {
  using namespace std::chrono_literals;
  const auto pondered = [](bool is_timed, std::chrono::nanoseconds delay) {
    PlayerOptions options;
    if (is_timed) options.time = 1ms;
    SimulatedTime time;
    PlannerPlayer player(options, time.clocks());
    for (const std::string& line : lines_of_a_match(4)) {
      player.delayed(delay);
      (void)answer_line(player, line, time.now());
      player.prepare();
      player.ponder(arriving_after(1000), true);
    }
    return player.effort().pondered_ticks;
  };
  EXPECT_GT(pondered(true, 0ms), 0);
  EXPECT_EQ(pondered(true, 2s), 0) << "a game of answers that take 2 s is lost by time";
  EXPECT_EQ(pondered(false, 0ms), 0) << "delays would shorten the answers";
}

TEST(PlannerPlayer, PondersInFullOnABusyMachine) {
  using namespace std::chrono_literals;
  PlayerOptions options;
  options.time = 20ms;
  SimulatedTime time;
  PlannerPlayer player(options, time.clocks());
  std::chrono::nanoseconds last{0};
  for (const std::string& line : lines_of_a_match(7)) {
    (void)answer_line(player, line, time.now());
    player.prepare();
    const auto begin = time.now();
    player.ponder(time.arriving_after(200ms), true);
    last = time.now() - begin;
  }
  EXPECT_GE(last, 200ms) << "pondering itself does not use the game's time";
}

TEST(PlannerPlayer, CountsTheTimeThatAMessageWaitedWhileItPondered) {
  using namespace std::chrono_literals;
  PlayerOptions options;
  options.time = 20ms;
  SimulatedTime time;
  PlannerPlayer player(options, time.clocks());
  std::int64_t before = 0;
  for (const std::string& line : lines_of_a_match(2)) {
    (void)answer_line(player, line, time.now());
    player.prepare();
    before = player.effort().pondered_ticks;
    player.ponder(
        [&time, asked = 0]() mutable {
          if (++asked < 100) return false;
          time.delay += 1200ms;
          return true;
        },
        true);
  }
  EXPECT_GT(before, 0);
  EXPECT_EQ(player.effort().pondered_ticks, before) << "such delays would lose the game by time";
}

TEST(PlannerPlayer, DelaysWithinAnswersUseTheGamesTime) {
  using namespace std::chrono_literals;
  const auto ponders_after = [](std::chrono::nanoseconds delay) {
    PlayerOptions options;
    options.time = 1ms;
    SimulatedTime time;
    Clocks clocks = time.clocks();
    int readings = 0;
    clocks.now = [&] {
      if (++readings == 50) time.delay += delay;
      return time.now();
    };
    PlannerPlayer player(options, clocks);
    for (const std::string& line : lines_of_a_match(40)) {
      readings = 0;
      (void)answer_line(player, line, time.now());
    }
    player.prepare();
    player.ponder(arriving_after(1000), true);
    return player.effort().pondered_ticks > 0;
  };
  EXPECT_TRUE(ponders_after(0ms));
  EXPECT_FALSE(ponders_after(60ms)) << "a game of such answers is lost by time";
}

TEST(PlannerPlayer, ADelayWithinAnAnswerLeavesMostOfItsSearch) {
  using namespace std::chrono_literals;
  const auto searched = [](std::chrono::nanoseconds delay) {
    std::chrono::nanoseconds sum{0};
    for (int first = 10; first < 200; first += 20) {  // the reading of the clock before which the first delay comes
      PlayerOptions options;
      options.time = 1ms;
      SimulatedTime time;
      Clocks clocks = time.clocks();
      int readings = 0;
      clocks.now = [&] {
        if (++readings % 200 == first) time.delay += delay;
        return time.now();
      };
      PlannerPlayer player(options, clocks);
      for (const std::string& line : lines_of_a_match(3)) (void)answer_line(player, line, time.now());
      sum += player.effort().search - time.delay;
    }
    return sum;
  };
  EXPECT_GT(searched(1ms), searched(0ms) / 2);
}

TEST(PlannerPlayer, EveryAnswerHasAPlanHoweverLateItsSearchBegins) {
  using namespace std::chrono_literals;
  for (const search::PlannerInfo& planner : search::planners()) {
    for (const std::optional<std::chrono::nanoseconds> mean : {std::optional<std::chrono::nanoseconds>(), {1200us}}) {
      PlayerOptions timed;
      timed.planner = planner.name;
      timed.time = mean;
      SimulatedTime time{.step = 10ms};  // a search ends at its first look at the clock
      PlannerPlayer player(timed, time.clocks());
      constexpr int kTicks = 12;
      for (const std::string& line : lines_of_a_match(kTicks)) (void)answer_line(player, line, time.now());
      EXPECT_EQ(player.effort().answers, kTicks);
      EXPECT_EQ(player.effort().answers_without_plan, 0) << planner.name << (mean ? ", a mean of 1.2 ms" : "");
    }
  }
}

TEST(PlannerPlayer, AnswersAtOnceInAStateThatItPonderedAndSearchesLongerInAnother) {
  using namespace std::chrono_literals;
  PlayerOptions timed;
  timed.time = 20ms;
  SimulatedTime time;
  PlannerPlayer player(timed, time.clocks());
  engine::World world;
  world.begin_match(match_setup());
  player.receive(formats::NewMatchMessage{5, 5, match_setup()}, time.now());
  constexpr int kReleased = 7;  // the opponent's release shows two ticks later
  for (int tick = 0; tick <= kReleased + 2; ++tick) {
    const std::chrono::nanoseconds before = player.effort().search;
    const Answer answer = player.answer(formats::message_for(engine::Player::first, world), time.now());
    const std::chrono::nanoseconds searched = player.effort().search - before;
    if (tick == kReleased + 2) {
      EXPECT_GT(searched, *timed.time) << "with time that others saved";
    } else if (tick > 2) {
      EXPECT_EQ(searched.count(), 0) << "at tick " << tick;
      EXPECT_EQ(answer.debug.find("no plan"), std::string::npos) << answer.debug;
    }
    player.prepare();
    player.ponder(time.arriving_after(100ms));
    world.step({answer.command, tick < kReleased ? engine::Command::left : engine::Command::stop});
  }
}

TEST(PlannerPlayer, PondersTheStateThatRepeatedCommandsLeadTo) {
  using namespace std::chrono_literals;
  PlayerOptions timed;
  timed.planner = "straight";  // each search plays the same three plans
  timed.time = 1ms;
  timed.search_trace = true;
  for (const engine::Player me : engine::kPlayers) {
    SimulatedTime time;
    PlannerPlayer player(timed, time.clocks());
    engine::World world;
    world.begin_match(match_setup());
    const auto planner = planning::make_planner(timed.planner, timed.search);
    planner->begin_match(world, me);
    player.receive(formats::NewMatchMessage{5, 5, match_setup()}, time.now());
    for (int tick = 0; tick < 7; ++tick) {
      const std::chrono::nanoseconds before = player.effort().search;
      const Answer answer = player.answer(formats::message_for(me, world), time.now());
      search::Budget budget = search::Budget::of_ticks(1000);
      const planning::Decision expected = planner->decide(world, engine::Command::left, budget);
      if (tick > 2) {
        EXPECT_EQ(player.effort().search, before) << "it did not answer at once, at tick " << tick;
        EXPECT_EQ(answer.search_trace->score, expected.score) << "it pondered another state, at tick " << tick;
      }
      player.prepare();
      player.ponder(time.arriving_after(20ms));
      engine::Commands commands{answer.command, engine::Command::left};
      if (me == engine::Player::second) std::swap(commands.first, commands.second);
      world.step(commands);
    }
  }
}

TEST(PlannerPlayer, AMovedFromOneIsRefused) {
  PlannerPlayer player(options());
  PlannerPlayer other = std::move(player);
  const std::vector<std::string> lines = lines_of_a_match(1);
  EXPECT_THROW((void)answer_line(player, lines[0]), Error);
  EXPECT_THROW(player.prepare(), Error);
  EXPECT_FALSE(answer_line(other, lines[0]).line);
  EXPECT_TRUE(answer_line(other, lines[1]).line);
}

TEST(Serve, LogsInvalidLines) {
  PlannerPlayer player(options());
  std::istringstream in("rubbish\n" + joined(lines_of_a_match(1)) + "{\"type\":\"tick\"}\n");
  std::ostringstream out;
  std::vector<std::string> log;
  serve(player, in, out, [&](std::string_view line) { log.emplace_back(line); });
  ASSERT_EQ(log.size(), 2u);
  EXPECT_NE(log[0].find("rubbish"), std::string::npos) << log[0];
  EXPECT_NE(log[1].find("params"), std::string::npos) << log[1];
  const std::string answers = out.str();
  EXPECT_EQ(std::count(answers.begin(), answers.end(), '\n'), 2) << "an invalid tick is answered";
}

TEST(Serve, EndsIfTheReaderIsGone) {
  PlannerPlayer player(options());
  std::istringstream in(joined(lines_of_a_match(9)));
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  serve(player, in, out);
  std::string rest;
  EXPECT_TRUE(std::getline(in, rest)) << "it continued to play";
}

}  // namespace
}  // namespace forkmunk::player

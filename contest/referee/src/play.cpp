// SPDX-License-Identifier: MIT
#include <forkmunk/base/random.h>
#include <forkmunk/engine/game.h>
#include <forkmunk/formats/message.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/referee/process_bot.h>

#include <chrono>

namespace forkmunk::referee {
namespace {

using engine::Command;
using engine::Player;
using engine::World;

constexpr std::int64_t kProgressTicks = 8;

class GamePlayer {
 public:
  GamePlayer(const GamePlan& plan, Bot& first, Bot& second, GameRecord* record)
      : bots_{&first, &second},
        processes_{dynamic_cast<ProcessBot*>(&first), dynamic_cast<ProcessBot*>(&second)},
        record_(record),
        game_(plan.matches, plan.physics),
        random_(plan.seed) {}

  GameResult run(const std::function<void(std::int64_t)>& progress) {
    begin_match();
    while (!game_.over()) {
      play_tick();
      if (progress && game_.tick_num() % kProgressTicks == 0) progress(game_.tick_num());
    }
    for (Bot* bot : bots_) bot->end_game();
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (processes_[i] != nullptr) result_.players[i].surplus_lines = processes_[i]->surplus_lines();
    }
    result_.lives = game_.lives();
    result_.ticks = game_.tick_num();
    result_.winner = game_.winner();
    if (game_.broken_off()) {
      result_.verdict = "the simulation diverged (infinity or NaN) at tick " + std::to_string(game_.tick_num()) +
                        ": the game was aborted, as a draw";
    }
    if (record_ != nullptr) {
      record_->recording.has_commands = true;
      record_->recording.final_lives = game_.lives();
    }
    return std::move(result_);
  }

 private:
  void begin_match() {
    result_.matches.emplace_back();
    for (const Player player : engine::kPlayers) {
      if (connected(player)) bots_[index_of(player)]->begin_match(game_.world(), player, game_.lives());
    }
    if (record_ != nullptr) {
      record_->recording.matches.push_back({game_.world().setup(), game_.lives(), {}});
    }
  }

  void play_tick() {
    formats::RecordedTick tick;
    if (record_ != nullptr) {
      tick = formats::recorded_tick(game_.world(), game_.tick_num());
      record_->extras.trace.emplace_back();
      record_->extras.search_traces.emplace_back();
    }
    if (game_.world().takes_commands()) ask(tick.commands);
    if (record_ != nullptr) record_->recording.matches.back().ticks.push_back(tick);

    const engine::Game::Event event = game_.step(formats::played(tick.commands));
    if (event == engine::Game::Event::ticked) return;
    end_match();
    if (event == engine::Game::Event::match_over) {
      game_.next_match();
      begin_match();
    }
  }

  // Sends the tick to both bots, then waits for processes first and together: a builtin computes on this thread.
  void ask(formats::RecordedCommands& commands) {
    const World& world = game_.world();
    for (const Player player : engine::kPlayers) {
      if (connected(player)) bots_[index_of(player)]->send_tick(world);
    }
    const auto process = [&](Player player) { return connected(player) ? processes_[index_of(player)] : nullptr; };
    ProcessBot::await_answers(process(Player::first), process(Player::second));
    for (const Player player : engine::kPlayers) {
      const std::size_t i = index_of(player);
      if (!connected(player)) continue;
      const auto start = std::chrono::steady_clock::now();
      Answer answer = bots_[i]->answer(world);
      const Seconds computed = std::chrono::steady_clock::now() - start;
      PlayerResult& result = result_.players[i];
      result.answer_ms.push_back(1e3 * answer.charged.value_or(computed).count());
      if (answer.debug.starts_with(formats::kNoPlan)) ++result.answers_without_plan;
      commands[i] = judge(answer, result);
      if (record_ == nullptr) continue;
      record_->extras.trace.back()[i] = std::move(answer.debug);
      record_->extras.search_traces.back()[i] = std::move(answer.search_trace);
    }
  }

  std::optional<Command> judge(const Answer& answer, PlayerResult& result) {
    switch (answer.kind) {
      case Answer::Kind::command: return answer.command;
      case Answer::Kind::garbled:
        if (++result.garbled_answers == 1) result.first_garbled = answer.verdict;
        return random_.pick(engine::kCommands);
      case Answer::Kind::gone: break;
      case Answer::Kind::unwritable: break;
    }
    result.disconnected = true;
    result.verdict = answer.verdict;
    if (answer.kind == Answer::Kind::unwritable) return std::nullopt;
    return Command::stop;
  }

  void end_match() {
    const World& world = game_.world();
    formats::MatchOutcome& match = result_.matches.back();
    match.ticks = world.tick();
    for (const Player player : engine::kPlayers) {
      match.died[index_of(player)] = world.dead(player);
      match.cause[index_of(player)] = world.cause_of_death(player);
    }
  }

  [[nodiscard]] bool connected(Player player) const { return !result_.players[index_of(player)].disconnected; }

  std::array<Bot*, 2> bots_;
  std::array<ProcessBot*, 2> processes_;  // null for a builtin
  GameRecord* record_;
  engine::Game game_;
  Random random_;
  GameResult result_;
};

}  // namespace

GameResult play_game(const GamePlan& plan, Bot& first, Bot& second, GameRecord* record,
                     const std::function<void(std::int64_t)>& progress) {
  return GamePlayer(plan, first, second, record).run(progress);
}

}  // namespace forkmunk::referee

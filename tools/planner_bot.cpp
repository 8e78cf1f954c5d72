#include "planner_bot.h"

#include "weights_file.h"

#include <forkmunk/engine/error.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace forkmunk::tools {
namespace {

using search::Budget;

constexpr std::chrono::seconds kGameTime{120};

std::chrono::nanoseconds milliseconds(double ms) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double, std::milli>(ms));
}

search::TimeBank make_bank(const PlannerBotOptions& options) {
  return options.time_ms ? search::TimeBank(kGameTime, milliseconds(*options.time_ms)) : search::TimeBank(kGameTime);
}

/// One key=value of a bot.
struct Key {
  std::string_view name;
  std::string_view what;
  void (*set)(PlannerBotOptions& options, std::string_view value);
};

double number(std::string_view value) {
  double result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc{} || end != value.data() + value.size()) throw Error("expected a number");
  return result;
}

int count(std::string_view value) {
  const double result = number(value);
  if (result < 0 || result > 1e9 || result != static_cast<double>(static_cast<int>(result))) {
    throw Error("expected a whole number from 0 to 1000000000");
  }
  return static_cast<int>(result);
}

search::OpponentModel opponent_model(std::string_view value) {
  if (const auto model = search::parse_opponent_model(value)) return *model;
  std::string names;
  for (const auto& model : search::opponent_models())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", model.name);
  throw Error("expected one of " + names);
}

/// A habit, or a rule, by its name.
engine::EngineKind engine_kind(std::string_view text) {
  const auto kind = engine::parse_engine_kind(text);
  if (!kind) throw Error("expected flat or chipmunk");
  return *kind;
}

void switch_part(PlannerBotOptions& options, std::string_view name, bool on) {
  search::Habits& habits = options.search.habits;
  const std::array<std::pair<std::string_view, bool*>, 5> known{{{"warm_start", &habits.warm_start},
                                                                 {"share_prefixes", &habits.share_prefixes},
                                                                 {"prune", &habits.prune},
                                                                 {"worst_first", &habits.worst_first},
                                                                 {"first_remainder", &habits.first_remainder}}};
  std::string names;
  for (const auto& [habit, flag] : known) {
    if (habit == name) {
      *flag = on;
      return;
    }
    names += fmt::format("{}, ", habit);
  }
  if (name == "rules" && !on) {
    options.rules = search::Rules::none();
    return;
  }
  for (const search::RuleInfo& rule : search::rules()) {
    if (rule.name == name) {
      options.rules.switch_on(name, on);
      return;
    }
    names += fmt::format("{}, ", rule.name);
  }
  throw Error(fmt::format("expected one of {}rules", names));
}

constexpr std::array<Key, 13> kKeys{{
    {"ticks", "simulated for each answer", [](auto& o, auto v) { o.ticks = count(v); }},
    {"time-ms", "for each answer, on average, instead", [](auto& o, auto v) { o.time_ms = number(v); }},
    {"evaluator", "who scores states", [](auto& o, auto v) { o.search.evaluator = v; }},
    {"opponent", "what the opponent is thought to do", [](auto& o, auto v) { o.search.opponent = opponent_model(v); }},
    {"seed", "of its random numbers", [](auto& o, auto v) { o.search.seed = static_cast<std::uint64_t>(count(v)); }},
    {"horizon", "ticks that a plan looks ahead", [](auto& o, auto v) { o.search.horizon = count(v); }},
    {"hold", "ticks that an action is held", [](auto& o, auto v) { o.search.hold = count(v); }},
    {"discount", "per tick", [](auto& o, auto v) { o.search.discount = number(v); }},
    {"share", "of the budget for the opponent's plan", [](auto& o, auto v) { o.search.opponent_share = number(v); }},
    {"weights", "a file that forkmunk tune wrote",
     [](auto& o, auto v) { o.search.weights = read_weights(std::string(v)); }},
    {"engine", "what computes its steps: flat or chipmunk", [](auto& o, auto v) { o.physics.engine = engine_kind(v); }},
    {"without", "a habit or rule to leave out, or rules: all; to see what it brings",
     [](auto& o, auto v) { switch_part(o, v, false); }},
    {"with", "a rule to switch on", [](auto& o, auto v) { switch_part(o, v, true); }},
}};

class PlannerBot final : public referee::Bot {
 public:
  explicit PlannerBot(const PlannerBotOptions& options) : player_(options) {}

  void begin_match(const engine::World& world, engine::Player me, const referee::Lives& lives) override {
    me_ = me;
    match_ = referee::NewMatchMessage{lives[index_of(me)], lives[index_of(opponent_of(me))], world.setup()};
  }
  void tell(const engine::World&) override {}
  referee::Answer answer(const engine::World& world) override {
    const auto since = Budget::Clock::now();
    // Only now: what goes by until its turn is the other side's time.
    if (match_) player_.receive(*match_, since);
    match_.reset();
    return player_.answer(referee::message_for(me_, world), since);
  }

 private:
  PlannerPlayer player_;
  engine::Player me_ = engine::Player::first;
  std::optional<referee::NewMatchMessage> match_;  // if it has begun and no tick has been answered
};

}  // namespace

PlannerBotOptions parse_planner_bot(std::string_view text, const std::string& spec) {
  PlannerBotOptions options;
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (name != "bot") options.planner = name;
  std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    const auto* const found = std::ranges::find(kKeys, key, &Key::name);
    if (found == kKeys.end() || equals == std::string_view::npos) {
      std::string names;
      for (const Key& each : kKeys) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
      throw Error(fmt::format("bot {}: found \"{}\", expected key=value with one of {}", spec, item, names));
    }
    try {
      found->set(options, item.substr(equals + 1));
    } catch (const Error& error) {
      throw Error(fmt::format("bot {}: {}: found \"{}\", {}", spec, key, item.substr(equals + 1), error.what()));
    }
  }
  return options;
}

std::string planner_bot_help() {
  std::string text;
  for (const Key& key : kKeys) text += fmt::format("  {:10} {}\n", key.name, key.what);
  return text;
}

PlannerPlayer::PlannerPlayer(const PlannerBotOptions& options)
    : options_(options),
      tracker_(options.physics),
      bank_(make_bank(options)),
      planner_(search::make_planner(options.planner, options.search)) {
  if (options.thoughts) thought_reader_ = std::make_unique<ThoughtReader>(options.search);
}

void PlannerPlayer::receive(const referee::NewMatchMessage& message, Budget::Clock::time_point since) {
  tracker_.receive(message);
  fresh_since_ = since;
}

Budget PlannerPlayer::budget(Budget::Clock::time_point since) const {
  if (options_.ticks) return Budget::of_ticks(*options_.ticks);
  const int matches_left = tracker_.my_lives() + tracker_.enemy_lives() - 1;
  const std::chrono::nanoseconds allowed = bank_.allowance(matches_left, tracker_.tick());
  // What went by before is gone; an answer without any search helps nobody.
  return Budget::of_time(std::max(allowed - (Budget::Clock::now() - since), allowed / 4));
}

referee::Answer PlannerPlayer::answer(const referee::TickMessage& message, Budget::Clock::time_point since) {
  // The first tick comes with the match: what that takes is a part of its answer.
  if (fresh_since_) since = *fresh_since_;
  Budget budget = this->budget(since);
  tracker_.receive(message);
  if (tracker_.status() == referee::Tracker::Status::waiting) {
    return {referee::Answer::Kind::command, engine::Command::stop, tracker_.problem(), {}};
  }
  engine::World& world = tracker_.world();
  if (fresh_since_) {
    planner_->begin_match(world, *tracker_.me());
    if (thought_reader_) thought_reader_->begin_match(world.setup());
  }
  fresh_since_.reset();
  const auto seen = tracker_.opponent_commands();
  search::Decision decision = planner_->decide(world, seen.empty() ? engine::Command::stop : seen.back(), budget);
  const auto rule = options_.rules.apply(world, *tracker_.me(), decision);
  if (rule) decision.command = rule->command;
  // Before the tracker hears of the answer: the world stands at this tick.
  referee::Thought thought;
  if (thought_reader_) {
    const auto asked = Budget::Clock::now();
    thought = thought_reader_->read(world, *tracker_.me(), decision);
    since += Budget::Clock::now() - asked;
  }
  tracker_.answered(decision.command);
  std::string debug = fmt::format("{:.1f} {}t {}{}{}", decision.score, decision.ticks, rule ? rule->rule : "",
                                  rule ? " " : "", to_string(decision.plan));
  if (debug.size() > referee::kDebugCharactersMax) debug.resize(referee::kDebugCharactersMax);
  bank_.spend(Budget::Clock::now() - since);
  referee::Answer answer{referee::Answer::Kind::command, decision.command, std::move(debug), {}};
  if (thought_reader_) answer.thought = std::make_shared<const referee::Thought>(std::move(thought));
  return answer;
}

std::unique_ptr<referee::Bot> make_planner_bot(const PlannerBotOptions& options) {
  return std::make_unique<PlannerBot>(options);
}

}  // namespace forkmunk::tools

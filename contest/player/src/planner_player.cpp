// SPDX-License-Identifier: MIT
#include "time_bank.h"

#include <forkmunk/base/error.h>
#include <forkmunk/engine/snapshot.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/planning/evaluator.h>
#include <forkmunk/player/planner_player.h>
#include <forkmunk/strict_math/strict_math.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/format.h>

namespace forkmunk::player {
namespace {

using engine::Player;
using engine::Vec2;

constexpr int kPathTicks = 5;  // between points of a path
// Beyond every map; a car may become infinite next.
constexpr double kFarAway = 1e6;

bool can_be_drawn(Vec2 point) { return std::abs(point.x) < kFarAway && std::abs(point.y) < kFarAway; }

/// Returns the mean of the body's vertices, the point of the viewers' trails.
Vec2 middle_of(const engine::World& world, Player player) {
  const std::vector<Vec2>& body = world.setup().car.body_poly;
  Vec2 mean{};
  for (const Vec2 vertex : body) {
    mean.x += vertex.x / static_cast<double>(body.size());
    mean.y += vertex.y / static_cast<double>(body.size());
  }
  if (player == Player::second) mean.x = -mean.x;
  const engine::BodyState car = world.car(player).body;
  const auto [s, c] = strict_math::sin_cos(car.angle);
  return {car.position.x + mean.x * c - mean.y * s, car.position.y + mean.x * s + mean.y * c};
}

}  // namespace

class SearchTraceReader {
 public:
  explicit SearchTraceReader(const planning::PlannerOptions& options)
      : evaluator_(planning::make_evaluator(options.evaluator, options.weights)) {}

  void begin_match(const engine::MatchSetup& setup) { evaluator_->begin_match(setup); }
  /// \param world  at the tick of the decision; it is stepped along the plan and restored.
  [[nodiscard]] formats::SearchTrace read(engine::World& world, Player me, const planning::Decision& decision) {
    formats::SearchTrace trace;
    trace.score = decision.score;
    trace.ticks = decision.ticks;
    trace.plan = to_string(decision.plan);
    for (const planning::Evaluator::Term& term : evaluator_->explain(world, me, 0)) {
      trace.terms.push_back({std::string(term.name), term.value * term.weight});
    }
    world.save(here_);
    const bool foresees = decision.reply.ticks() > 0;
    for (int tick = 0; tick <= decision.plan.ticks(); ++tick) {
      if (tick % kPathTicks == 0) {
        const Vec2 mine = middle_of(world, me);
        const Vec2 theirs = middle_of(world, opponent_of(me));
        if (!can_be_drawn(mine) || !can_be_drawn(theirs)) break;
        trace.path.push_back(mine);
        if (foresees) trace.enemy_path.push_back(theirs);
      }
      if (!world.takes_commands()) break;
      engine::Commands commands{decision.plan.at(tick), decision.reply.at(tick)};
      if (me == Player::second) std::swap(commands.first, commands.second);
      world.step(commands);
    }
    world.restore(here_);
    return trace;
  }

 private:
  std::unique_ptr<planning::Evaluator> evaluator_;
  engine::Snapshot here_;
};

namespace {

using search::Budget;

constexpr std::chrono::seconds kGameTime{120};

TimeBank make_bank(const PlayerOptions& options) {
  return options.time ? TimeBank(kGameTime, *options.time) : TimeBank(kGameTime);
}

std::string_view name_of(replay::Tracker::Status status) noexcept {
  using Status = replay::Tracker::Status;
  switch (status) {
    case Status::exact: return "exact";
    case Status::holding: return "holding";
    case Status::following: return "following";
    case Status::approximate: return "approximate";
    case Status::waiting: break;
  }
  return "waiting";
}

// Returns e.g. "; exact; strict referee".
std::string tracking_text(const replay::RefereeTracker& referee) {
  const replay::Tracker& tracker = referee.tracker();
  std::string text = fmt::format("; {}", name_of(tracker.status()));
  if (tracker.problem_count() > 0) text += fmt::format("; {} problems", tracker.problem_count());
  return text + fmt::format("; {} referee", to_string(referee.kind()));
}

engine::Command enemy_last(const replay::Tracker& tracker) noexcept {
  const auto seen = tracker.opponent_commands();
  return seen.empty() ? engine::Command::stop : seen.back();
}

bool is_exact(const replay::Tracker& tracker) noexcept {
  return tracker.status() == replay::Tracker::Status::exact || tracker.status() == replay::Tracker::Status::following;
}

// The longest pondering, in answers' times, which count as at least kPonderTimeMin.
constexpr int kPonderMaxAnswers = 20;
constexpr std::chrono::milliseconds kPonderTimeMin{3};
// Another search would add little.
constexpr int kPonderedEnoughAnswers = 4;

}  // namespace

std::chrono::nanoseconds Clocks::thread_processor_time() noexcept {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

PlannerPlayer::PlannerPlayer(const PlayerOptions& options, Clocks clocks)
    : options_(options),
      clocks_(std::move(clocks)),
      tracker_(options.arithmetic),
      bank_(std::make_unique<TimeBank>(make_bank(options))),
      planner_(planning::make_planner(options.planner, options.search)) {
  if (options.search_trace) search_trace_reader_ = std::make_unique<SearchTraceReader>(options.search);
}

PlannerPlayer::~PlannerPlayer() = default;
PlannerPlayer::PlannerPlayer(PlannerPlayer&&) noexcept = default;
PlannerPlayer& PlannerPlayer::operator=(PlannerPlayer&&) noexcept = default;

void PlannerPlayer::require_planner() const {
  if (planner_ == nullptr) throw Error("the PlannerPlayer was moved from");
}

void PlannerPlayer::receive(const formats::NewMatchMessage& message, Budget::Clock::time_point since) {
  require_planner();
  tracker_.receive(message);
  fresh_since_ = since;
}

bool PlannerPlayer::plans_in_tracked_world() { return tracker_.tracker().world().physics() == engine::Physics::flat; }

// Returns the flat engine's world, with the state that was tracked in the referee's arithmetic.
engine::World& PlannerPlayer::planning_world() {
  engine::World& tracked = tracker_.tracker().world();
  if (plans_in_tracked_world()) return tracked;
  fast_world_.take_over(tracked);
  return fast_world_;
}

std::chrono::nanoseconds PlannerPlayer::allowance() const {
  const replay::Tracker& tracker = tracker_.tracker();
  return bank_->allowance(tracker.my_lives(), tracker.enemy_lives(), tracker.tick());
}

Budget PlannerPlayer::budget(Budget::Clock::time_point since, bool is_surprised) const {
  if (options_.ticks) return Budget::of_ticks(*options_.ticks);
  const replay::Tracker& tracker = tracker_.tracker();
  std::chrono::nanoseconds allowed = allowance();
  if (is_surprised) allowed += bank_->extra(tracker.my_lives(), tracker.enemy_lives(), tracker.tick());
  // Keeps at least a quarter, because an answer without search is worthless.
  return Budget::of_time(std::max(allowed - (clocks_.now() - since), allowed / 4), &clocks_.now);
}

void PlannerPlayer::delayed(std::chrono::nanoseconds time) {
  require_planner();
  bank_->delay(time);
}

// Returns the plan that was searched ahead if it is from this very state, and was searched far longer than an answer
// may take.
planning::Decision PlannerPlayer::decide(engine::World& world, Budget::Clock::time_point since) {
  replay::Tracker& tracker = tracker_.tracker();
  const auto pondered = std::exchange(pondered_, std::nullopt);
  const bool is_expected =
      pondered && is_exact(tracker) && tracker.tick() == pondered->tick && enemy_last(tracker) == pondered->enemy_last;
  excluded_ = {};
  if (is_expected && bank_->saves() && pondered->time >= kPonderedEnoughAnswers * allowance() &&
      pondered->decision.score) {
    return pondered->decision;
  }
  Budget budget = this->budget(since, pondered && !is_expected);
  const auto begin = clocks_.now();
  planning::Decision decision;
  if (!options_.ticks && options_.search.threads == 1) {
    DelayWatch watch(budget, bank_->delay_max(tracker.my_lives(), tracker.enemy_lives(), tracker.tick()), clocks_);
    decision = planner_->decide(world, enemy_last(tracker), budget);
    excluded_ = watch.excluded();
    bank_->delay(excluded_);
  } else {
    decision = planner_->decide(world, enemy_last(tracker), budget);
  }
  effort_.search += clocks_.now() - begin;
  return decision;
}

Answer PlannerPlayer::answer(const formats::TickMessage& message, Budget::Clock::time_point since) {
  require_planner();
  // The first tick's time includes that of its new_match.
  if (fresh_since_) since = *fresh_since_;
  tracker_.receive(message);
  replay::Tracker& tracker = tracker_.tracker();
  if (tracker.status() == replay::Tracker::Status::waiting) {
    return {engine::Command::stop, tracker.problem(), nullptr};
  }
  engine::World& world = planning_world();
  if (fresh_since_) {
    planner_->begin_match(world, *tracker.me());
    if (search_trace_reader_) search_trace_reader_->begin_match(world.setup());
  }
  fresh_since_.reset();
  const planning::Decision decision = decide(world, since);
  // Comes before tracker.answered(), while the world is at this tick.
  formats::SearchTrace trace;
  if (search_trace_reader_) {
    const auto asked = clocks_.now();
    trace = search_trace_reader_->read(world, *tracker.me(), decision);
    since += clocks_.now() - asked;
  }
  tracker_.answered(decision.command);
  // This guess is right more often than the first command of the plan that the search expects
  // (decisions 14 and 15 in docs/decisions).
  const engine::Command enemy = enemy_last(tracker);
  const bool is_first = tracker.me() == engine::Player::first;
  expected_commands_ = is_first ? engine::Commands{decision.command, enemy} : engine::Commands{enemy, decision.command};
  if (!decision.score) ++effort_.answers_without_plan;
  const std::string score = decision.score ? fmt::format("{:.1f}", *decision.score) : std::string(formats::kNoPlan);
  std::string debug = fmt::format("{} {}t {}", score, decision.ticks, to_string(decision.plan));
  const std::string tracking = tracking_text(tracker_);
  debug.resize(std::min(debug.size(), formats::kDebugCharactersMax - tracking.size()));
  debug += tracking;
  const auto time = clocks_.now() - since;
  bank_->spend(time - excluded_);
  effort_.total += time;
  ++effort_.answers;
  Answer answer{decision.command, std::move(debug), nullptr};
  if (search_trace_reader_) answer.search_trace = std::make_shared<const formats::SearchTrace>(std::move(trace));
  return answer;
}

void PlannerPlayer::prepare() {
  require_planner();
  may_ponder_ = false;
  if (expected_commands_) {
    // The search has left the world at the answer's tick.
    engine::World& world = plans_in_tracked_world() ? tracker_.tracker().world() : fast_world_;
    world.step(*expected_commands_);
    may_ponder_ = world.takes_commands();
    if (may_ponder_) world.save(expected_);
    expected_commands_.reset();
  }
  tracker_.prepare();
}

// Each search gets most of the time that the last pondering had: in short searches the opponent's plan hardly changes,
// because playing it again uses up most of its share.
void PlannerPlayer::ponder(const std::function<bool()>& stop, bool is_busy) {
  require_planner();
  if (!may_ponder_ || options_.ticks || options_.search.threads > 1) return;
  const replay::Tracker& tracker = tracker_.tracker();
  const auto covers_rest = [&] {
    return bank_->covers_rest(tracker.my_lives(), tracker.enemy_lives(), tracker.tick());
  };
  if (is_busy && !(options_.time && covers_rest())) return;
  may_ponder_ = false;
  engine::World& world = plans_in_tracked_world() ? tracker_.tracker().world() : fast_world_;
  world.restore(expected_);
  Pondered found;
  found.enemy_last = enemy_last(tracker);
  found.tick = tracker.tick() + 1;
  const std::chrono::nanoseconds answer = allowance();
  const std::chrono::nanoseconds least = std::max<std::chrono::nanoseconds>(answer, kPonderTimeMin);
  const std::chrono::nanoseconds most = kPonderMaxAnswers * least;
  const std::chrono::nanoseconds time = std::clamp(pondering_time_ * 9 / 10, least, most);
  pondering_time_ = {};
  const auto begin = clocks_.now();
  const std::chrono::nanoseconds thread_begin = clocks_.thread_time();
  auto looked = begin;  // the last time at which no message had arrived
  bool has_arrived = false;
  const std::function<bool()> arrived = [&] {
    has_arrived = has_arrived || stop();
    if (!has_arrived) looked = clocks_.now();
    return has_arrived;
  };
  std::int64_t ticks = 0;
  for (; pondering_time_ < most && !arrived(); pondering_time_ = clocks_.now() - begin) {
    Budget budget = Budget::of_time(std::min(time, most - pondering_time_), &clocks_.now);
    budget.stop_when(arrived);
    planning::Decision decision = planner_->decide(world, found.enemy_last, budget);
    ticks += decision.ticks;
    // A search that was stopped before it had played its plan has the same plan as the previous search.
    if (decision.score) found.decision = std::move(decision);
  }
  found.decision.ticks = ticks;
  found.time = clocks_.thread_time() - thread_begin;
  effort_.pondered_ticks += ticks;
  // The message may have waited since the last check. On average it has waited half of that time; the other half is for
  // waking the referee, as in serve().
  if (has_arrived) bank_->delay(clocks_.now() - looked);
  pondered_ = std::move(found);
}

}  // namespace forkmunk::player

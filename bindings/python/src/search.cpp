// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "copies.h"
#include "documented.h"
#include "module.h"
#include "world.h"

#include <forkmunk/base/excerpt.h>
#include <forkmunk/planning/planner.h>
#include <forkmunk/player/weights_file.h>

#include <chrono>
#include <cmath>
#include <functional>

namespace forkmunk::python {
namespace {

using engine::Player;
using planning::Planner;

constexpr std::int64_t kBudgetTicks = 1200;

// Empty for the built-in weights.
std::string weights_text(const py::object& weights) {
  if (weights.is_none()) return {};
  return py::module_::import("json").attr("dumps")(weights).cast<std::string>();
}

planning::Weights weights_of(const std::string& text) {
  return text.empty() ? planning::default_weights() : player::parse_weights(text);
}

py::list list_of(const planning::Plan& plan) {
  py::list commands;
  for (int tick = 0; tick < plan.ticks(); ++tick) commands.append(number_of(plan.at(tick)));
  return commands;
}

double finite(double value, const char* what) {
  if (std::isfinite(value)) return value;
  refuse_value(what, std::to_string(value), "a finite number");
}

search::OpponentModel opponent_model_of(const std::string& name) {
  if (const auto model = search::parse_opponent_model(name)) return *model;
  throw Error("Planner(opponent=): \"", name, "\" is unknown; expected one of ",
              list_of_names(search::opponent_models()));
}

// `arguments` are Planner()'s after its name, with the weights as JSON.
planning::PlannerOptions options_of(const py::tuple& arguments) {
  constexpr const char* kNumber = "a number, or None";
  constexpr const char* kWhole = "a whole number, or None";
  planning::PlannerOptions options;
  options.evaluator = given<std::string>(arguments[0], "Planner(evaluator=)", "one of madcars.evaluators");
  const auto opponent =
      given<std::optional<std::string>>(arguments[1], "Planner(opponent=)", "one of madcars.opponents, or None");
  options.seed = count_of(arguments[2], "Planner(seed=)");
  options.weights = weights_of(arguments[3].cast<std::string>());
  options.horizon = given<std::optional<int>>(arguments[4], "Planner(horizon=)", kWhole);
  options.hold = given<std::optional<int>>(arguments[5], "Planner(hold=)", kWhole);
  const auto discount = given<std::optional<double>>(arguments[6], "Planner(discount=)", kNumber);
  const auto opponent_share = given<std::optional<double>>(arguments[7], "Planner(opponent_share=)", kNumber);
  if (opponent) options.opponent = opponent_model_of(*opponent);
  if (discount) options.discount = finite(*discount, "Planner(discount=)");
  if (opponent_share) options.opponent_share = finite(*opponent_share, "Planner(opponent_share=)");
  return options;
}

class PythonPlanner : public Guarded {
 public:
  PythonPlanner(std::string name, py::tuple arguments)
      : name_(std::move(name)),
        arguments_(std::move(arguments)),
        planner_(planning::make_planner(name_, options_of(arguments_))) {}

  [[nodiscard]] py::tuple state() const {
    check_usable("Planner");
    if (!begun_) return py::make_tuple(name_, arguments_, py::none());
    return py::make_tuple(
        name_, arguments_,
        py::make_tuple(std::string(to_string(arithmetic_of(physics_))), std::string(engine_name(physics_)),
                       pickled(setup_), index_of(me_), last_tick_, py::bytes(carried())));
  }

  [[nodiscard]] static std::unique_ptr<PythonPlanner> of_state(const py::tuple& state) {
    auto planner = std::make_unique<PythonPlanner>(state[0].cast<std::string>(), state[1].cast<py::tuple>());
    if (!state[2].is_none()) {
      const auto match = state[2].cast<py::tuple>();
      const engine::Physics physics = physics_of(match[0].cast<std::string>(), match[1].cast<std::string>());
      planner->resume(physics, setup_of_pickle(match[2]), player_of(match[3]), match[4].cast<int>(),
                      match[5].cast<std::string>());
    }
    return planner;
  }

  void begin_match(engine::World& world, Player me) {
    check_usable("Planner");
    planner_->begin_match(world, me);
    setup_ = world.setup();
    physics_ = world.physics();
    me_ = me;
    last_tick_ = world.tick() - 1;
    begun_ = true;
  }

  // A new match begins when the world is in another match or went back.
  planning::Decision decide(PythonWorld& python_world, Player me, engine::Command enemy_last, search::Budget budget) {
    check_usable("Planner");
    engine::World& world = python_world.get();
    if (!begun_ || me != me_ || world.tick() <= last_tick_ || world.setup() != setup_ || world.physics() != physics_) {
      begin_match(world, me);
    }
    last_tick_ = world.tick();
    Interruption interruption;
    const std::function<bool()> stop = std::ref(interruption);
    budget.stop_when(stop);
    planning::Decision decision;
    {
      const auto using_planner = use(), using_world = python_world.use();
      const WithoutGil release;
      decision = planner_->decide(world, enemy_last, budget);
    }
    interruption.rethrow();
    return decision;
  }

  [[nodiscard]] const std::string& name() const {
    check_usable("Planner");
    return name_;
  }

 private:
  [[nodiscard]] std::string carried() const {
    search::PlannerState state;
    planner_->carry(state);
    return state.bytes();
  }
  void resume(engine::Physics physics, const engine::MatchSetup& setup, Player me, int last_tick,
              const std::string& bytes) {
    engine::World world(physics);
    world.begin_match(setup);
    begin_match(world, me);
    last_tick_ = last_tick;
    search::PlannerState state(bytes);
    planner_->carry(state);
    if (!state.at_end()) throw Error("a Planner's pickle: damaged");
  }

  std::string name_;
  py::tuple arguments_;
  std::unique_ptr<Planner> planner_;
  engine::MatchSetup setup_;
  engine::Physics physics_ = engine::Physics::flat;
  Player me_ = Player::first;
  int last_tick_ = 0;
  bool begun_ = false;
};

std::unique_ptr<PythonPlanner> make_planner(py::handle name, py::handle evaluator, py::handle opponent, py::handle seed,
                                            const py::object& weights, py::handle horizon, py::handle hold,
                                            py::handle discount, py::handle opponent_share) {
  return std::make_unique<PythonPlanner>(
      given<std::string>(name, "Planner(name)", "one of madcars.planners"),
      py::make_tuple(evaluator, opponent, seed, weights_text(weights), horizon, hold, discount, opponent_share));
}

py::object decide(PythonPlanner& self, PythonWorld& world, py::handle player, py::handle enemy_last,
                  py::handle given_ticks, py::handle given_ms) {
  const auto ticks =
      given<std::optional<std::int64_t>>(given_ticks, "Planner.decide(ticks=)", "a whole number, or None");
  const auto time_ms = given<std::optional<double>>(given_ms, "Planner.decide(time_ms=)", "0 to 1e9, or None");
  if (ticks && time_ms) throw Error("Planner.decide(): found ticks and time_ms, expected one of them");
  if (ticks.value_or(0) < 0) throw Error("Planner.decide(ticks=): found a negative number, expected 0 or more");
  if (time_ms && !(*time_ms >= 0 && *time_ms <= 1e9)) refuse_value("Planner.decide(time_ms=)", given_ms, "0 to 1e9");
  const search::Budget budget =
      time_ms ? search::Budget::of_time(std::chrono::nanoseconds(static_cast<std::int64_t>(*time_ms * 1e6)))
              : search::Budget::of_ticks(ticks.value_or(kBudgetTicks));
  const planning::Decision made = self.decide(world, player_of(player), command_of(enemy_last), budget);
  static PyObject* type = nullptr;
  return made_by(
      type, "forkmunk.results", "Decision",
      py::make_tuple(number_of(made.command), list_of(made.plan), list_of(made.reply), made.score, made.ticks));
}

class PythonEvaluator : public Guarded {
 public:
  PythonEvaluator(std::string name, std::string weights)
      : name_(std::move(name)),
        weights_(std::move(weights)),
        evaluator_(planning::make_evaluator(name_, weights_of(weights_))) {}

  [[nodiscard]] py::tuple state() const {
    check_usable("Evaluator");
    return py::make_tuple(name_, weights_);
  }
  [[nodiscard]] static std::unique_ptr<PythonEvaluator> of_state(const py::tuple& state) {
    return std::make_unique<PythonEvaluator>(state[0].cast<std::string>(), state[1].cast<std::string>());
  }

  [[nodiscard]] planning::Evaluator& ready_for(const engine::World& world) {
    check_usable("Evaluator");
    if (!begun_ || world.setup() != setup_) {
      evaluator_->begin_match(world.setup());
      setup_ = world.setup();
      begun_ = true;
    }
    return *evaluator_;
  }

 private:
  std::string name_, weights_;
  std::unique_ptr<planning::Evaluator> evaluator_;
  engine::MatchSetup setup_;
  bool begun_ = false;
};

int checked_ahead(int ahead) {
  if (ahead >= 0 && ahead <= search::kPlanTicksMax) return ahead;
  throw Error("ahead: found ", ahead, " ticks, expected 0 to ", search::kPlanTicksMax);
}

template <auto show>
py::dict explained(PythonEvaluator& self, PythonWorld& world, py::handle player, int ahead) {
  py::dict result;
  for (const auto& term : self.ready_for(world.get()).explain(world.get(), player_of(player), checked_ahead(ahead))) {
    result[py::str(std::string(term.name))] = show(term);
  }
  return result;
}

void add_planner(py::module_& module) {
  DocumentedClass<PythonPlanner> planner(module, "Planner");
  add_pickle(planner);
  add_become(planner, "Planner");
  planner.constructor(py::init(&make_planner))
      .method("begin_match", [](PythonPlanner& self, PythonWorld& world,
                                py::handle player) { self.begin_match(world.get(), player_of(player)); })
      .method("decide", &decide)
      .property("name", &PythonPlanner::name)
      .def("__repr__", [](const PythonPlanner& self) { return "<madcars.Planner " + self.name() + ">"; });
}

}  // namespace

void add_search(py::module_& module) {
  add_planner(module);
  DocumentedClass<PythonEvaluator> type(module, "Evaluator");
  add_pickle(type);
  type.constructor(py::init([](const std::string& name, const py::object& weights) {
        return std::make_unique<PythonEvaluator>(name, weights_text(weights));
      }))
      .method("evaluate",
              [](PythonEvaluator& self, PythonWorld& world, py::handle player, int ahead) {
                return self.ready_for(world.get()).evaluate(world.get(), player_of(player), checked_ahead(ahead));
              })
      .method("terms", &explained<[](const auto& term) { return py::float_(term.value * term.weight); }>)
      .method("explain", &explained<[](const auto& term) { return py::make_tuple(term.value, term.weight); }>);
  module.attr("planners") = names_of(search::planners());
  module.attr("evaluators") = names_of(planning::evaluators());
  module.attr("opponents") = names_of(search::opponent_models());
}

}  // namespace forkmunk::python

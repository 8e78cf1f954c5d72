// SPDX-License-Identifier: MIT
#include "batch_objects.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/thread_pool.h>
#include <forkmunk/space/rollout.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace forkmunk::FORKMUNK_SPACE {
namespace {

template <typename Channels>
std::size_t width_of_all(const Channels& channels) {
  std::size_t width = 0;
  for (const auto& channel : channels) width += width_of(channel.field);
  return width;
}

bool touch(const cpShape* a, const cpShape* b) noexcept {
  return cpBBIntersects(a->bb, b->bb) != cpFalse && cpShapesCollide(a, b).count > 0;
}

[[noreturn]] void refuse(const std::string& what) { throw Error("Batch::rollout(): ", what); }

}  // namespace

class RolloutRun {
 public:
  RolloutRun(Batch& batch, const Snapshot& from, const RolloutOptions& options, Rollout& result)
      : batch_(batch),
        from_(from),
        options_(options),
        result_(result),
        action_width_(width_of_all(options.controls)),
        state_width_(width_of_all(options.observed)),
        kept_(options.every == 0 ? 0 : options.action_count / options.every) {}

  /// Checks all options. \throws Error
  void check();
  void play();

 private:
  void check_numbers();
  template <typename Object>
  void check_object(const Object* object, const std::string& what) const;
  void check_pair(const ShapePair& pair, const std::string& what) const;
  template <typename Channel>
  void check_channel(const Channel& channel, const std::string& what) const;

  void prepare(std::size_t world) const;
  void play(std::size_t first, std::size_t worker, std::span<std::exception_ptr> problems);
  void note_step(const arena_alloc::Arena& world, std::size_t plan, std::uint8_t* contacts);
  void set(const arena_alloc::Arena& world, const double* action) const;
  void observe(const arena_alloc::Arena& world, double* out) const;
  [[nodiscard]] bool is_true(const Event& event, const arena_alloc::Arena& world) const;
  // A callback may have removed the object.
  template <typename Object>
  [[nodiscard]] Object* at(const arena_alloc::Arena& world, const Object* object) const {
    if (Object* found = batch_.objects_->find(world, object)) return found;
    batch_.objects_->refuse(object, "an object of a control, observation, contact or event");
  }

  Batch& batch_;
  const Snapshot& from_;
  const RolloutOptions& options_;
  Rollout& result_;
  std::size_t action_width_, state_width_;
  std::size_t kept_;  // states of a plan
  std::size_t plan_count_ = 0;
  std::size_t share_ = 1;               // the plans that a thread plays together, each in a world of its own
  std::vector<std::uint8_t> prepared_;  // by world
};

void RolloutRun::check_numbers() {
  constexpr std::size_t kStepsMax = 1'000'000;
  if (!(std::isfinite(static_cast<cpFloat>(options_.dt)) && options_.dt >= 0))
    refuse("dt is not a finite number, 0 or more");
  if (options_.action_count == 0) refuse("found plans without actions, expected 1 or more");
  if (options_.substeps == 0 || options_.substeps > kStepsMax / options_.action_count) {
    refuse(concat("found ", options_.substeps, " substeps of ", options_.action_count,
                  " actions, expected 1 or more, and at most 1,000,000 steps"));
  }
  const std::uint64_t of_a_plan = std::uint64_t{options_.action_count} * action_width_;
  plan_count_ = of_a_plan == 0 ? options_.plan_count : static_cast<std::size_t>(options_.actions.size() / of_a_plan);
  if (options_.actions.size() != plan_count_ * of_a_plan) {
    refuse(concat("found ", options_.actions.size(), " numbers of actions, expected a multiple of ", of_a_plan, ": ",
                  options_.action_count, " actions x ", action_width_));
  }
  // Products of 32 bits would wrap.
  const double bytes = static_cast<double>(plan_count_) *
                       (static_cast<double>(kept_ + 1) * static_cast<double>(state_width_ * sizeof(double)) +
                        static_cast<double>(options_.action_count) * static_cast<double>(options_.contacts.size()) +
                        static_cast<double>((options_.events.size() + 1) * sizeof(std::int32_t)));
  if (bytes > static_cast<double>(std::numeric_limits<std::ptrdiff_t>::max())) {
    refuse(concat("the results of ", plan_count_, " plans have more bytes than there are addresses"));
  }
  require_finite("Batch::rollout(): actions", options_.actions);
}

template <typename Object>
void RolloutRun::check_object(const Object* object, const std::string& what) const {
  if (batch_.objects_->find(arena_of(batch_.scratch_[0]), object) == nullptr) {
    batch_.objects_->refuse(object, "Batch::rollout(): the " + what);
  }
}

void RolloutRun::check_pair(const ShapePair& pair, const std::string& what) const {
  check_object(pair.a, "first shape of " + what);
  check_object(pair.b, "second shape of " + what);
}

template <typename Channel>
void RolloutRun::check_channel(const Channel& channel, const std::string& what) const {
  if ((channel.body == nullptr) == (channel.motor == nullptr)) refuse(concat(what, ": expected a body or a motor"));
  const std::string function = "Batch::rollout(): " + what;
  const auto check_its = [&](const auto* object, const char* kind) {
    require_field(function.c_str(), channel.field, object);
    check_object(object, kind + what);
  };
  channel.body != nullptr ? check_its(channel.body, "body of ") : check_its(channel.motor, "motor of ");
}

void RolloutRun::check() {
  check_numbers();
  if (from_.empty()) refuse("the snapshot is empty; save a Space into it first");
  constexpr std::size_t kShareMax = sizeof(void*) == 4 ? 4 : 16;  // each world takes addresses
  share_ = std::min(batch_.together_max(plan_count_), kShareMax);
  while (batch_.scratch_.size() < batch_.thread_count() * share_)
    batch_.scratch_.push_back(batch_.objects_->twin.fork());
  batch_.starts_.resize(batch_.scratch_.size());
  prepare(0);
  const auto each = [](const auto& list, const std::string& name, const auto& check_one) {
    for (std::size_t i = 0; i < list.size(); ++i) check_one(list[i], concat(name, " ", i));
  };
  std::size_t column = 0;
  each(options_.controls, "control", [&](const Control& control, const std::string& what) {
    check_channel(control, what);
    if ((control.stiffness != 0 || control.damping != 0) && control.field != Field::position) {
      refuse(concat(what, ": a servo with stiffness and damping sets a position"));
    }
    if (control.is_local && (control.field != Field::force || control.body == nullptr)) {
      refuse(concat(what, ": only a force is local"));
    }
    const double gains[] = {control.stiffness, control.damping, control.point.x, control.point.y};
    require_finite(("Batch::rollout(): " + what).c_str(), gains);
    for (std::size_t at = column; at < options_.actions.size(); at += action_width_) {
      require_value(("Batch::rollout(): " + what).c_str(), control.field, options_.actions[at]);
    }
    column += width_of(control.field);
  });
  each(options_.observed, "observed field",
       [&](const Observed& observed, const std::string& what) { check_channel(observed, what); });
  each(options_.contacts, "contact", [&](const ShapePair& pair, const std::string& what) { check_pair(pair, what); });
  each(options_.events, "event", [&](const Event& event, const std::string& what) {
    if (event.body == nullptr) return check_pair(event.touching, what);
    if (event.touching.a != nullptr || event.touching.b != nullptr)
      refuse(concat(what, ": expected two shapes or a body"));
    check_object(event.body, "body of " + what);
    const cpBB& box = event.box;
    if (std::isnan(box.l) || std::isnan(box.b) || std::isnan(box.r) || std::isnan(box.t)) {
      refuse(concat(what, ": its box has a NaN"));
    }
  });
}

// Translates the snapshot once: then a plan starts with one memcpy.
void RolloutRun::prepare(std::size_t world) const {
  if (!batch_.scratch_[world].restore(from_)) refuse("a world cannot grow to hold the snapshot");
  batch_.scratch_[world].save(batch_.starts_[world]);
}

void RolloutRun::play() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  result_.plan_count = plan_count_;
  result_.final_states.assign(plan_count_ * state_width_, kNone);
  result_.states.assign(plan_count_ * kept_ * state_width_, kNone);
  result_.contacts.assign(plan_count_ * options_.action_count * options_.contacts.size(), 0);
  result_.event_steps.assign(plan_count_ * options_.events.size(), 0);
  result_.step_counts.assign(plan_count_, 0);

  // By plan, so that the Error does not depend on scheduling.
  std::vector<std::exception_ptr> problems(plan_count_);
  prepared_.assign(batch_.scratch_.size(), 0);
  prepared_[0] = 1;
  batch_.running_ = true;
  batch_.pool_->run(plan_count_, share_, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    try {
      play(begin, worker, std::span(problems).subspan(begin, end - begin));
    } catch (...) {
      std::fill(problems.data() + begin, problems.data() + end, std::current_exception());
    }
  });
  batch_.running_ = false;
  for (std::size_t plan = 0; plan < plan_count_; ++plan) {
    if (!problems[plan]) continue;
    try {
      std::rethrow_exception(problems[plan]);
    } catch (const Error& error) {
      refuse(concat("plan ", plan, ": ", error.what()));
    }
  }
}

void RolloutRun::play(std::size_t first, std::size_t worker, std::span<std::exception_ptr> problems) {
  static const std::exception_ptr not_finite = std::make_exception_ptr(0);  // ends a plan, and is no problem
  const std::size_t first_world = worker * share_;
  const auto worlds = std::span(batch_.scratch_).subspan(first_world, problems.size());
  const auto for_each_plan = [&](auto visit) {
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      if (problems[i] != nullptr) continue;
      try {
        visit(first + i, worlds[i]);
      } catch (...) {
        problems[i] = std::current_exception();
      }
    }
  };
  const auto end_if_not_finite = [&](std::size_t plan, const Space& world) {
    const cpSpace* const space = world.space();
    if (space != nullptr && !is_finite(*space)) problems[plan - first] = not_finite;
  };
  const auto row_of = [&](std::size_t plan, std::size_t action) { return plan * options_.action_count + action; };
  const auto stops = [&] { return options_.stop && options_.stop(); };
  if (stops()) return;
  for_each_plan([&](std::size_t plan, Space& world) {
    const std::size_t index = first_world + plan - first;
    if (prepared_[index] == 0) prepare(index);
    prepared_[index] = 1;
    if (!world.restore(batch_.starts_[index])) refuse("a world cannot grow to hold the snapshot");
  });
  for (std::size_t action = 0; action < options_.action_count && !stops(); ++action) {
    for (std::size_t i = 0; i < options_.substeps; ++i) {
      for_each_plan([&](std::size_t plan, const Space& world) {
        set(arena_of(world), options_.actions.data() + row_of(plan, action) * action_width_);
        end_if_not_finite(plan, world);
      });
      Space::step_together(worlds, options_.dt, problems);
      for_each_plan(end_if_not_finite);
      for_each_plan([&](std::size_t plan, const Space& world) {
        note_step(arena_of(world), plan, result_.contacts.data() + row_of(plan, action) * options_.contacts.size());
      });
    }
    for_each_plan([&](std::size_t plan, Space& world) {
      if (options_.after_action) options_.after_action(plan, action, world);
      if (options_.every != 0 && (action + 1) % options_.every == 0) {
        observe(arena_of(world), result_.states.data() + (plan * kept_ + action / options_.every) * state_width_);
      }
      if (action + 1 < options_.action_count) return;
      observe(arena_of(world), result_.final_states.data() + plan * state_width_);
    });
  }
  for (std::exception_ptr& problem : problems) {
    if (problem == not_finite) problem = nullptr;
  }
}

void RolloutRun::note_step(const arena_alloc::Arena& world, std::size_t plan, std::uint8_t* contacts) {
  const std::int32_t steps = ++result_.step_counts[plan];
  for (std::size_t i = 0; i < options_.contacts.size(); ++i) {
    const ShapePair& pair = options_.contacts[i];
    if (contacts[i] == 0) contacts[i] = touch(at(world, pair.a), at(world, pair.b)) ? 1 : 0;
  }
  for (std::size_t i = 0; i < options_.events.size(); ++i) {
    std::int32_t& first = result_.event_steps[plan * options_.events.size() + i];
    if (first == 0 && is_true(options_.events[i], world)) first = steps;
  }
}

void RolloutRun::set(const arena_alloc::Arena& world, const double* action) const {
  for (const Control& control : options_.controls) {
    if (control.motor != nullptr) {
      write_field(control.field, at(world, control.motor), action);
    } else if (control.is_local) {
      cpBodyApplyForceAtLocalPoint(at(world, control.body),
                                   cpv(static_cast<cpFloat>(action[0]), static_cast<cpFloat>(action[1])),
                                   control.point);
    } else if (control.stiffness == 0 && control.damping == 0) {
      write_field(control.field, at(world, control.body), action);
    } else {
      cpBody* body = at(world, control.body);
      const cpVect p = cpBodyGetPosition(body), v = cpBodyGetVelocity(body);
      const auto faster = [&](double target, double position, double velocity) {
        const double acceleration = control.stiffness * (target - position) + control.damping * (0 - velocity);
        return static_cast<cpFloat>(velocity + acceleration * options_.dt);
      };
      cpBodySetVelocity(body, {faster(action[0], p.x, v.x), faster(action[1], p.y, v.y)});
    }
    action += width_of(control.field);
  }
}

void RolloutRun::observe(const arena_alloc::Arena& world, double* out) const {
  for (const Observed& observed : options_.observed) {
    if (observed.motor != nullptr) {
      read_field(observed.field, at(world, observed.motor), out);
    } else {
      read_field(observed.field, at(world, observed.body), out);
    }
    out += width_of(observed.field);
  }
}

bool RolloutRun::is_true(const Event& event, const arena_alloc::Arena& world) const {
  if (event.body == nullptr) return touch(at(world, event.touching.a), at(world, event.touching.b));
  return cpBBContainsVect(event.box, cpBodyGetPosition(at(world, event.body))) == cpFalse;
}

void Batch::rollout(const Snapshot& from, const RolloutOptions& options, Rollout& result) {
  require_rest("rollout");
  RolloutRun run(*this, from, options, result);
  run.check();
  run.play();
}

}  // namespace forkmunk::FORKMUNK_SPACE

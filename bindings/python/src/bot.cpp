// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "copies.h"
#include "documented.h"
#include "module.h"
#include "world.h"

#include <forkmunk/referee/bot_factory.h>

#include <algorithm>

namespace forkmunk::python {
namespace {

using engine::Player;
using engine::World;

/// A bot of the program, asked tick by tick. Its twin is a new bot of its seed that replays the questions. A scripted
/// bot draws as many random numbers per answer in any world, but a planner needs the worlds.
class PythonBot : public Guarded {
 public:
  PythonBot(const std::string& spec, std::uint64_t seed)
      : spec_(spec), seed_(seed), bot_(referee::make_bot(spec, seed, {})) {
    if (dynamic_cast<referee::ProcessBot*>(bot_.get()) != nullptr)
      throw Error("Bot: \"", spec, "\" is the command line of a process; expected \"builtin:NAME\"");
    is_scripted_ = std::ranges::any_of(referee::scripted_bots(),
                                       [&](const auto& info) { return spec == "builtin:" + std::string(info.name); });
  }

  void begin_match(PythonWorld& world, py::handle player) {
    check_usable("Bot");
    const Player me = player_of(player);
    bot_->begin_match(world.get(), me, {1, 1});
    record(world, me);
  }
  int command(PythonWorld& world) {
    check_usable("Bot");
    if (asked_.empty()) throw Error("Bot.command(): no match has begun; call begin_match() before");
    World& shown = world.get();
    record(world, std::nullopt);
    const auto using_bot = use(), using_world = world.use();
    const WithoutGil release;
    bot_->send_tick(shown);
    return number_of(bot_->answer(shown).command);
  }

  [[nodiscard]] py::tuple state() const {
    check_usable("Bot");
    py::list asked;
    for (const Asked& each : asked_) {
      asked.append(
          py::make_tuple(each.world->state(), each.begins ? py::object(py::int_(index_of(*each.begins))) : py::none()));
    }
    return py::make_tuple(spec_, seed_, count_, py::tuple(asked));
  }
  [[nodiscard]] static std::unique_ptr<PythonBot> of_state(const py::tuple& state) {
    auto bot = std::make_unique<PythonBot>(state[0].cast<std::string>(), state[1].cast<std::uint64_t>());
    std::vector<Asked> asked;
    for (const py::handle given : state[3].cast<py::tuple>()) {
      const auto pair = given.cast<py::tuple>();
      asked.push_back({PythonSnapshot::of_state(pair[0].cast<py::tuple>()), std::nullopt});
      if (!pair[1].is_none()) asked.back().begins = player_of(pair[1]);
    }
    bot->replay(asked, state[2].cast<std::size_t>());
    return bot;
  }

 private:
  struct Asked {
    std::shared_ptr<const PythonSnapshot> world;
    std::optional<Player> begins;  // begin_match()'s player; nullopt for a command
  };

  void record(PythonWorld& world, std::optional<Player> begins) {
    if (!begins) ++count_;
    if (is_scripted_ && begins) asked_.clear();
    if (is_scripted_ && !begins) return;
    auto snapshot = std::make_shared<PythonSnapshot>();
    world.save(*snapshot);
    asked_.push_back({std::move(snapshot), begins});
  }

  void replay(const std::vector<Asked>& asked, std::size_t count) {
    for (const Asked& each : asked) {
      const World world = each.world->world();
      if (each.begins) bot_->begin_match(world, *each.begins, {1, 1});
      if (each.begins && !is_scripted_) continue;
      for (std::size_t i = 0; i < (is_scripted_ ? count : 1); ++i) {
        bot_->send_tick(world);
        static_cast<void>(bot_->answer(world));
      }
    }
    asked_ = asked;
    count_ = count;
  }

  std::string spec_;
  std::uint64_t seed_;
  std::unique_ptr<referee::Bot> bot_;
  bool is_scripted_ = false;
  std::vector<Asked> asked_;  // for a scripted bot only the last begin_match()
  std::size_t count_ = 0;     // the number of answers
};

}  // namespace

void add_bot(py::module_& module) {
  DocumentedClass<PythonBot> type(module, "Bot");
  add_pickle(type);
  add_become(type, "Bot");
  type.constructor(py::init([](py::handle spec, py::handle seed) {
        if (!py::isinstance<py::str>(spec)) refuse_type("Bot(spec)", spec, "\"builtin:NAME\"");
        return std::make_unique<PythonBot>(utf8_of(spec), count_of(seed, "Bot(seed=)"));
      }))
      .method("begin_match", &PythonBot::begin_match)
      .method("command", &PythonBot::command);
}

}  // namespace forkmunk::python

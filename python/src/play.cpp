#include "arguments.h"
#include "gil.h"
#include "module.h"
#include "recording.h"
#include "world.h"

#include <forkmunk/base/printable.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/match_list.h>
#include <forkmunk/referee/play.h>

namespace forkmunk::python {
namespace {

using engine::Player;
using engine::World;

py::object twin_of(const World& world) { return py::cast(std::make_unique<PythonWorld>(world.fork())); }

/// A bot that is a Python callable. It is given a twin of the world, which it may step as it likes.
class CallableBot final : public referee::Bot {
 public:
  explicit CallableBot(py::object callable) : callable_(std::move(callable)) {}

  // Called without the GIL; destroyed with it.
  void begin_match(const World& world, Player me, const engine::Lives& lives) override {
    me_ = me;
    const WithGil acquire;
    if (!py::hasattr(callable_, "begin_match")) return;
    called(callable_.attr("begin_match"),
           py::make_tuple(twin_of(world), index_of(me), py::make_tuple(lives[0], lives[1])));
  }
  void send_tick(const World&) override {}
  [[nodiscard]] referee::Answer answer(const World& world) override {
    const WithGil acquire;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    const py::object command = called(callable_, py::make_tuple(twin_of(world), index_of(me_)));
    return {referee::Answer::Kind::command, command_of(command), {}, {}};
  }

 private:
  py::object callable_;
  Player me_ = Player::first;
};

/// A scripted bot beside its world: environments' opponents.
class PythonBot : public Guarded {
 public:
  PythonBot(const std::string& spec, std::uint64_t seed) : bot_(referee::make_bot(spec, seed, {})) {
    if (dynamic_cast<referee::ProcessBot*>(bot_.get()) != nullptr)
      throw Error("Bot: found the command line of a process, expected \"builtin:NAME\"");
  }
  void begin_match(PythonWorld& world, py::handle player) {
    check_usable("Bot");
    bot_->begin_match(world.get(), player_of(player), {1, 1});
    begun_ = true;
  }
  int command(PythonWorld& world) {
    check_usable("Bot");
    if (!begun_) throw Error("Bot.command(): found no match, expected begin_match() before");
    World& shown = world.get();
    const Use using_bot(*this), using_world(world);
    const WithoutGil release;
    bot_->send_tick(shown);
    return number_of(bot_->answer(shown).command);
  }

 private:
  std::unique_ptr<referee::Bot> bot_;
  bool begun_ = false;
};

/// A game that was played.
struct Game : public Guarded {
  [[nodiscard]] const Game& get() const {
    check_usable("Game");
    return *this;
  }

  referee::GameResult result;
  std::vector<std::string> names;
  std::shared_ptr<PythonRecording> recording;
};

std::unique_ptr<referee::Bot> make_bot(const py::object& bot, std::uint64_t seed, bool thoughts) {
  if (py::isinstance<py::str>(bot)) return referee::make_bot(bot.cast<std::string>(), seed, {}, thoughts);
  if (PyCallable_Check(bot.ptr()) != 0) return std::make_unique<CallableBot>(bot);
  throw py::type_error("a bot: found " + described(bot) +
                       ", expected a callable bot(world, player) -> command, \"builtin:NAME\" or a command line");
}

std::string name_of(const py::object& bot) {
  if (py::isinstance<py::str>(bot)) return bot.cast<std::string>();
  return py::str(py::getattr(bot, "__name__", py::type::of(bot).attr("__name__")));
}

std::unique_ptr<Game> play(const py::object& first, const py::object& second, const py::object& matches,
                           std::uint64_t seed, const std::string& arithmetic, const std::optional<std::string>& engine,
                           bool thoughts) {
  Random random(seed);
  referee::MatchList list;
  if (matches.is_none()) {
    list = referee::draw_matches(random);
  } else if (py::isinstance<py::str>(matches)) {
    list = referee::parse_matches({matches.cast<std::string>()});
  } else {
    for (const py::handle match : matches) {
      if (py::isinstance<py::str>(match)) {
        const referee::MatchList one = referee::parse_matches({match.cast<std::string>()});
        list.setups.push_back(one.setups[0]);
      } else if (py::isinstance<py::tuple>(match) && py::len(match) == 2) {
        const auto pair = py::reinterpret_borrow<py::tuple>(match);
        list.setups.push_back(setup_of(pair[0], pair[1]));
      } else {
        list.setups.push_back(setup_of(match, py::none()));
      }
      list.names.push_back(referee::name_of(list.setups.back()));
    }
  }
  const referee::GamePlan plan{list.setups, physics_of(arithmetic, engine), random.next()};
  const std::array seeds{random.next(), random.next()};
  const std::array bots{make_bot(first, seeds[0], thoughts), make_bot(second, seeds[1], thoughts)};
  referee::GameRecord record;
  auto game = std::make_unique<Game>();
  {
    const WithoutGil release;
    Interruption interruption;
    game->result = referee::play_game(plan, *bots[0], *bots[1], &record, [&](std::int64_t) {
      if (!interruption()) return;
      const WithGil acquire;
      interruption.rethrow();
    });
  }
  record.recording.player_ids = {printable(name_of(first)), printable(name_of(second))};
  io::RecordingExtras extras{list.names, {}, {}};
  if (thoughts) {
    extras.trace = std::move(record.trace);
    extras.search_traces = std::move(record.search_traces);
  }
  game->names = list.names;
  game->recording =
      std::make_shared<PythonRecording>(std::move(record.recording), "game", std::string(), std::move(extras));
  return game;
}

py::list matches_of(const Game& self) {
  const Game& game = self.get();
  py::list matches;
  for (std::size_t m = 0; m < game.result.matches.size(); ++m) {
    const formats::MatchOutcome& match = game.result.matches[m];
    const std::string& name = game.names[m];
    py::dict result;
    result["map"] = name.substr(0, name.find(','));
    result["car"] = name.substr(name.find(',') + 1);
    result["ticks"] = match.ticks;
    result["died"] = py::make_tuple(match.died[0], match.died[1]);
    result["cause"] = py::make_tuple(std::string(to_string(match.cause[0])), std::string(to_string(match.cause[1])));
    matches.append(std::move(result));
  }
  return matches;
}

py::list players_of(const Game& self) {
  py::list players;
  for (const referee::PlayerResult& player : self.get().result.players) {
    py::dict result;
    result["answers"] = player.answer_ms.size();
    result["garbled"] = player.garbled_answers;
    result["disconnected"] = player.disconnected;
    result["verdict"] = player.verdict;
    players.append(std::move(result));
  }
  return players;
}

}  // namespace

void add_play(py::module_& module) {
  py::class_<Game> game(module, "Game", "A game that play() played.");
  copy_as_itself(game);
  game.def("__repr__",
           [](const Game& self) {
             const referee::GameResult& result = self.get().result;
             return "<forkmunk.Game: " + std::to_string(result.ticks) + " ticks, " +
                    (result.winner ? "won by " + std::to_string(index_of(*result.winner)) : "a draw") +
                    (result.verdict.empty() ? "" : ": " + result.verdict) + ">";
           })
      .def_property_readonly(
          "winner",
          [](const Game& self) -> py::object {
            if (!self.get().result.winner) return py::none();
            return py::int_(index_of(*self.result.winner));
          },
          "0 or 1; None: a draw.")
      .def_property_readonly(
          "lives", [](const Game& self) { return py::make_tuple(self.get().result.lives[0], self.result.lives[1]); },
          "Left at the end.")
      .def_property_readonly("ticks", [](const Game& self) { return self.get().result.ticks; })
      .def_property_readonly(
          "verdict", [](const Game& self) { return self.get().result.verdict; },
          "Why the game was broken off; empty: it was not.")
      .def_property_readonly("matches", &matches_of,
                             "By match a dict: map, car, ticks (rest included), died (first, second), cause.")
      .def_property_readonly("players", &players_of, "By player a dict: answers, garbled, disconnected, verdict.")
      .def_property_readonly(
          "recording", [](const Game& self) { return self.get().recording; }, "The game as a Recording.");
  py::class_<PythonBot>(module, "Bot",
                        "Bot(spec, seed=0)\n\nOne of the program's bots, \"builtin:NAME\", asked tick by tick.")
      .def(py::init<const std::string&, std::uint64_t>(), py::arg("spec"), py::arg("seed") = 0)
      .def("begin_match", &PythonBot::begin_match, py::arg("world"), py::arg("player"), "At a match's first tick.")
      .def("command", &PythonBot::command, py::arg("world"), "-1, 0 or 1, for the world's tick.");
  module.def(
      "play", &play, py::arg("bot_a"), py::arg("bot_b"), py::arg("matches") = py::none(), py::kw_only(),
      py::arg("seed") = 0, py::arg("arithmetic") = "strict", py::arg("engine") = py::none(),
      py::arg("thoughts") = false,
      "Plays a game by the contest's rules. A bot is a callable bot(world, player) -> command, where world is a\n"
      "twin that it may step, and player 0 or 1; it may have begin_match(world, player, lives). Or it is text as\n"
      "for `forkmunk play`: \"builtin:NAME\" or a command line. matches: \"Map,Car\", (map, car) or messages; None:\n"
      "9 drawn by the seed. What a bot raises ends the game and is raised here. With thoughts builtin planners\n"
      "show what they had in mind. Returns a Game.");
}

}  // namespace forkmunk::python

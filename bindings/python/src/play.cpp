// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "copies.h"
#include "documented.h"
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

py::object twin_of(const World& world) { return py::cast(std::make_unique<PythonWorld>(world.fork(), History())); }

class CallableBot final : public referee::Bot {
 public:
  explicit CallableBot(py::object callable) : callable_(std::move(callable)) {}

  // The function is called without the GIL, and destroyed with it.
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

std::unique_ptr<referee::Bot> make_bot(const py::object& bot, std::uint64_t seed, const referee::BotLimits& limits,
                                       bool with_trace) {
  if (py::isinstance<py::str>(bot)) return referee::make_bot(utf8_of(bot), seed, limits, with_trace);
  if (PyCallable_Check(bot.ptr()) != 0) return std::make_unique<CallableBot>(bot);
  refuse_type("a bot", bot, "a callable bot(world, player) -> command, \"builtin:NAME\" or a command line");
}

std::string name_of(const py::object& bot) {
  if (py::isinstance<py::str>(bot)) return utf8_of(bot);
  return utf8_of(py::str(py::getattr(bot, "__name__", py::type::of(bot).attr("__name__"))));
}

py::list matches_of(const referee::GameResult& game, const std::vector<std::string>& names) {
  py::list matches;
  for (std::size_t m = 0; m < game.matches.size(); ++m) {
    const formats::MatchOutcome& match = game.matches[m];
    const std::string& name = names[m];
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

py::list players_of(const referee::GameResult& game) {
  py::list players;
  for (const referee::PlayerResult& player : game.players) {
    py::dict result;
    result["answers"] = player.answer_ms.size();
    result["garbled"] = player.garbled_answers;
    result["first_garbled"] = player.first_garbled;
    result["without_plan"] = player.answers_without_plan;
    result["surplus_lines"] = player.surplus_lines;
    result["disconnected"] = player.disconnected;
    result["verdict"] = player.verdict;
    players.append(std::move(result));
  }
  return players;
}

py::object play(const py::object& first, const py::object& second, const py::object& matches, py::handle seed,
                const std::string& arithmetic, const std::optional<std::string>& engine, bool with_trace) {
  Random random(count_of(seed, "play(seed=)"));
  referee::MatchList list;
  if (matches.is_none()) {
    list = referee::draw_matches(random);
  } else if (py::isinstance<py::str>(matches)) {
    list = referee::parse_matches({utf8_of(matches)});
  } else if (!py::isinstance<py::iterable>(matches) || py::isinstance<py::dict>(matches)) {
    refuse_type("play(matches=)", matches, "a list of \"MAP,CAR\", (map, car) or messages");
  } else {
    for (const py::handle match : matches) {
      if (py::isinstance<py::str>(match)) {
        const referee::MatchList one = referee::parse_matches({utf8_of(match)});
        list.setups.push_back(one.setups[0]);
      } else {
        list.setups.push_back(setup_of(match));
      }
      list.names.push_back(referee::name_of(list.setups.back()));
    }
  }
  const referee::GamePlan plan{list.setups, physics_of(arithmetic, engine), random.next()};
  const std::array seeds{random.next(), random.next()};
  Interruption interruption;
  const auto check_interruption = [&interruption] {
    if (!interruption()) return;
    const WithGil acquire;
    interruption.rethrow();
  };
  referee::BotLimits limits;
  limits.while_waiting = check_interruption;
  const std::array bots{make_bot(first, seeds[0], limits, with_trace), make_bot(second, seeds[1], limits, with_trace)};
  referee::GameRecord record;
  referee::GameResult game;
  {
    const WithoutGil release;
    game = referee::play_game(plan, *bots[0], *bots[1], &record, [&](std::int64_t) { check_interruption(); });
  }
  for (std::size_t side = 0; side < 2; ++side) {
    const referee::PlayerResult& player = game.players[side];
    if (player.failed_at_once())
      throw Error("play(): the bot ", name_of(side == 0 ? first : second),
                  " failed at its first answer: ", player.verdict);
  }
  record.recording.player_ids = {printable(name_of(first)), printable(name_of(second))};
  if (!with_trace) record.extras = {};
  record.recording.match_names = list.names;
  const auto recording =
      std::make_shared<PythonRecording>(std::move(record.recording), "game", std::string(), std::move(record.extras));
  const py::object winner = game.winner ? py::object(py::int_(index_of(*game.winner))) : py::none();
  static PyObject* type = nullptr;
  return made_by(type, "forkmunk.results", "Game",
                 py::make_tuple(winner, py::make_tuple(game.lives[0], game.lives[1]), game.ticks, game.verdict,
                                matches_of(game, list.names), players_of(game), recording));
}

}  // namespace

void add_play(py::module_& module) {
  add_bot(module);
  module.def("play", &play, documented("play"));
}

}  // namespace forkmunk::python

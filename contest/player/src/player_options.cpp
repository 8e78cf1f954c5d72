// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/player/player_options.h>
#include <forkmunk/player/weights_file.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace forkmunk::player {
namespace {

struct Key {
  std::string_view name;
  std::string_view what;
  void (*set)(PlayerOptions& options, std::string_view value);
};

double number(std::string_view value) {
  double result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc{} || end != value.data() + value.size() || !std::isfinite(result)) {
    throw Error("expected a number");
  }
  return result;
}

double number(std::string_view value, double min, double max) {
  const double result = number(value);
  if (result < min || result > max) throw Error(fmt::format("expected a number from {} to {}", min, max));
  return result;
}

int count(std::string_view value, int min = 0) {
  const double result = number(value);
  if (result < min || result > 1e9 || result != static_cast<double>(static_cast<int>(result))) {
    throw Error(fmt::format("expected a whole number from {} to 1000000000", min));
  }
  return static_cast<int>(result);
}

search::OpponentModel opponent_model(std::string_view value) {
  if (const auto model = search::parse_opponent_model(value)) return *model;
  throw Error("expected one of ", list_of_names(search::opponent_models()));
}

std::chrono::nanoseconds milliseconds(double ms) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double, std::milli>(ms));
}

constexpr std::array<Key, 11> kKeys{{
    {"ticks", "simulated ticks per answer (reproducible)", [](auto& o, auto v) { o.ticks = count(v, 1); }},
    {"time-ms", "mean milliseconds per answer, instead of ticks",
     [](auto& o, auto v) { o.time = milliseconds(number(v, 0.001, 1e6)); }},
    {"evaluator", "evaluator of states", [](auto& o, auto v) { o.search.evaluator = v; }},
    {"opponent", "opponent model", [](auto& o, auto v) { o.search.opponent = opponent_model(v); }},
    {"seed", "random seed",
     [](auto& o, auto v) {
       o.search.seed = static_cast<std::uint64_t>(count(v));
       o.has_seed = true;
     }},
    {"horizon", "length of a plan in ticks, 4 to 128", [](auto& o, auto v) { o.search.horizon = count(v); }},
    {"hold", "length of an action in ticks", [](auto& o, auto v) { o.search.hold = count(v); }},
    {"discount", "discount factor per tick, 0.5 to 1", [](auto& o, auto v) { o.search.discount = number(v, 0.5, 1); }},
    {"share", "share of the budget for the opponent's plan, 0 to 1",
     [](auto& o, auto v) { o.search.opponent_share = number(v, 0, 1); }},
    {"weights", "JSON file of evaluator weights",
     [](auto& o, auto v) { o.search.weights = read_weights(std::string(v)); }},
    {"threads", "parallel searches; the best plan is used", [](auto& o, auto v) { o.search.threads = count(v); }},
}};

}  // namespace

PlayerOptions parse_player_options(std::string_view text, const std::string& spec) {
  PlayerOptions options;
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (name != "bot") options.planner = name;
  std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  std::array<bool, kKeys.size()> given{};
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    const auto* const found = std::ranges::find(kKeys, key, &Key::name);
    if (found == kKeys.end() || equals == std::string_view::npos) {
      throw Error(
          fmt::format("bot {}: \"{}\" is not key=value with a key of {}", spec, excerpt(item), list_of_names(kKeys)));
    }
    if (std::exchange(given[static_cast<std::size_t>(found - kKeys.begin())], true)) {
      throw Error(fmt::format("bot {}: has {} twice", spec, key));
    }
    try {
      found->set(options, item.substr(equals + 1));
    } catch (const Error& error) {
      throw Error(
          fmt::format("bot {}: {}: found \"{}\", {}", spec, key, excerpt(item.substr(equals + 1)), error.what()));
    }
  }
  if (options.ticks && options.time) throw Error(fmt::format("bot {}: has ticks and time-ms; give one of them", spec));
  return options;
}

std::string player_options_help() {
  std::string text;
  for (const Key& key : kKeys) text += fmt::format("  {:10} {}\n", key.name, key.what);
  return text;
}

}  // namespace forkmunk::player

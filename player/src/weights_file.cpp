#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/io/input_file.h>
#include <forkmunk/io/json_guard.h>
#include <forkmunk/player/weights_file.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forkmunk::player {
namespace {

using nlohmann::json;
using search::CarKind;
using search::TermWeight;

constexpr std::size_t kFileBytesMax = std::size_t{1} << 20;  // 200 times what tune writes
constexpr std::array kKinds{CarKind::buggy, CarKind::bus, CarKind::square_buggy};

void read_term(const std::string& place, const json& cars, TermWeight& row) {
  if (!cars.is_object())
    throw Error(fmt::format("{}: found {}, expected an object by car", place, excerpt(cars.dump())));
  for (const auto& [car, value] : cars.items()) {
    const auto* const kind =
        std::ranges::find_if(kKinds, [&name = car](CarKind each) { return search::to_string(each) == name; });
    if (kind == kKinds.end()) {
      throw Error(fmt::format("{}: found car {}, expected Buggy, Bus or SquareWheelsBuggy", place, excerpt(car)));
    }
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      throw Error(fmt::format("{}.{}: found {}, expected a number", place, car, excerpt(value.dump())));
    }
    row.weight[static_cast<std::size_t>(*kind)] = value.get<double>();
  }
}

nlohmann::ordered_json to_json(const search::Weights& weights) {
  nlohmann::ordered_json result = nlohmann::ordered_json::object();
  for (const TermWeight& row : weights) {
    nlohmann::ordered_json& term = result[std::string(row.evaluator)][std::string(row.term)];
    for (const CarKind kind : kKinds) {
      term[std::string(search::to_string(kind))] = row.weight[static_cast<std::size_t>(kind)];
    }
  }
  return result;
}

search::Weights weights_from(const json& object) {
  search::Weights weights = search::default_weights();
  if (!object.is_object()) throw Error(fmt::format("weights: found {}, expected an object", excerpt(object.dump())));
  for (const auto& [evaluator, terms] : object.items()) {
    if (!terms.is_object())
      throw Error(fmt::format("{}: found {}, expected an object", excerpt(evaluator), excerpt(terms.dump())));
    for (const auto& [term, cars] : terms.items()) {
      const std::string place = fmt::format("{}.{}", excerpt(evaluator), excerpt(term));
      const auto row = std::ranges::find_if(weights, [&row_of = evaluator, &name = term](const TermWeight& each) {
        return each.evaluator == row_of && each.term == name;
      });
      if (row == weights.end()) throw Error(fmt::format("{}: there is no such evaluator and term", place));
      read_term(place, cars, *row);
    }
  }
  return weights;
}

}  // namespace

std::string to_json_text(const search::Weights& weights) { return to_json(weights).dump(); }

search::Weights parse_weights(std::string_view text) {
  io::check_json_depth(text);
  try {
    const json object = json::parse(text);
    return weights_from(object.is_object() && object.contains("weights") ? object.at("weights") : object);
  } catch (const json::parse_error& error) {
    throw Error(fmt::format("found no JSON (at byte {}), expected weights as forkmunk tune writes them", error.byte));
  } catch (const json::exception& error) {
    throw Error(fmt::format("weights: {}", io::json_problem(error.what())));
  }
}

search::Weights read_weights(const std::string& path) {
  const std::string text = io::read_file(path, kFileBytesMax, "weights");
  try {
    return parse_weights(text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

std::string to_source(const search::Weights& weights) {
  std::string text;
  std::string_view last;
  for (const TermWeight& row : weights) {
    if (!last.empty() && last != row.evaluator) text += '\n';
    last = row.evaluator;
    const std::string name = fmt::format("\"{}\",", row.term);
    text += fmt::format("      {{\"{}\", {:18}{{{:5.0f}, {:5.0f}, {:5.0f}}}, {}, \"{}\"}},\n", row.evaluator, name,
                        row.weight[0], row.weight[1], row.weight[2], row.per_tick, row.what);
  }
  return text;
}

}  // namespace forkmunk::player

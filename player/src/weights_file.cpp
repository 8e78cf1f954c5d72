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

constexpr std::size_t kFileBytesMax = std::size_t{1} << 20;

void read_term(const std::string& place, const json& cars, TermWeight& row) {
  if (!cars.is_object())
    throw Error(fmt::format("{}: found {}, expected an object by car", place, excerpt(cars.dump())));
  for (const auto& [car, value] : cars.items()) {
    const auto* const kind =
        std::ranges::find(search::kCarKinds, car, [](CarKind each) { return search::to_string(each); });
    if (kind == search::kCarKinds.end()) {
      throw Error(fmt::format("{}: found car {}, expected {}, {} or {}", place, excerpt(car), to_string(CarKind::buggy),
                              to_string(CarKind::bus), to_string(CarKind::square_buggy)));
    }
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      throw Error(fmt::format("{}.{}: found {}, expected a number", place, car, excerpt(value.dump())));
    }
    row.weight[static_cast<std::size_t>(*kind)] = value.get<double>();
  }
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

search::Weights parse_weights(std::string_view text) {
  io::check_json_depth(text);
  try {
    return weights_from(json::parse(text));
  } catch (const json::parse_error& error) {
    throw Error(fmt::format("no JSON at byte {}; expected weights by evaluator, term and car", error.byte));
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

}  // namespace forkmunk::player

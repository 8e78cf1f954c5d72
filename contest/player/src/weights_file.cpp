// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/io/files.h>
#include <forkmunk/io/json_reader.h>
#include <forkmunk/player/weights_file.h>

#include <algorithm>

#include <fmt/format.h>

namespace forkmunk::player {
namespace {

using io::FieldPath;
using io::JsonError;
using io::JsonObject;
using io::JsonValue;
using planning::CarKind;
using planning::TermWeight;

constexpr std::size_t kFileBytesMax = std::size_t{1} << 20;

void read_term(JsonValue cars, const FieldPath& path, TermWeight& row) {
  JsonObject object = read_object(cars, path);
  read_each_field(object, path, [&](std::string_view car, JsonValue value, const FieldPath& car_path) {
    const auto* const kind =
        std::ranges::find(planning::kCarKinds, car, [](CarKind each) { return planning::to_string(each); });
    if (kind == planning::kCarKinds.end()) {
      throw JsonError(path, "unknown car " + excerpt(car) + ", expected Buggy, Bus or SquareWheelsBuggy");
    }
    row.weight[static_cast<std::size_t>(*kind)] = read_number(value, car_path);
  });
}

}  // namespace

planning::Weights parse_weights(std::string_view text) {
  planning::Weights weights = planning::default_weights();
  io::JsonDocument document(std::string(text), "weights by evaluator, term and car");
  document.read([&](JsonObject& evaluators) {
    io::read_each_field(evaluators, {}, [&](std::string_view evaluator, JsonValue terms, const FieldPath& path) {
      JsonObject object = read_object(terms, path);
      read_each_field(object, path, [&](std::string_view term, JsonValue cars, const FieldPath& term_path) {
        const auto row = std::ranges::find_if(
            weights, [&](const TermWeight& each) { return each.evaluator == evaluator && each.term == term; });
        if (row == weights.end()) throw JsonError(term_path, "unknown evaluator or term");
        read_term(cars, term_path, *row);
      });
    });
  });
  return weights;
}

planning::Weights read_weights(const std::string& path) {
  const std::string text = io::read_file(path, kFileBytesMax);
  try {
    return parse_weights(text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace forkmunk::player

#include "labels.h"

#include <forkmunk/base/printable.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/maps/catalogue.h>

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace forkmunk::tools {
namespace {

// The catalogue's entry with the same numbers, whatever its external id.
template <typename Named, typename Setup>
const Named* same_numbers(std::span<const Named> catalogue, Setup setup) {
  for (const Named& named : catalogue) {
    setup.external_id = named.setup.external_id;
    if (setup == named.setup) return &named;
  }
  return nullptr;
}

template <typename Named, typename Setup>
void check(const char* what, std::span<const Named> catalogue, const Setup& setup, const std::string& label,
           std::size_t match, std::vector<std::string>& problems) {
  const Named* const named = same_numbers(catalogue, setup);
  if (named != nullptr && setup.external_id != named->setup.external_id) {
    problems.push_back(fmt::format("match {}: the {} is {}, whose external_id is {}; found {}", match, what,
                                   named->name, named->setup.external_id, setup.external_id));
  }
  // A varied scene keeps the name of the one that it is a variation of.
  if (label.empty() || named == nullptr || named->name == label) return;
  problems.push_back(
      fmt::format("match {}: the {} is {}; `matches` names {}", match, what, named->name, printable(label)));
}

std::string number_or(const std::optional<double>& value, const char* otherwise) {
  return value ? fmt::format("{}", *value) : otherwise;
}

}  // namespace

std::vector<std::string> label_problems(const formats::Recording& recording,
                                        const std::vector<std::string>& match_names) {
  std::vector<std::string> problems;
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    const std::string label = m < match_names.size() ? match_names[m] : std::string();
    const std::size_t comma = std::min(label.find(','), label.size());
    const engine::MatchSetup& setup = recording.matches[m].setup;
    check("map", maps::catalogue(), setup.map, label.substr(0, comma), m, problems);
    check("car", cars::catalogue(), setup.car, comma < label.size() ? label.substr(comma + 1) : std::string(), m,
          problems);
  }
  return problems;
}

std::string describe(const replay::Mismatch& mismatch, const std::string& scene) {
  const std::string where =
      fmt::format("tick {} (tick {} of match {}: {})", mismatch.tick, mismatch.match_tick, mismatch.match, scene);
  if (mismatch.value == "tick_num" && !mismatch.expected) return where + ": missing in the recording";
  if (mismatch.value == "tick_num") {
    return where + fmt::format(": the recording has tick {} instead: a duplicate, or after the end of the match",
                               *mismatch.expected);
  }
  return where + fmt::format(": {}: recorded {}, replayed {}", mismatch.value, number_or(mismatch.expected, "none"),
                             number_or(mismatch.found, "none"));
}

}  // namespace forkmunk::tools

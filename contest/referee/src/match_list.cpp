// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/maps/catalogue.h>
#include <forkmunk/referee/match_list.h>

namespace forkmunk::referee {

MatchList parse_matches(const std::vector<std::string>& names) {
  MatchList matches;
  for (const std::string& name : names) {
    const std::size_t comma = name.find(',');
    if (comma == std::string::npos) throw Error("match ", excerpt(name), ": expected MAP,CAR");
    const std::string map_name = name.substr(0, comma);
    const std::string car_name = name.substr(comma + 1);
    const engine::MapSetup* map = maps::find(map_name);
    const engine::CarSetup* car = cars::find(car_name);
    if (map == nullptr)
      throw Error("match ", excerpt(name), ": unknown map \"", excerpt(map_name), "\", expected one of ",
                  list_of_names(maps::catalogue()));
    if (car == nullptr)
      throw Error("match ", excerpt(name), ": unknown car \"", excerpt(car_name), "\", expected one of ",
                  list_of_names(cars::catalogue()));
    matches.names.push_back(name);
    matches.setups.push_back({*map, *car});
  }
  return matches;
}

MatchList draw_matches(Random& random) {
  std::vector<std::string> names;
  for (const auto& map : maps::catalogue()) {
    for (const auto& car : cars::catalogue()) names.push_back(std::string(map.name) + "," + std::string(car.name));
  }
  // A partial Fisher-Yates shuffle.
  for (std::size_t i = 0; i < kDrawnMatchCount; ++i) std::swap(names[i], names[i + random.below(names.size() - i)]);
  names.resize(kDrawnMatchCount);
  return parse_matches(names);
}

MatchList matches_of_recording(const std::string& file) {
  MatchList matches;
  for (const formats::RecordedMatch& match : io::read_recording(file).matches) {
    matches.setups.push_back(match.setup);
    matches.names.push_back(name_of(match.setup));
  }
  if (matches.setups.empty()) throw Error(file, ": the recording has no matches");
  return matches;
}

std::string name_of(const engine::MatchSetup& setup) {
  return maps::name_of(setup.map) + "," + cars::name_of(setup.car);
}

}  // namespace forkmunk::referee

// SPDX-License-Identifier: MIT
#include <forkmunk/maps/catalogue.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace forkmunk::maps {
namespace {

nlohmann::json load_maps() {
  std::ifstream file{FORKMUNK_TEST_DATA "/catalog.json"};
  return nlohmann::json::parse(file).at("maps");
}

// 0 == -0.
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

TEST(MapsCatalogue, EqualsTheContestsMapsToTheLastBit) {
  const nlohmann::json expected_maps = load_maps();
  ASSERT_EQ(catalogue().size(), expected_maps.size());
  for (const auto& [name, map] : catalogue()) {
    SCOPED_TRACE(name);
    const nlohmann::json& expected = expected_maps.at(std::string{name});
    EXPECT_EQ(map.external_id, expected.at("external_id").get<std::int64_t>());
    ASSERT_EQ(map.segments.size(), expected.at("segments").size());
    for (std::size_t i = 0; i < map.segments.size(); ++i) {
      SCOPED_TRACE(i);
      const engine::Segment& segment = map.segments[i];
      const nlohmann::json& expected_segment = expected.at("segments")[i];
      const auto [a, b, radius] = segment;
      EXPECT_EQ(bits(a.x), bits(expected_segment[0][0].get<double>()));
      EXPECT_EQ(bits(a.y), bits(expected_segment[0][1].get<double>()));
      EXPECT_EQ(bits(b.x), bits(expected_segment[1][0].get<double>()));
      EXPECT_EQ(bits(b.y), bits(expected_segment[1][1].get<double>()));
      EXPECT_EQ(bits(radius), bits(expected_segment[2].get<double>()));
    }
  }
}

TEST(MapsCatalogue, IsOrderedByExternalId) {
  std::int64_t id = 0;
  for (const NamedMap& map : catalogue()) EXPECT_EQ(map.setup.external_id, ++id) << map.name;
}

TEST(MapsCatalogue, FindsAMapByItsExactName) {
  for (const NamedMap& map : catalogue()) EXPECT_EQ(find(map.name), &map.setup);
  EXPECT_EQ(find("pillmap"), nullptr);
  EXPECT_EQ(find("Pill"), nullptr);
  EXPECT_EQ(find(""), nullptr);
}

TEST(MapsCatalogue, NamesAMapByItsNumbers) {
  for (const auto& [name, setup] : catalogue()) EXPECT_EQ(name_of(setup), name);
  EXPECT_EQ(name_of({}), "other(0)");

  engine::MapSetup map = *find("PillMap");
  map.segments[40].b.y = std::nextafter(map.segments[40].b.y, 0);
  EXPECT_EQ(name_of(map), "other(1)");

  map = *find("IslandMap");
  map.external_id = -12;
  EXPECT_EQ(name_of(map), "other(-12)");

  map = *find("IslandMap");
  map.segments.push_back(map.segments[0]);
  EXPECT_EQ(name_of(map), "other(5)");
}

}  // namespace
}  // namespace forkmunk::maps

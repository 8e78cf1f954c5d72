// SPDX-License-Identifier: MIT
#include <forkmunk/cars/catalogue.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/maps/catalogue.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

MatchSetup good_setup() { return {*maps::find("PillHillMap"), *cars::find("Buggy")}; }

// Vertices 0, winding, 2 * winding ... of a regular polygon; winding 2 of 5 is a pentagram.
std::vector<Vec2> star(int count, int winding) {
  std::vector<Vec2> vertices;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * (i * winding) / count;
    vertices.push_back({50 * std::cos(angle), 50 * std::sin(angle)});
  }
  return vertices;
}

void expect_refused(const MatchSetup& setup, const std::string& field, const std::string& value) {
  try {
    validate(setup);
    FAIL() << "accepted " << field << " of " << value;
  } catch (const InvalidSetup& error) {
    EXPECT_EQ(error.field(), field);
    EXPECT_EQ(std::string{error.what()}.rfind(field + ": ", 0), 0u) << error.what();
    EXPECT_NE(std::string{error.what()}.find(value), std::string::npos) << error.what();
  }
}

struct BadSetup {
  std::string name;
  std::function<void(MatchSetup&)> spoil;
  std::string field;
  std::string value;
};

void PrintTo(const BadSetup& bad, std::ostream* out) { *out << bad.name; }

class InvalidSetupTest : public testing::TestWithParam<BadSetup> {};

TEST_P(InvalidSetupTest, IsRefusedWithFieldAndValue) {
  MatchSetup setup = good_setup();
  GetParam().spoil(setup);
  expect_refused(setup, GetParam().field, GetParam().value);
}

const std::vector<BadSetup> kBadMaps{
    {"SegmentCount", [](MatchSetup& s) { s.map.segments.resize(513, s.map.segments[0]); }, "proto_map.segments", "513"},
    {"SegmentNaN", [](MatchSetup& s) { s.map.segments[3].a.x = kNaN; }, "proto_map.segments[3][0][0]", "nan"},
    {"SegmentInfinity", [](MatchSetup& s) { s.map.segments[3].a.y = kInfinity; }, "proto_map.segments[3][0][1]", "inf"},
    {"SegmentTooFar", [](MatchSetup& s) { s.map.segments[122].b.x = 100000.5; }, "proto_map.segments[122][1][0]",
     "100000.5"},
    {"SegmentTooLow", [](MatchSetup& s) { s.map.segments[0].b.y = -2e5; }, "proto_map.segments[0][1][1]", "-2e+05"},
    {"SegmentRadiusNegative", [](MatchSetup& s) { s.map.segments[3].radius = -1; }, "proto_map.segments[3][2]", "-1"},
    {"SegmentRadiusLarge", [](MatchSetup& s) { s.map.segments[3].radius = 1000.1; }, "proto_map.segments[3][2]",
     "1000.1"},
    {"SegmentRadiusNaN", [](MatchSetup& s) { s.map.segments[3].radius = kNaN; }, "proto_map.segments[3][2]", "nan"},
    {"SegmentLengthZero", [](MatchSetup& s) { s.map.segments[3].b = s.map.segments[3].a; }, "proto_map.segments[3]",
     "0"},
    {"SegmentLengthTiny",
     [](MatchSetup& s) {
       s.map.segments[3] = {{0, 0}, {0, 1e-200}, 1};
     },
     "proto_map.segments[3]", "1e-200"},
    {"FirstOfTwo",
     [](MatchSetup& s) {
       s.car.body_mass = 0;
       s.map.segments[9].radius = -2;
       s.map.segments[8].radius = -1;
     },
     "proto_map.segments[8][2]", "-1"},
};

const std::vector<BadSetup> kBadCars{
    {"MassZero", [](MatchSetup& s) { s.car.body_mass = 0; }, "proto_car.car_body_mass", "0"},
    {"MassNegative", [](MatchSetup& s) { s.car.body_mass = -3; }, "proto_car.car_body_mass", "-3"},
    {"MassInfinite", [](MatchSetup& s) { s.car.body_mass = kInfinity; }, "proto_car.car_body_mass", "inf"},
    {"MassNaN", [](MatchSetup& s) { s.car.body_mass = kNaN; }, "proto_car.car_body_mass", "nan"},
    {"Friction", [](MatchSetup& s) { s.car.body_friction = -0.1; }, "proto_car.car_body_friction", "-0.1"},
    {"Elasticity", [](MatchSetup& s) { s.car.body_elasticity = 1001; }, "proto_car.car_body_elasticity", "1001"},
    {"MaxSpeed", [](MatchSetup& s) { s.car.max_speed = -1.1e12; }, "proto_car.max_speed", "-1.1e+12"},
    {"MaxAngularSpeed", [](MatchSetup& s) { s.car.max_angular_speed = kNaN; }, "proto_car.max_angular_speed", "nan"},
    {"Torque", [](MatchSetup& s) { s.car.torque = kInfinity; }, "proto_car.torque", "inf"},
    {"DriveZero", [](MatchSetup& s) { s.car.drive = static_cast<Drive>(0); }, "proto_car.drive", "0"},
    {"DriveFour", [](MatchSetup& s) { s.car.drive = static_cast<Drive>(4); }, "proto_car.drive", "4"},
};

const std::vector<BadSetup> kBadWheels{
    {"RearMass", [](MatchSetup& s) { s.car.rear_wheel.mass = 0; }, "proto_car.rear_wheel_mass", "0"},
    {"FrontMass", [](MatchSetup& s) { s.car.front_wheel.mass = 2e9; }, "proto_car.front_wheel_mass", "2e+09"},
    {"RadiusZero", [](MatchSetup& s) { s.car.rear_wheel.radius = 0; }, "proto_car.rear_wheel_radius", "0"},
    {"RadiusLarge", [](MatchSetup& s) { s.car.front_wheel.radius = 1e4; }, "proto_car.front_wheel_radius", "10000"},
    {"PositionX", [](MatchSetup& s) { s.car.rear_wheel.position.x = kNaN; }, "proto_car.rear_wheel_position[0]", "nan"},
    {"PositionY", [](MatchSetup& s) { s.car.front_wheel.position.y = 1e6; }, "proto_car.front_wheel_position[1]",
     "1e+06"},
    {"Friction", [](MatchSetup& s) { s.car.rear_wheel.friction = kNaN; }, "proto_car.rear_wheel_friction", "nan"},
    {"Elasticity", [](MatchSetup& s) { s.car.front_wheel.elasticity = -1; }, "proto_car.front_wheel_elasticity", "-1"},
    {"Joint", [](MatchSetup& s) { s.car.rear_wheel.joint.y = kInfinity; }, "proto_car.rear_wheel_joint[1]", "inf"},
    {"GrooveOffset", [](MatchSetup& s) { s.car.front_wheel.groove_offset = -1e6; },
     "proto_car.front_wheel_groove_offset", "-1e+06"},
    {"DampPosition", [](MatchSetup& s) { s.car.rear_wheel.damp_position.x = -1e6; },
     "proto_car.rear_wheel_damp_position[0]", "-1e+06"},
    {"DampLength", [](MatchSetup& s) { s.car.front_wheel.damp_length = -1; }, "proto_car.front_wheel_damp_length",
     "-1"},
    {"DampStiffness", [](MatchSetup& s) { s.car.rear_wheel.damp_stiffness = 1.1e9; },
     "proto_car.rear_wheel_damp_stiffness", "1.1e+09"},
    {"DampDamping", [](MatchSetup& s) { s.car.front_wheel.damp_damping = -1; }, "proto_car.front_wheel_damp_damping",
     "-1"},
    {"GrooveLengthZero",
     [](MatchSetup& s) {
       s.car.front_wheel.groove_offset = 30;
       s.car.front_wheel.damp_length = 20;
     },
     "proto_car.front_wheel_damp_length", "20"},
    {"PrintedToTheLastDigit", [](MatchSetup& s) { s.car.front_wheel.damp_length = -0.30000000000000004; },
     "proto_car.front_wheel_damp_length", "-0.30000000000000004"},
};

struct BadPolygon {
  std::string name;
  std::vector<Vec2> vertices;
  std::string index;
  std::string value;
};

void PrintTo(const BadPolygon& bad, std::ostream* out) { *out << bad.name; }

class InvalidPolygonTest : public testing::TestWithParam<BadPolygon> {};

TEST_P(InvalidPolygonTest, IsRefusedAsBodyAndAsButton) {
  const auto& [name, vertices, index, value] = GetParam();
  MatchSetup setup = good_setup();
  setup.car.body_poly = vertices;
  expect_refused(setup, "proto_car.car_body_poly" + index, value);
  setup = good_setup();
  setup.car.button_poly = vertices;
  expect_refused(setup, "proto_car.button_poly" + index, value);
}

const std::vector<BadPolygon> kBadPolygons{
    {"NoVertices", {}, "", "0"},
    {"TwoVertices", {{0, 0}, {1, 0}}, "", "2"},
    {"TooManyVertices", star(33, 1), "", "33"},
    {"NaN", {{0, 0}, {9, 0}, {kNaN, 9}}, "[2][0]", "nan"},
    {"Infinity", {{0, 0}, {9, 0}, {9, -kInfinity}}, "[2][1]", "-inf"},
    {"TooFar", {{0, 0}, {1e300, 0}, {9, 9}}, "[1][0]", "1e+300"},
    {"VertexTwice", {{0, 0}, {9, 0}, {9, 0}, {9, 9}}, "[2]", "0"},
    {"FirstVertexAgainAtTheEnd", {{0, 0}, {9, 0}, {9, 9}, {0, 0}}, "[3]", "0"},
    {"NoArea", {{0, 0}, {1, 1}, {2, 2}}, "", "0"},
    {"Needle", {{0, 0}, {1, 0}, {0.5, 1e-3}}, "", "5e-04"},
    {"NeedleClockwise", {{0, 0}, {0.5, 1e-3}, {1, 0}}, "", "5e-04"},
    {"Bowtie", {{0, 0}, {10, 10}, {10, 0}, {0, 10}}, "", "0"},
    {"UnevenBowtie", {{0, 0}, {10, 10}, {10, 0}, {0, 30}}, "[1]", ""},
    {"Dent", {{0, 0}, {10, 0}, {10, 10}, {5, 9}, {0, 10}}, "[3]", "-0.39"},
    {"DentClockwise", {{0, 10}, {5, 9}, {10, 10}, {10, 0}, {0, 0}}, "[1]", "-0.39"},
    {"ThereAndBack", {{0, 0}, {20, 0}, {10, 0}, {10, 10}, {0, 10}}, "[2]", ""},
    {"Pentagram", star(5, 2), "", "2"},
    {"PentagramClockwise", star(5, 3), "", "2"},
    {"SquareTwice", {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {9, 0}, {9, 9}, {0, 9}}, "", "2"},
};

constexpr auto kNameOf = [](const auto& info) { return info.param.name; };

INSTANTIATE_TEST_SUITE_P(Map, InvalidSetupTest, testing::ValuesIn(kBadMaps), kNameOf);
INSTANTIATE_TEST_SUITE_P(Car, InvalidSetupTest, testing::ValuesIn(kBadCars), kNameOf);
INSTANTIATE_TEST_SUITE_P(Wheel, InvalidSetupTest, testing::ValuesIn(kBadWheels), kNameOf);
INSTANTIATE_TEST_SUITE_P(Car, InvalidPolygonTest, testing::ValuesIn(kBadPolygons), kNameOf);

TEST(ValidateSetup, AcceptsTheCatalogueInEitherVertexOrder) {
  for (const maps::NamedMap& map : maps::catalogue()) {
    for (const cars::NamedCar& car : cars::catalogue()) {
      MatchSetup setup{map.setup, car.setup};
      EXPECT_NO_THROW(validate(setup)) << map.name << ' ' << car.name;
      std::ranges::reverse(setup.car.body_poly);
      std::ranges::reverse(setup.car.button_poly);
      EXPECT_NO_THROW(validate(setup)) << map.name << ' ' << car.name;
    }
  }
}

TEST(ValidateSetup, AcceptsTheEndsOfRanges) {
  MatchSetup setup = good_setup();
  setup.map.segments.resize(512, {{-1e5, -1e5}, {1e5, 1e5}, 0});
  setup.map.segments[0].radius = 1000;
  setup.car.body_poly = star(32, 1);
  setup.car.button_poly = {{99999, 99999}, {1e5, 99999}, {1e5, 1e5}};
  setup.car.body_mass = 1e9;
  setup.car.body_friction = 0;
  setup.car.body_elasticity = 1e3;
  setup.car.max_speed = -1e12;
  setup.car.torque = 1e12;
  setup.car.drive = Drive::front;
  setup.car.rear_wheel.mass = 1e-6;
  setup.car.rear_wheel.radius = 1e-3;
  setup.car.rear_wheel.damp_length = 0;
  setup.car.rear_wheel.damp_stiffness = 0;
  setup.car.front_wheel.radius = 1000;
  setup.car.front_wheel.groove_offset = -1e5;
  setup.car.front_wheel.damp_damping = 1e9;
  EXPECT_NO_THROW(validate(setup));
}

TEST(ValidateSetup, AcceptsAMapWithoutSegments) {
  MatchSetup setup = good_setup();
  setup.map.segments.clear();
  EXPECT_NO_THROW(validate(setup));
}

TEST(ValidateSetup, AcceptsCollinearVertices) {
  MatchSetup setup = good_setup();
  setup.car.body_poly = {{0, 0}, {5, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 3}};
  EXPECT_NO_THROW(validate(setup));

  setup.car.body_poly = {{10, 0}, {0, 10}};
  for (int i = 1; i < 10; ++i) setup.car.body_poly.push_back({0.1 * i, 10 - 1.3 * i});  // rounding goes either way
  EXPECT_NO_THROW(validate(setup));
}

}  // namespace
}  // namespace forkmunk::engine

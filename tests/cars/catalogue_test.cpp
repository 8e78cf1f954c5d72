// SPDX-License-Identifier: MIT
#include <forkmunk/cars/catalogue.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace forkmunk::cars {
namespace {

nlohmann::json load_cars() {
  std::ifstream file{FORKMUNK_TEST_DATA "/catalog.json"};
  return nlohmann::json::parse(file).at("cars");
}

// Compares bits, because 0 == -0.
class Comparison {
 public:
  explicit Comparison(const nlohmann::json& expected) : expected_(expected) {}

  void number(const std::string& key, double value) {
    ++compared_count_;
    expect_same(expected_.at(key), value, key);
  }
  void point(const std::string& key, engine::Vec2 value) {
    ++compared_count_;
    expect_same_point(expected_.at(key), value, key);
  }
  void polygon(const std::string& key, const std::vector<engine::Vec2>& value) {
    ++compared_count_;
    ASSERT_EQ(expected_.at(key).size(), value.size()) << key;
    for (std::size_t i = 0; i < value.size(); ++i) expect_same_point(expected_.at(key)[i], value[i], key);
  }
  void wheel(const std::string& prefix, const engine::WheelSetup& wheel) {
    number(prefix + "mass", wheel.mass);
    number(prefix + "radius", wheel.radius);
    point(prefix + "position", wheel.position);
    number(prefix + "friction", wheel.friction);
    number(prefix + "elasticity", wheel.elasticity);
    point(prefix + "joint", wheel.joint);
    number(prefix + "groove_offset", wheel.groove_offset);
    point(prefix + "damp_position", wheel.damp_position);
    number(prefix + "damp_length", wheel.damp_length);
    number(prefix + "damp_stiffness", wheel.damp_stiffness);
    number(prefix + "damp_damping", wheel.damp_damping);
  }
  std::size_t compared_count() const { return compared_count_; }

 private:
  static void expect_same(const nlohmann::json& expected, double value, const std::string& key) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(expected.get<double>()), std::bit_cast<std::uint64_t>(value)) << key;
  }
  static void expect_same_point(const nlohmann::json& expected, engine::Vec2 value, const std::string& key) {
    expect_same(expected[0], value.x, key);
    expect_same(expected[1], value.y, key);
  }

  const nlohmann::json& expected_;
  std::size_t compared_count_ = 0;
};

TEST(CarsCatalogue, EqualsTheContestsCarsToTheLastBit) {
  const nlohmann::json expected_cars = load_cars();
  ASSERT_EQ(catalogue().size(), expected_cars.size());
  for (const auto& [name, car] : catalogue()) {
    SCOPED_TRACE(name);
    nlohmann::json expected = expected_cars.at(std::string{name});
    EXPECT_EQ(car.squared_wheels, expected.value("squared_wheels", false));
    expected.erase("squared_wheels");

    Comparison compare{expected};
    compare.number("external_id", static_cast<double>(car.external_id));
    compare.polygon("car_body_poly", car.body_poly);
    compare.polygon("button_poly", car.button_poly);
    compare.number("car_body_mass", car.body_mass);
    compare.number("car_body_friction", car.body_friction);
    compare.number("car_body_elasticity", car.body_elasticity);
    compare.number("max_speed", car.max_speed);
    compare.number("max_angular_speed", car.max_angular_speed);
    compare.number("torque", car.torque);
    compare.number("drive", static_cast<double>(car.drive));
    compare.wheel("rear_wheel_", car.rear_wheel);
    compare.wheel("front_wheel_", car.front_wheel);
    EXPECT_EQ(compare.compared_count(), expected.size());
  }
}

TEST(CarsCatalogue, IsOrderedByExternalId) {
  std::int64_t id = 0;
  for (const NamedCar& car : catalogue()) EXPECT_EQ(car.setup.external_id, ++id) << car.name;
}

TEST(CarsCatalogue, FindsACarByItsExactName) {
  for (const NamedCar& car : catalogue()) EXPECT_EQ(find(car.name), &car.setup);
  EXPECT_EQ(find("buggy"), nullptr);
  EXPECT_EQ(find("Bug"), nullptr);
  EXPECT_EQ(find(""), nullptr);
}

TEST(CarsCatalogue, NamesACarByItsNumbers) {
  for (const auto& [name, setup] : catalogue()) EXPECT_EQ(name_of(setup), name);
  EXPECT_EQ(name_of({}), "other(0)");

  engine::CarSetup car = *find("Bus");
  car.button_poly[2].x = std::nextafter(car.button_poly[2].x, 0);
  EXPECT_EQ(name_of(car), "other(2)");

  car = *find("Buggy");
  car.front_wheel.groove_offset = 6;
  EXPECT_EQ(name_of(car), "other(1)");

  car = *find("Buggy");
  car.external_id = -12;
  EXPECT_EQ(name_of(car), "other(-12)");
}

}  // namespace
}  // namespace forkmunk::cars

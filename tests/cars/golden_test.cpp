// SPDX-License-Identifier: MIT
#include "cars/golden_cars.h"

#include <gtest/gtest.h>

namespace forkmunk::cars {
namespace {

TEST(CarsGolden, RandomCarsAreTheOnesOnRecord) {
  EXPECT_EQ(tests::random_cars_hash(), tests::kRandomCarsHash)
      << std::hex << std::showbase << tests::random_cars_hash();
}

TEST(CarsGolden, ButtonsAreTheOnesOnRecord) {
  EXPECT_EQ(tests::buttons_hash(), tests::kButtonsHash) << std::hex << std::showbase << tests::buttons_hash();
}

}  // namespace
}  // namespace forkmunk::cars

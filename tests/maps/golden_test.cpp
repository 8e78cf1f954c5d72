// SPDX-License-Identifier: MIT
#include "maps/golden_maps.h"

#include <gtest/gtest.h>

namespace forkmunk::maps {
namespace {

TEST(MapsGolden, RandomMapsAreTheOnesOnRecord) {
  EXPECT_EQ(tests::random_maps_hash(), tests::kRandomMapsHash)
      << std::hex << std::showbase << tests::random_maps_hash();
}

TEST(MapsGolden, ArcsAreTheOnesOnRecord) {
  EXPECT_EQ(tests::arcs_hash(), tests::kArcsHash) << std::hex << std::showbase << tests::arcs_hash();
}

}  // namespace
}  // namespace forkmunk::maps

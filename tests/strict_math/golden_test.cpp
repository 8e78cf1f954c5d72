// SPDX-License-Identifier: MIT
// Compiled several times with different flags (CMakeLists.txt), and with equal hashes.

#include "golden_hashes.h"

#include <cstdio>

#include <gtest/gtest.h>

// FORKMUNK_SUITE names flags that are not the module's.
#ifndef FORKMUNK_SUITE
#define FORKMUNK_SUITE StrictMathGolden
#endif

namespace {

TEST(FORKMUNK_SUITE, EveryWayToEachFunctionGivesItsBits) {
  for (const auto& way : forkmunk::strict_math::test::all_ways()) {
    char text[60];
    std::snprintf(text, sizeof text, "%s: 0x%016llx", way.name, static_cast<unsigned long long>(way.found));
    EXPECT_EQ(way.found, way.expected) << text;
  }
}

}  // namespace

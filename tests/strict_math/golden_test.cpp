// SPDX-License-Identifier: MIT
// Hashes of a million results of each function: equal from every compiler, with any flags and on any processor. This
// file and the module's sources are compiled several times, with other flags (CMakeLists.txt).

#include "golden_hashes.h"

#include <cstdio>

#include <gtest/gtest.h>

// Name of the flags if they are not the module's own.
#ifndef FORKMUNK_SUITE
#define FORKMUNK_SUITE StrictMathGolden
#endif

namespace {

TEST(FORKMUNK_SUITE, EveryWayToEachFunctionGivesItsBits) {
  for (const auto& way : forkmunk::strict_math::test::all_ways()) {
    char text[60];  // on a difference, the constant ready to paste
    std::snprintf(text, sizeof text, "%s: 0x%016llx", way.name, static_cast<unsigned long long>(way.found));
    EXPECT_EQ(way.found, way.expected) << text;
  }
}

}  // namespace

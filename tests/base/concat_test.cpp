// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace forkmunk {
namespace {

TEST(Concat, WritesStringsLettersAndWholeNumbers) {
  EXPECT_EQ(concat(std::string("a"), "b", 'c', -7, std::uint8_t{200}, std::size_t{0}), "abc-72000");
  EXPECT_EQ(concat(std::numeric_limits<std::int64_t>::min(), ' ', std::numeric_limits<std::uint64_t>::max()),
            "-9223372036854775808 18446744073709551615");
  EXPECT_STREQ(Error("found ", 3, " worlds").what(), "found 3 worlds");
}

}  // namespace
}  // namespace forkmunk

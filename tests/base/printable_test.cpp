// SPDX-License-Identifier: MIT
#include <forkmunk/base/printable.h>

#include <gtest/gtest.h>

namespace forkmunk {
namespace {

const std::string kReplaced = "\xEF\xBF\xBD";

TEST(Printable, LeavesTextAsItIs) {
  for (const char* text :
       {"", "game 7.gz", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x9A\x97", "\xEF\xBF\xBD", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(utf8(text), text);
  }
}

TEST(Printable, ReplacesEachByteThatIsNoUtf8) {
  EXPECT_EQ(printable("a\xFF"), "a" + kReplaced);
  EXPECT_EQ(printable("\xC3"), kReplaced) << "cut off";
  EXPECT_EQ(printable("\xE2\x82z"), kReplaced + kReplaced + "z");
  for (const char* bad : {"\xC0\xAF", "\xC1\x81"}) EXPECT_EQ(printable(bad), kReplaced + kReplaced) << "overlong";
  for (const char* bad : {"\xE0\x80\xAF", "\xED\xA0\x80"}) EXPECT_EQ(printable(bad), kReplaced + kReplaced + kReplaced);
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), kReplaced + kReplaced + kReplaced + kReplaced) << "beyond U+10FFFF";
}

TEST(Printable, ShowsNoControlCharacters) {
  EXPECT_EQ(printable("a\nb\x7F\033[2J"), "a?b??[2J");
  EXPECT_EQ(printable("\xC2\x9B\xC2\xA0"), "?\xC2\xA0");
  EXPECT_EQ(utf8("a\n"), "a\n");
}

TEST(OneLine, LeavesTheMiddleOutBetweenCharacters) {
  EXPECT_EQ(one_line("short", 10), "short");
  EXPECT_EQ(one_line("0123456789abcdefghij", 15), "0123456 ... hij");
  for (std::size_t size = 8; size < 60; ++size) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "\xE2\x82\xAC";
    const std::string line = one_line(text, size);
    EXPECT_LE(line.size(), size);
    EXPECT_EQ(utf8(line), line) << "a character was cut";
  }
}

}  // namespace
}  // namespace forkmunk

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/io/json_guard.h>

#include <gtest/gtest.h>

namespace forkmunk::io {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string pair_of(const std::string& entry) {
  return std::string("[").append(entry).append(",").append(entry).append("]");
}

TEST(JsonGuard, LetsThroughWhatIsNoDeeper) {
  EXPECT_NO_THROW(check_json_depth(nested(kJsonDepthMax)));
  EXPECT_NO_THROW(check_json_depth(pair_of(nested(kJsonDepthMax - 1))));
  EXPECT_NO_THROW(
      check_json_depth(R"({"a":"\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["})"));
  EXPECT_NO_THROW(check_json_depth(std::string("]]]]}}}}").append(nested(kJsonDepthMax)))) << "left to the parser";
  EXPECT_NO_THROW(check_json_depth("\"\\"));
}

TEST(JsonGuard, RefusesWhatIsDeeper) {
  EXPECT_THROW(check_json_depth(nested(kJsonDepthMax + 1)), Error);
  EXPECT_THROW(check_json_depth(std::string(1'000'000, '{')), Error);
  EXPECT_THROW(check_json_depth(std::string(R"({"a\\":)").append(nested(kJsonDepthMax)).append("}")), Error);
}

TEST(JsonGuard, ProblemsAreQuotedBriefly) {
  const std::string long_value(40'000, 'x');
  EXPECT_EQ(json_problem("[json.exception.parse_error.101] parse error; last read: '" + long_value +
                         "'; expected end of input"),
            "parse error; last read: '" + excerpt(long_value) + "'; expected end of input");
  EXPECT_EQ(json_problem("[json.exception.parse_error.101] missing quote; last read: '\"ab'"),
            "missing quote; last read: '\"ab'");
  EXPECT_EQ(json_problem("type must be number"), "type must be number");
}

}  // namespace
}  // namespace forkmunk::io

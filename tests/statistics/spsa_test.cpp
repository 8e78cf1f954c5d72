#include <forkmunk/statistics/spsa.h>

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace forkmunk::statistics {
namespace {

TEST(Spsa, MovesBothWaysFromTheMiddle) {
  const std::vector<double> perturbation{2, 1, 3};
  const Spsa spsa({10, -5, 0}, perturbation, {});
  const auto up = spsa.moved(7, true);
  const auto down = spsa.moved(7, false);
  ASSERT_EQ(up.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ((up[i] + down[i]) / 2, spsa.parameters()[i]);
    EXPECT_DOUBLE_EQ(std::abs(up[i] - down[i]), 2 * perturbation[i]);
  }
  EXPECT_EQ(up, spsa.moved(7, true)) << "a seed draws the same signs";
}

TEST(Spsa, ADrawTeachesNothingAndAWinMovesTowardsTheWinner) {
  Spsa spsa({10, -5}, {2, 1}, {.rate = 0.5, .settling = 100});
  const auto before = spsa.parameters();
  spsa.learn(std::array{Spsa::Comparison{3, 0}});
  EXPECT_EQ(spsa.parameters(), before);
  EXPECT_EQ(spsa.comparisons(), 1);
  const auto winner = spsa.moved(4, false);
  spsa.learn(std::array{Spsa::Comparison{4, -1}});
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(std::abs(spsa.parameters()[i] - winner[i]), std::abs(before[i] - winner[i]));
  }
}

TEST(Spsa, FindsThePeakOfANoisyGame) {
  // The nearer to (3, -4), the likelier a win; a coin that is hardly bent, as games are.
  const auto strength = [](const std::vector<double>& x) { return -std::hypot(x[0] - 3, x[1] + 4); };
  Spsa spsa({0, 0}, {1, 1}, {.rate = 0.1, .settling = 2000});
  std::uint64_t bits = 1;
  for (std::uint64_t i = 0; i < 8000; ++i) {
    const double edge = strength(spsa.moved(i, true)) - strength(spsa.moved(i, false));
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    const double coin = static_cast<double>(bits >> 11) / static_cast<double>(std::uint64_t{1} << 53);
    const bool won = coin < 0.5 + 0.1 * edge;
    spsa.learn(std::array{Spsa::Comparison{i, won ? 1.0 : -1.0}});
  }
  EXPECT_NEAR(spsa.parameters()[0], 3, 1.2);
  EXPECT_NEAR(spsa.parameters()[1], -4, 1.2);
}

}  // namespace
}  // namespace forkmunk::statistics

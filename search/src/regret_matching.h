#pragma once

#include <array>
#include <cstddef>

namespace forkmunk::search {

inline constexpr std::size_t kMatrixSizeMax = 4;

/// A zero-sum matrix game with simultaneous moves: payoffs of the row player.
struct MatrixGame {
  std::size_t rows = 0, columns = 0;  ///< 1 to kMatrixSizeMax.
  std::array<std::array<double, kMatrixSizeMax>, kMatrixSizeMax> payoff{};
};

struct Mixture {
  std::array<double, kMatrixSizeMax> rows{}, columns{};  ///< Probability of each move; sums are 1.
  double value = 0;                                      ///< Expected payoff of these mixed strategies.
};

/// Regret matching (Hart, Mas-Colell 2000): at each turn both sides mix moves in proportion to their positive regrets;
/// the averages of all turns converge to a Nash equilibrium, as 1 / sqrt(turns). Turns are weighted by their numbers
/// (Brown, Sandholm 2019, "linear"), so that a death in an early mixture does not hide smaller differences for long.
/// \pre every payoff is finite.   Cost: rows * columns a turn.
[[nodiscard]] Mixture match_regrets(const MatrixGame& game, int turns) noexcept;

}  // namespace forkmunk::search

#pragma once

#include <array>
#include <cstddef>

namespace forkmunk::search {

inline constexpr std::size_t kMatrixSizeMax = 4;

/// A game of one move a side, which neither sees of the other: what each pair of moves is worth to the side of the
/// rows, and minus that to the side of the columns.
struct MatrixGame {
  std::size_t rows = 0, columns = 0;  ///< 1 to kMatrixSizeMax.
  std::array<std::array<double, kMatrixSizeMax>, kMatrixSizeMax> payoff{};
};

struct Mixture {
  std::array<double, kMatrixSizeMax> rows{}, columns{};  ///< How often each move is made; sums are 1.
  double value = 0;                                      ///< What they are worth against each other.
};

/// Regret matching (Hart, Mas-Colell 2000): at each turn both sides mix moves in proportion to what they regret not to
/// have made; the averages of all turns come near to a Nash equilibrium of the game, as 1 / sqrt(turns). Turns weigh as
/// their numbers (Brown, Sandholm 2019, "linear"), so that a death in an early mixture does not hide for long what else
/// makes a difference. \pre every payoff is finite.   Cost: rows * columns a turn.
[[nodiscard]] Mixture match_regrets(const MatrixGame& game, int turns) noexcept;

}  // namespace forkmunk::search

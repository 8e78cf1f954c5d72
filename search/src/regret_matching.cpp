#include "regret_matching.h"

#include <algorithm>

namespace forkmunk::search {
namespace {

using Values = std::array<double, kMatrixSizeMax>;

struct Side {
  std::size_t moves;
  Values regrets{}, sums{}, now{};

  void mix(double weight) noexcept {
    double total = 0;
    for (std::size_t i = 0; i < moves; ++i) total += now[i] = std::max(regrets[i], 0.0);
    for (std::size_t i = 0; i < moves; ++i) {
      now[i] = total > 0 ? now[i] / total : 1.0 / static_cast<double>(moves);
      sums[i] += weight * now[i];
    }
  }
  void regret(double weight, const Values& worth) noexcept {
    double got = 0;
    for (std::size_t i = 0; i < moves; ++i) got += now[i] * worth[i];
    for (std::size_t i = 0; i < moves; ++i) regrets[i] += weight * (worth[i] - got);
  }
};

}  // namespace

Mixture match_regrets(const MatrixGame& game, int turns) noexcept {
  Side rows{game.rows}, columns{game.columns};
  for (int turn = 1; turn <= turns; ++turn) {
    const double weight = turn;
    rows.mix(weight);
    columns.mix(weight);
    Values row_worth{}, column_worth{};
    for (std::size_t r = 0; r < game.rows; ++r) {
      for (std::size_t c = 0; c < game.columns; ++c) {
        row_worth[r] += columns.now[c] * game.payoff[r][c];
        column_worth[c] -= rows.now[r] * game.payoff[r][c];
      }
    }
    rows.regret(weight, row_worth);
    columns.regret(weight, column_worth);
  }
  const double total = 0.5 * turns * (turns + 1.0);
  Mixture result;
  for (std::size_t r = 0; r < game.rows; ++r) result.rows[r] = rows.sums[r] / total;
  for (std::size_t c = 0; c < game.columns; ++c) result.columns[c] = columns.sums[c] / total;
  for (std::size_t r = 0; r < game.rows; ++r) {
    for (std::size_t c = 0; c < game.columns; ++c)
      result.value += result.rows[r] * result.columns[c] * game.payoff[r][c];
  }
  return result;
}

}  // namespace forkmunk::search

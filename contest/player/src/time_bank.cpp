// SPDX-License-Identifier: MIT
#include "time_bank.h"

#include <array>
#include <cstddef>

namespace forkmunk::player {
namespace {

using namespace std::chrono_literals;
using Duration = TimeBank::Duration;

// From an answer until the referee stops its clock: the pipes, and the scheduling of the referee.
constexpr Duration kPipeLatency = 400us;
// The latency with a mean time is shorter, because delays by other programs are counted apart.
constexpr Duration kSteadyLatency = 150us;
// Never allocated to answers.
constexpr Duration kReservedTime = 2s;
constexpr int kMatchTicksMax = 1200;
constexpr int kMatchesMax = 1000;  // for messages with more lives
constexpr int kMatchTicksLikely = 550;
// For each answer of the longest possible rest of a game.
constexpr Duration kAnswerTimeReserved = 3ms;
constexpr Duration kAnswerTimeMax = 60ms;
constexpr Duration kAnswerTimeMin = 200us;
// In answers of the steady time. The excess is dropped.
constexpr int kDebtMaxAnswers = 20;
// An answer gets at least this part of the steady time.
constexpr double kAnswerPartInDebt = 0.5;
// In answers of the steady time. At the end of a short game, savings are left over.
constexpr int kSavingsMaxAnswers = 10;

constexpr int kRecentMeanAnswers = 50;

// How many answers' share one delay may use. Delays are rare.
constexpr int kDelayMaxAnswers = 4;

// Matches until one of two equal players has lost a or b lives: E(a, b) = 1 + (E(a - 1, b) + E(a, b - 1)) / 2.
constexpr std::size_t kLivesMax = 5;
constexpr auto kMatchesExpected = [] {
  std::array<std::array<double, kLivesMax + 1>, kLivesMax + 1> expected{};
  for (std::size_t a = 1; a <= kLivesMax; ++a) {
    for (std::size_t b = 1; b <= kLivesMax; ++b) expected[a][b] = 1 + (expected[a - 1][b] + expected[a][b - 1]) / 2;
  }
  return expected;
}();

double matches_expected(int lives, int enemy_lives) noexcept {
  const auto known = [](int count) { return static_cast<std::size_t>(std::clamp(count, 1, int{kLivesMax})); };
  return kMatchesExpected[known(lives)][known(enemy_lives)];
}

// Returns the number of answers of the longest possible rest of a game.
int answers_most(int lives, int enemy_lives, int tick) noexcept {
  return std::clamp(lives + enemy_lives - 2, 0, kMatchesMax) * kMatchTicksMax + std::max(kMatchTicksMax - tick, 200);
}

}  // namespace

Duration TimeBank::latency() const noexcept {
  return steady_ > 0ns ? std::min<Duration>(kSteadyLatency, steady_ / 4) : kPipeLatency;
}

Duration TimeBank::delay_max(int lives, int enemy_lives, int tick) const noexcept {
  const int most = answers_most(lives, enemy_lives, tick);
  // Every answer of the longest rest takes at least this.
  const Duration least = most * (kAnswerTimeMin + latency());
  return std::max<Duration>(kDelayMaxAnswers * (left_ - kReservedTime - least) / most, 0ns);
}

// The likely rest of the game uses up the bank, and the longest rest still has kAnswerTimeReserved per answer.
Duration TimeBank::share(int lives, int enemy_lives, int tick) const noexcept {
  const int most = answers_most(lives, enemy_lives, tick);
  const int likely = static_cast<int>((matches_expected(lives, enemy_lives) - 1) * kMatchTicksLikely) +
                     std::max(kMatchTicksLikely - tick, 150);
  const Duration usable = left_ - kReservedTime;
  Duration time =
      std::max((usable - most * kAnswerTimeReserved) / likely, std::min<Duration>(usable / most, kAnswerTimeReserved));
  time = std::min(time, kAnswerTimeMax);
  // With a steady time, the bank only must not run out. Both limits last for the longest game.
  return steady_ > 0ns ? std::max<Duration>(time, usable / most) : time;
}

Duration TimeBank::allowance(int lives, int enemy_lives, int tick) const noexcept {
  Duration time = share(lives, enemy_lives, tick);
  if (steady_ > 0ns) {
    time = std::min(steady_, time);
    time -=
        std::clamp(debt_, Duration{0},
                   Duration(static_cast<std::int64_t>((1 - kAnswerPartInDebt) * static_cast<double>(steady_.count()))));
  }
  return std::max(time - latency(), steady_ > 0ns ? std::min<Duration>(kAnswerTimeMin, steady_ / 2) : kAnswerTimeMin);
}

Duration TimeBank::extra(int lives, int enemy_lives, int tick) const noexcept {
  return std::min(std::max<Duration>(-debt_ / 2, 0ns), delay_max(lives, enemy_lives, tick));
}

bool TimeBank::saves() const noexcept { return steady_ > 0ns && debt_ >= -(kSavingsMaxAnswers - 1) * steady_; }

bool TimeBank::covers_rest(int lives, int enemy_lives, int tick) const noexcept {
  return recent_ <= share(lives, enemy_lives, tick);
}

void TimeBank::spend(Duration time) noexcept {
  left_ -= time + latency();
  recent_ += (left_before_ - left_ - recent_) / kRecentMeanAnswers;
  left_before_ = left_;
  if (steady_ <= 0ns) return;
  debt_ = std::clamp(debt_ + time + latency() - steady_, -kSavingsMaxAnswers * steady_, kDebtMaxAnswers * steady_);
}

}  // namespace forkmunk::player

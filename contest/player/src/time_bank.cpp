#include "time_bank.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace forkmunk::player {
namespace {

using namespace std::chrono_literals;
using Duration = TimeBank::Duration;

// The referee's clock includes the latency of the pipes and of scheduling: measured 55 us on an idle machine.
constexpr Duration kLatency = 400us;
// Of a steady mean, against which delays by other programs do not count; 105 to 160 us on a slow virtual machine.
constexpr Duration kSteadyLatency = 150us;
constexpr Duration kReserve = 2s;
constexpr int kMatchTicksMax = 1200;
constexpr int kMatchesMax = 1000;  // of messages with more lives
constexpr int kMatchTicksLikely = 550;
constexpr Duration kFloor = 3ms;
constexpr Duration kMost = 60ms;
constexpr Duration kLeast = 200us;
// A debt is repaid by answers of this part of the steady time; debts above so many answers' time are dropped.
constexpr int kDebtAnswersMax = 20;
constexpr double kPayingPart = 0.5;
// The time of so many answers is saved at most: at the end of a short game it is left over.
constexpr int kSavedAnswersMax = 10;

// The mean of the last answers is of about so many.
constexpr int kRecentAnswers = 50;

// Delays are rare: one may take so many answers' part of what is left.
constexpr int kDelaysAtOnce = 4;

// Expected matches until one of two equal players has lost a or b lives: E(a, b) = 1 + (E(a - 1, b) + E(a, b - 1)) / 2.
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

// Answers of the longest possible rest of a game.
int answers_most(int lives, int enemy_lives, int tick) noexcept {
  return std::clamp(lives + enemy_lives - 2, 0, kMatchesMax) * kMatchTicksMax + std::max(kMatchTicksMax - tick, 200);
}

}  // namespace

Duration TimeBank::latency() const noexcept {
  return steady_ > 0ns ? std::min<Duration>(kSteadyLatency, steady_ / 4) : kLatency;
}

Duration TimeBank::ceiling(int lives, int enemy_lives, int tick) const noexcept {
  return std::max<Duration>(kDelaysAtOnce * (left_ - kReserve) / answers_most(lives, enemy_lives, tick), 0ns);
}

// What an answer may take so that the likely rest of the game uses what is left, and the longest one has its floor.
Duration TimeBank::dealt(int lives, int enemy_lives, int tick) const noexcept {
  const int most = answers_most(lives, enemy_lives, tick);
  const int likely = static_cast<int>((matches_expected(lives, enemy_lives) - 1) * kMatchTicksLikely) +
                     std::max(kMatchTicksLikely - tick, 150);
  const Duration usable = left_ - kReserve;
  Duration time = std::max((usable - most * kFloor) / likely, std::min<Duration>(usable / most, kFloor));
  time = std::min(time, kMost);
  // With a steady time the bank only must not run out: it lasts for the longest game with either.
  return steady_ > 0ns ? std::max<Duration>(time, usable / most) : time;
}

Duration TimeBank::allowance(int lives, int enemy_lives, int tick) const noexcept {
  Duration time = dealt(lives, enemy_lives, tick);
  if (steady_ > 0ns) {
    time = std::min(steady_, time);
    time -= std::clamp(debt_, Duration{0},
                       Duration(static_cast<std::int64_t>((1 - kPayingPart) * static_cast<double>(steady_.count()))));
  }
  return std::max(time - latency(), steady_ > 0ns ? std::min<Duration>(kLeast, steady_ / 2) : kLeast);
}

Duration TimeBank::extra(int lives, int enemy_lives, int tick) const noexcept {
  return std::min(std::max<Duration>(-debt_ / 2, 0ns), ceiling(lives, enemy_lives, tick));
}

bool TimeBank::saves() const noexcept { return steady_ > 0ns && debt_ >= -(kSavedAnswersMax - 1) * steady_; }

bool TimeBank::lasts(int lives, int enemy_lives, int tick) const noexcept {
  return recent_ <= dealt(lives, enemy_lives, tick);
}

void TimeBank::spend(Duration time) noexcept {
  left_ -= time + latency();
  recent_ += (left_before_ - left_ - recent_) / kRecentAnswers;
  left_before_ = left_;
  if (steady_ <= 0ns) return;
  debt_ = std::clamp(debt_ + time + latency() - steady_, -kSavedAnswersMax * steady_, kDebtAnswersMax * steady_);
}

}  // namespace forkmunk::player

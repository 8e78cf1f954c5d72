// SPDX-License-Identifier: MIT
#include "time_bank.h"

#include <gtest/gtest.h>

namespace forkmunk::player {
namespace {

using namespace std::chrono_literals;

constexpr int kLives = 5;

// Both sides win alternately.
template <typename Answer>
void play(int matches, int ticks, Answer answer) {
  for (int match = 0; match < matches; ++match) {
    const int lost = match / 2, won = match - lost;
    for (int tick = 0; tick < ticks; ++tick) answer(kLives - lost, kLives - won, tick);
  }
}

// Every answer takes `late` more than allowed.
TimeBank after_game(TimeBank bank, int matches, int ticks, TimeBank::Duration late) {
  play(matches, ticks,
       [&](int lives, int enemy_lives, int tick) { bank.spend(bank.allowance(lives, enemy_lives, tick) + late); });
  return bank;
}
TimeBank longest_game(TimeBank bank, TimeBank::Duration late) { return after_game(bank, 9, 1300, late); }

TEST(TimeBank, LastsForTheLongestGame) {
  EXPECT_GT(longest_game(TimeBank(120s), 0ns).left(), 0s);
  EXPECT_GT(longest_game(TimeBank(120s, 6ms), 0ns).left(), 0s);
  EXPECT_GT(longest_game(TimeBank(120s, 50ms), 0ns).left(), 0s);
  EXPECT_GT(longest_game(TimeBank(120s), 500us).left(), 0s);
}

TEST(TimeBank, IsUsedInAGameOfCommonLength) {
  EXPECT_LT(after_game(TimeBank(120s), 9, 500, 0ns).left(), 30s) << "too much time is left";
  EXPECT_LT(after_game(TimeBank(120s), 7, 550, 0ns).left(), 45s) << "too much time is left";
}

TEST(TimeBank, SteadyKeepsALongTimeInAGameOfCommonLength) {
  constexpr int kMatches = 7, kTicks = 550;
  const TimeBank bank = after_game(TimeBank(120s, 20ms), kMatches, kTicks, 0ns);
  const TimeBank::Duration mean = (120s - bank.left()) / (kMatches * kTicks);
  EXPECT_GT(mean, 16ms);
  EXPECT_LE(mean, 20ms);
}

TEST(TimeBank, AssumesTheMatchesOfEqualPlayers) {
  const TimeBank bank(120s);
  EXPECT_GT(bank.allowance(1, 5, 0), bank.allowance(3, 3, 0)) << "the same number of matches at most, fewer are likely";
  EXPECT_EQ(bank.allowance(2, 4, 0), bank.allowance(4, 2, 0));
  EXPECT_GT(bank.allowance(1, 1, 0), bank.allowance(5, 5, 0));
  EXPECT_GT(bank.allowance(0, 0, 0), 0ns) << "any number of lives is possible";
  EXPECT_GT(bank.allowance(9, 9, 0), 0ns);
  EXPECT_GT(bank.allowance(1'000'000, 1'000'000, 0), 0ns);
}

TEST(TimeBank, SteadyKeepsTheMeanWhenAnswersAreLate) {
  TimeBank bank(120s, 6ms);
  TimeBank::Duration total{0};
  constexpr int kAnswers = 1000;
  for (int tick = 0; tick < kAnswers; ++tick) {
    const TimeBank::Duration taken = bank.allowance(kLives, kLives, tick) + (tick % 10 == 0 ? 7ms : 0ms);
    total += taken;
    bank.spend(taken);
  }
  EXPECT_LE(total / kAnswers, 6ms);
  EXPECT_GE(total / kAnswers, 5ms) << "time is not used";
}

TEST(TimeBank, ADelayOfSecondsIsTakenFromTheBankAndForgiven) {
  TimeBank bank(120s, 6ms);
  bank.spend(3s);
  EXPECT_LT(bank.left(), 117s);
  for (int tick = 0; tick < 100; ++tick) {
    const auto allowed = bank.allowance(kLives, kLives, tick);
    EXPECT_GT(allowed, 2ms);
    bank.spend(allowed);
  }
  EXPECT_GT(bank.allowance(kLives, kLives, 100), 5ms);
}

TEST(TimeBank, SteadyUsesMostOfAShortTime) {
  for (const TimeBank::Duration steady : {100us, 500us, 1200us, 3000us}) {
    const TimeBank::Duration allowed = TimeBank(120s, steady).allowance(kLives, kLives, 0);
    EXPECT_LT(allowed, steady);
    EXPECT_GT(allowed, steady * (steady > 1ms ? 83 : 49) / 100);
  }
  EXPECT_LE(TimeBank(120s, 1ns).allowance(kLives, kLives, 0), 1ns) << "the least time is not none";
}

TEST(TimeBank, SavesTheTimeThatAnswersDoNotUse) {
  TimeBank bank(120s, 1200us);
  EXPECT_EQ(bank.extra(kLives, kLives, 0), 0ns);
  for (int tick = 0; tick < 6; ++tick) bank.spend(100us);
  EXPECT_TRUE(bank.saves());
  const TimeBank::Duration extra = bank.extra(kLives, kLives, 6);
  EXPECT_GT(extra, 2400us);
  EXPECT_LT(extra, 3300us) << "half of it, so that some is left";
  bank.spend(bank.allowance(kLives, kLives, 6) + extra);
  EXPECT_GT(bank.extra(kLives, kLives, 7), extra / 3);
  EXPECT_LT(bank.extra(kLives, kLives, 7), extra);
  for (int tick = 7; tick < 100; ++tick) bank.spend(100us);
  EXPECT_FALSE(bank.saves()) << "without end";
  EXPECT_LT(bank.extra(kLives, kLives, 100), 7ms);

  TimeBank without(120s);
  without.spend(100us);
  EXPECT_FALSE(without.saves());
  EXPECT_EQ(without.extra(kLives, kLives, 1), 0ns);
}

TEST(TimeBank, SavedTimeKeepsTheMean) {
  TimeBank bank(120s, 1200us);
  TimeBank::Duration total{0};
  constexpr int kAnswers = 2000;
  for (int tick = 0; tick < kAnswers; ++tick) {
    TimeBank::Duration taken = 100us;
    if (tick % 9 == 0) {
      taken = bank.allowance(kLives, kLives, tick) + bank.extra(kLives, kLives, tick);
    } else if (!bank.saves()) {
      taken = bank.allowance(kLives, kLives, tick);
    }
    total += taken;
    bank.spend(taken);
  }
  EXPECT_LE(total / kAnswers, 1200us);
  EXPECT_GE(total / kAnswers, 960us) << "time is not used";
}

TEST(TimeBank, DelaysByOtherProgramsDoNotShortenASteadyAnswer) {
  TimeBank bank(120s, 1ms);
  const TimeBank::Duration before = bank.allowance(kLives, kLives, 0);
  bank.delay(10s);
  EXPECT_EQ(bank.left(), 110s);
  EXPECT_EQ(bank.allowance(kLives, kLives, 0), before);
}

TEST(TimeBank, KnowsHowLongItLastsAtThePaceOfTheLastAnswers) {
  const auto after = [](int answers, TimeBank::Duration delay) {
    TimeBank bank(120s, 1ms);
    for (int tick = 0; tick < answers; ++tick) {
      bank.delay(delay);
      bank.spend(1ms);
    }
    return bank;
  };
  EXPECT_TRUE(TimeBank(120s, 1ms).covers_rest(kLives, kLives, 0));
  EXPECT_TRUE(after(300, 8ms).covers_rest(kLives, kLives, 300));
  EXPECT_FALSE(after(300, 40ms).covers_rest(kLives, kLives, 300));
  TimeBank bank = after(300, 40ms);
  for (int tick = 300; tick < 500; ++tick) bank.spend(1ms);
  EXPECT_TRUE(bank.covers_rest(kLives, kLives, 500)) << "the pace is that of the last answers";
  bank.delay(100s);
  bank.spend(1ms);
  EXPECT_FALSE(bank.covers_rest(kLives, kLives, 501));
}

TEST(TimeBank, LastsForTheLongestGameWithDelaysUpToTheCeiling) {
  for (TimeBank bank : {TimeBank(120s), TimeBank(120s, 3ms)}) {
    play(9, 1200, [&](int lives, int enemy_lives, int tick) {
      const TimeBank::Duration allowed = bank.allowance(lives, enemy_lives, tick);
      bank.delay(bank.delay_max(lives, enemy_lives, tick));
      bank.spend(allowed);
    });
    EXPECT_GT(bank.left(), 0s);
  }
}

TEST(TimeBank, LastsForTheLongestGameWithExtraTime) {
  TimeBank bank(120s, 50ms);
  play(9, 1200, [&](int lives, int enemy_lives, int tick) {
    const TimeBank::Duration allowed = bank.allowance(lives, enemy_lives, tick);
    bank.spend(tick % 8 == 0 ? allowed + bank.extra(lives, enemy_lives, tick) : allowed);
  });
  EXPECT_GT(bank.left(), 0s);
}

TEST(TimeBank, AnEmptyBankStillAnswers) {
  TimeBank bank(120s);
  bank.spend(130s);
  EXPECT_GT(bank.allowance(kLives, kLives, 0), 0ns);
  EXPECT_LT(bank.allowance(kLives, kLives, 0), 1ms);
}

}  // namespace
}  // namespace forkmunk::player

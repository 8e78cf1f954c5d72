// SPDX-License-Identifier: MIT
#include "support/scenes.h"

#include <forkmunk/engine/game.h>

#include <gtest/gtest.h>

namespace forkmunk::engine {
namespace {

std::vector<MatchSetup> matches(std::size_t count) {
  std::vector<MatchSetup> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(tests::all_scenes()[i % 18].setup);
  return result;
}

TEST(Game, LivesAreHalfTheMatchesRoundedUp) {
  EXPECT_EQ(starting_lives(9), 5);
  EXPECT_EQ(starting_lives(18), 9);
  EXPECT_EQ(starting_lives(1), 1);
}

TEST(Game, IsPlayedMatchByMatchInOneWorld) {
  Game game(matches(9), Physics::flat);
  World world;
  Lives lives{5, 5};
  std::size_t match = 0;
  world.begin_match(tests::scene_of("PillMap", "Buggy").setup);
  tests::Script commands(3);
  while (!game.over()) {
    const Commands c = commands.next();
    const Game::Event event = game.step(c);
    world.step(c);
    if (world.match_over()) {
      for (const Player player : kPlayers) lives[index_of(player)] -= world.dead(player) ? 1 : 0;
      EXPECT_EQ(event, game.over() ? Game::Event::game_over : Game::Event::match_over);
      if (event == Game::Event::match_over) {
        game.next_match();
        world.begin_match(tests::all_scenes()[++match].setup);
      }
    } else {
      EXPECT_EQ(event, Game::Event::ticked);
    }
    ASSERT_EQ(game.world().hash(), world.hash()) << "tick " << game.tick_num();
    ASSERT_EQ(game.lives(), lives);
    ASSERT_EQ(game.match_index(), match);
  }
  EXPECT_TRUE(lives[0] == 0 || lives[1] == 0 || match == 8);
  EXPECT_EQ(game.winner().has_value(), lives[0] != lives[1]);
  EXPECT_EQ(game.winner().value_or(Player::first), lives[0] >= lives[1] ? Player::first : Player::second);
}

TEST(Game, EndsWhenAPlayerHasNoLives) {
  Game game(matches(1), Physics::flat);
  tests::Script commands(8);
  while (game.step(commands.next()) == Game::Event::ticked) {}
  EXPECT_TRUE(game.over());
  EXPECT_EQ(std::min(game.lives()[0], game.lives()[1]), 0);
}

TEST(Game, BadMatchesAreRefusedBeforeAnythingIsPlayed) {
  EXPECT_THROW(Game({}, Physics::flat), Error);
  std::vector<MatchSetup> list = matches(3);
  list[2].car.body_mass = -1;
  EXPECT_THROW(Game(list, Physics::flat), InvalidSetup);
}

TEST(Game, ContinuesFromASnapshotInAnotherGameOfTheSameMatches) {
  const auto play_to_end = [](Game& game) {
    tests::Script commands(5);
    std::vector<std::uint64_t> hashes;
    while (!game.over()) {
      if (game.step(commands.next()) == Game::Event::match_over) game.next_match();
      hashes.push_back(game.world().hash());
    }
    return hashes;
  };
  Game game(matches(5), Physics::flat, Lives{2, 4});
  tests::Script commands(3);
  while (game.match_index() < 1 || game.world().tick() < 40) {
    if (game.step(commands.next()) == Game::Event::match_over) game.next_match();
  }
  const GameSnapshot snapshot = game.save();
  const std::vector<std::uint64_t> expected = play_to_end(game);
  Game other(matches(5), Physics::flat);
  for (int repeat = 0; repeat < 2; ++repeat) {
    other.restore(snapshot);
    EXPECT_EQ(other.match_index(), 1u);
    EXPECT_EQ(other.lives(), snapshot.lives);
    EXPECT_EQ(play_to_end(other), expected);
    EXPECT_EQ(other.lives(), game.lives());
    EXPECT_EQ(other.tick_num(), game.tick_num());
  }
  GameSnapshot wrong;
  wrong.match_index = 5;
  EXPECT_THROW(other.restore(wrong), Error);
  wrong.match_index = 2;
  EXPECT_THROW(other.restore(wrong), Error) << "it has no state";
}

TEST(Game, OfChipmunkContinuesFromItsOwnSnapshotInTheSameMatch) {
  for (const Physics physics : available_physics()) {
    if (physics == Physics::flat) continue;
    Game game(matches(3), physics), other(matches(3), physics);
    tests::Script commands(3);
    for (int i = 0; i < 30; ++i) game.step(commands.next());
    const GameSnapshot snapshot = game.save();
    const std::uint64_t hash = game.world().hash();
    for (int i = 0; i < 30; ++i) game.step(commands.next());
    game.restore(snapshot);
    EXPECT_EQ(game.world().hash(), hash);
    EXPECT_EQ(game.tick_num(), 30);
    EXPECT_THROW(other.restore(snapshot), Error);
    EXPECT_EQ(other.tick_num(), 0);
  }
}

TEST(Game, IsBrokenOffWhenTheWorldIsNonFinite) {
  for (const Physics physics : available_physics()) {
    Game game({tests::exploding_setup(), tests::scene_of("PillMap", "Buggy").setup}, physics);
    tests::Script commands(7);
    Game::Event event = Game::Event::ticked;
    while (event == Game::Event::ticked && game.tick_num() < 2000) {
      EXPECT_TRUE(game.world().is_finite());
      event = game.step(commands.next());
    }
    EXPECT_EQ(event, Game::Event::game_over) << engine_name(physics);
    EXPECT_TRUE(game.over() && game.broken_off());
    EXPECT_FALSE(game.world().is_finite());
    EXPECT_FALSE(game.winner());
    EXPECT_EQ(game.lives(), (Lives{1, 1}));
  }
}

}  // namespace
}  // namespace forkmunk::engine

// SPDX-License-Identifier: MIT
#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>
#include <forkmunk/engine/game.h>

#include <algorithm>

namespace forkmunk::engine {

std::optional<Player> leader_of(const Lives& lives) noexcept {
  if (lives[0] == lives[1]) return std::nullopt;
  return lives[0] > lives[1] ? Player::first : Player::second;
}

void settle_lives(const World& world, Lives& lives) noexcept {
  for (const Player player : kPlayers) {
    if (world.dead(player)) --lives[index_of(player)];
  }
}

Game::Game(std::vector<MatchSetup> matches, Physics physics, std::optional<Lives> lives)
    : matches_(std::move(matches)), world_(physics) {
  if (matches_.empty()) throw Error("Game: no matches; give at least one");
  for (const MatchSetup& setup : matches_) validate(setup);
  const int at_start = starting_lives(matches_.size());
  lives_ = lives.value_or(Lives{at_start, at_start});
  world_.begin_match(matches_.front());
}

Game::Event Game::step(Commands commands) {
  FORKMUNK_CHECK(!over_ && !world_.match_over(), "step() after the end of a game or match, at tick %lld",
                 static_cast<long long>(tick_num_));
  world_.step(commands);
  ++tick_num_;
  broken_off_ = !world_.is_finite();
  over_ = tick_num_ >= kGameTicksMax || broken_off_;
  if (broken_off_) return Event::game_over;
  if (world_.match_over()) {
    settle_lives(world_, lives_);
    over_ = over_ || std::ranges::min(lives_) <= 0 || match_index_ + 1 == matches_.size();
    if (!over_) return Event::match_over;
  }
  return over_ ? Event::game_over : Event::ticked;
}

void Game::next_match() {
  FORKMUNK_CHECK(!over_ && world_.match_over(), "next_match() before the end of match %zu", match_index_);
  world_.begin_match(matches_[++match_index_]);
}

GameSnapshot Game::save() const {
  FORKMUNK_CHECK(!over_, "save() after the end of a game, at tick %lld", static_cast<long long>(tick_num_));
  return {match_index_, lives_, tick_num_, world_.save()};
}

void Game::restore(const GameSnapshot& snapshot) {
  if (snapshot.match_index >= matches_.size()) {
    throw Error("Game::restore(): the snapshot is of match ", snapshot.match_index, " (0-based); the game has ",
                matches_.size(), " matches");
  }
  if (snapshot.match_index != match_index_ || !world_.try_restore(snapshot.world)) {
    World world(world_.physics());
    world.begin_match(matches_[snapshot.match_index]);
    world.restore(snapshot.world);
    world_ = std::move(world);
  }
  match_index_ = snapshot.match_index;
  lives_ = snapshot.lives;
  tick_num_ = snapshot.tick_num;
  over_ = broken_off_ = false;
}

std::optional<Player> Game::winner() const noexcept { return over_ && !broken_off_ ? leader_of(lives_) : std::nullopt; }

}  // namespace forkmunk::engine

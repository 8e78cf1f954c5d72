#include <forkmunk/base/check.h>
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

Game::Game(std::vector<MatchSetup> matches, Physics physics) : matches_(std::move(matches)), world_(physics) {
  if (matches_.empty()) throw Error("a game needs at least one match");
  for (const MatchSetup& setup : matches_) validate(setup);
  lives_.fill(starting_lives(matches_.size()));
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
    over_ = over_ || std::ranges::min(lives_) == 0 || match_index_ + 1 == matches_.size();
    if (!over_) return Event::match_over;
  }
  return over_ ? Event::game_over : Event::ticked;
}

void Game::next_match() {
  FORKMUNK_CHECK(!over_ && world_.match_over(), "next_match() before the end of match %zu", match_index_);
  world_.begin_match(matches_[++match_index_]);
}

std::optional<Player> Game::winner() const noexcept { return over_ && !broken_off_ ? leader_of(lives_) : std::nullopt; }

}  // namespace forkmunk::engine

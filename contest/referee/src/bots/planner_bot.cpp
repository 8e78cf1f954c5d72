#include "planner_bot.h"

#include <forkmunk/formats/message.h>
#include <forkmunk/player/planner_player.h>

#include <optional>
#include <utility>

namespace forkmunk::referee {
namespace {

using Clock = search::Budget::Clock;

class PlannerBot final : public Bot {
 public:
  explicit PlannerBot(const player::PlayerOptions& options) : player_(options) {}

  void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) override {
    me_ = me;
    match_ = formats::NewMatchMessage{lives[index_of(me)], lives[index_of(opponent_of(me))], world.setup()};
  }
  void send_tick(const engine::World&) override {}
  Answer answer(const engine::World& world) override {
    const auto since = Clock::now();
    // The clock starts here, not at send_tick(): the other player may have computed in between.
    if (match_) player_.receive(*match_, since);
    match_.reset();
    player::Answer answer = player_.answer(formats::message_for(me_, world), since);
    return {Answer::Kind::command, answer.command, std::move(answer.debug), {}, std::move(answer.search_trace)};
  }

 private:
  player::PlannerPlayer player_;
  engine::Player me_ = engine::Player::first;
  std::optional<formats::NewMatchMessage> match_;  // until the first tick of the match is answered
};

}  // namespace

std::unique_ptr<Bot> make_planner_bot(const player::PlayerOptions& options) {
  return std::make_unique<PlannerBot>(options);
}

}  // namespace forkmunk::referee

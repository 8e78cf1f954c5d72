#include "planner_bot.h"

#include <forkmunk/formats/message.h>
#include <forkmunk/player/planner_player.h>

#include <utility>

namespace forkmunk::referee {
namespace {

using Clock = search::Budget::Clock;

class PlannerBot final : public Bot {
 public:
  explicit PlannerBot(const player::PlayerOptions& options) : player_(options) {}

  void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) override {
    me_ = me;
    player_.receive({lives[index_of(me)], lives[index_of(opponent_of(me))], world.setup()}, Clock::now());
  }
  void tell(const engine::World&) override {}
  Answer answer(const engine::World& world) override {
    player::Answer answer = player_.answer(formats::message_for(me_, world), Clock::now());
    return {Answer::Kind::command, answer.command, std::move(answer.debug), {}, std::move(answer.thought)};
  }

 private:
  player::PlannerPlayer player_;
  engine::Player me_ = engine::Player::first;
};

}  // namespace

std::unique_ptr<Bot> make_planner_bot(const player::PlayerOptions& options) {
  return std::make_unique<PlannerBot>(options);
}

}  // namespace forkmunk::referee

#include "evaluators/car_view.h"

#include <forkmunk/base/error.h>
#include <forkmunk/search/overrides.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace forkmunk::search {
namespace {

using engine::Command;
using engine::Player;
using engine::World;

// Ids of the contest's maps.
constexpr std::int64_t kIslandMap = 5;
constexpr std::int64_t kIslandHoleMap = 6;

/// Inputs of an override.
struct View {
  const World& world;
  Player me;
  const Decision& planned;
  CarKind kind;
  std::int64_t map;
  CarView mine;
  CarView enemy;
};

bool is_buggy(const View& view) noexcept { return view.kind != CarKind::bus; }

// The opponent approaches by at least a car's length within half a second.
bool closes_in(const View& view) noexcept {
  constexpr double kFast = 300;
  constexpr double kFar = 500;
  const Vec2 d = view.mine.centre - view.enemy.centre;
  const double distance = length(d);
  if (distance > kFar) return false;
  return dot(view.enemy.velocity - view.mine.velocity, normalised(d)) > kFast;
}

// A death within the plan dominates its score.
bool predicts_a_death(const View& view) noexcept { return std::abs(view.planned.score.value_or(0)) > kWin / 50; }

// The bus on its rear bumper, wheels in the air: torque keeps it at 67 deg, where its button is out of reach.
std::optional<Command> bus_bumper(const View& view) {
  if (view.kind != CarKind::bus) return std::nullopt;
  constexpr double kDegree = std::numbers::pi / 180;
  constexpr double kBalance = 67 * kDegree;
  constexpr double kAhead = 5 * engine::kTickSeconds;
  const double nose_up = view.me == Player::first ? 1 : -1;
  const double angle = nose_up * view.world.car(view.me).body.angle;
  const double lean = angle + nose_up * view.mine.rate * kAhead;
  const bool stands = angle > 45 * kDegree && angle < 90 * kDegree && std::abs(view.mine.rate) < 2 &&
                      length(view.mine.velocity) < 60 && view.world.in_air(view.me);
  if (!stands) return std::nullopt;
  const bool nose_higher = lean < kBalance;
  return nose_higher == (view.me == Player::first) ? Command::right : Command::left;
}

// A buggy keeps away from the hole: the platforms at the sides are higher than the one between.
std::optional<Command> hole_platform(const View& view) {
  if (view.map != kIslandHoleMap || !is_buggy(view)) return std::nullopt;
  constexpr double kPlatformEnd = 300;
  constexpr double kBrakeFrom = 60;  // before the end
  const bool left_side = view.mine.centre.x < engine::kFieldWidth / 2;
  // As if on the left: x from the outer wall, velocity towards the hole.
  const double x = left_side ? view.mine.centre.x : engine::kFieldWidth - view.mine.centre.x;
  const double speed = left_side ? view.mine.velocity.x : -view.mine.velocity.x;
  const bool upright = view.mine.tilt < std::numbers::pi / 4;
  if (!upright || view.mine.centre.y < 200 || x > kPlatformEnd) return std::nullopt;
  const Command outwards = left_side ? Command::left : Command::right;
  const Command inwards = left_side ? Command::right : Command::left;
  if (x + speed * 0.3 > kPlatformEnd - kBrakeFrom && view.planned.command == inwards) return outwards;
  return std::nullopt;
}

// A buggy on the island has no room to retreat: behind it is the edge.
std::optional<Command> island_towards(const View& view) {
  if (view.map != kIslandMap || !is_buggy(view)) return std::nullopt;
  const Command towards = view.enemy.centre.x > view.mine.centre.x ? Command::right : Command::left;
  const bool away = view.planned.command != towards && view.planned.command != Command::stop;
  const bool upright = view.mine.tilt < std::numbers::pi / 4;
  // A car that faces away backs towards the enemy and exposes its button.
  const bool faces = dot(view.mine.forward, view.enemy.centre - view.mine.centre) > 0;
  if (!away || !upright || !faces || view.world.in_air(view.me)) return std::nullopt;
  return Command::stop;
}

struct Entry {
  OverrideInfo info;
  std::optional<Command> (*apply)(const View& view);
};

constexpr std::array<Entry, 3> kOverrides{{
    {{"bus_bumper", "Bus, all maps: it balances on its rear bumper once it stands there"}, bus_bumper},
    {{"hole_platform", "buggies, IslandHoleMap: they stay on the platform at the side"}, hole_platform},
    {{"island_towards", "buggies, IslandMap: they never drive away from the enemy"}, island_towards},
}};

}  // namespace

std::span<const OverrideInfo> overrides() noexcept {
  static constexpr auto kInfos = [] {
    std::array<OverrideInfo, kOverrides.size()> infos;
    for (std::size_t i = 0; i < infos.size(); ++i) infos[i] = kOverrides[i].info;
    return infos;
  }();
  return kInfos;
}

void Overrides::enable(std::string_view name) {
  const auto* const found = std::ranges::find(kOverrides, name, [](const Entry& entry) { return entry.info.name; });
  if (found == kOverrides.end()) {
    std::string names;
    for (const Entry& entry : kOverrides) names.append(names.empty() ? "" : ", ").append(entry.info.name);
    throw Error(std::string("rule ").append(name).append(": expected one of ").append(names));
  }
  enabled_.resize(kOverrides.size());
  enabled_[static_cast<std::size_t>(found - kOverrides.begin())] = true;
}

std::optional<Overrides::Verdict> Overrides::apply(const World& world, Player me, const Decision& planned) const {
  if (enabled_.empty()) return std::nullopt;
  const engine::MatchSetup& setup = world.setup();
  const CarShape shape(setup.car);
  const View view{world,
                  me,
                  planned,
                  kind_of(setup.car),
                  setup.map.external_id,
                  CarView(shape, world.car(me), me),
                  CarView(shape, world.car(opponent_of(me)), opponent_of(me))};
  if (predicts_a_death(view) || closes_in(view)) return std::nullopt;
  for (std::size_t i = 0; i < kOverrides.size(); ++i) {
    if (!enabled_[i]) continue;
    if (const auto command = kOverrides[i].apply(view)) return Verdict{kOverrides[i].info.name, *command};
  }
  return std::nullopt;
}

}  // namespace forkmunk::search

// SPDX-License-Identifier: MIT
#include <forkmunk/planning/weights.h>

namespace forkmunk::planning {

CarKind kind_of(const engine::CarSetup& car) noexcept {
  // The mass of a bus, three times a buggy's, identifies it.
  constexpr double kBusMass = 450;
  if (car.body_mass >= kBusMass) return CarKind::bus;
  return car.squared_wheels ? CarKind::square_buggy : CarKind::buggy;
}

std::string_view to_string(CarKind kind) noexcept {
  switch (kind) {
    case CarKind::bus: return "Bus";
    case CarKind::square_buggy: return "SquareWheelsBuggy";
    case CarKind::buggy: break;
  }
  return "Buggy";
}

namespace {

Weights hand_set_weights() {
  // clang-format off
  return {
      // evaluator   term               Buggy    Bus  Square  per tick
      {"normalised", "tilt_mine",      {  -15,   -15,   -15}, 1, "my car lies on its back, close to the enemy and calm"},
      {"normalised", "tilt_enemy",     {   15,    15,    15}, 1, "the enemy's does"},
      {"normalised", "nearness_mine",  {   45,    45,    45}, 1, "my points before the enemy's button"},
      {"normalised", "nearness_enemy", {  -45,   -45,   -45}, 1, "its points before mine"},
      {"normalised", "ram_mine",       {   25,    25,    25}, 1, "I drive at its button"},
      {"normalised", "ram_enemy",      {  -25,   -25,   -25}, 1, "it drives at mine"},
      {"normalised", "speed",          {   30,    30,    30}, 1, "my speed, more so towards the enemy"},
      {"normalised", "speed_enemy",    {    0,     0,     0}, 1, "the enemy's speed, more so towards me"},
      {"normalised", "height",         {   30,    30,    30}, 1, "my button above the enemy's"},
      {"normalised", "height_late",    {   60,    60,    60}, 1, "the same when the deadline rises"},
      {"normalised", "airborne",       {   15,     0,     0}, 1, "the enemy is tilted and in the air"},

      {"mirrored", "ground_mine",      {  -30,   -30,   -30}, 1, "my angle to the ground, unless I climb"},
      {"mirrored", "ground_enemy",     {   30,    30,    30}, 1, "the enemy's angle to the ground"},
      {"mirrored", "facing_mine",      {   15,    15,    15}, 1, "I face where the enemy will be"},
      {"mirrored", "facing_enemy",     {  -15,   -15,   -15}, 1, "it faces where I will be"},
      {"mirrored", "reach_mine",       {   40,    40,    40}, 1, "my wheels and hull near the enemy's button"},
      {"mirrored", "reach_enemy",      {  -40,   -40,   -40}, 1, "its wheels and hull near mine"},
      {"mirrored", "speed_mine",       {   15,    15,    15}, 1, "my speed"},
      {"mirrored", "speed_enemy",      {  -15,   -15,   -15}, 1, "the enemy's speed"},
      {"mirrored", "far",              {  -10,   -10,   -10}, 1, "distance between the cars"},
      {"mirrored", "height",           {   25,    25,    25}, 1, "my button above the enemy's"},
      {"mirrored", "height_late",      {   60,    60,    60}, 1, "the same when the deadline rises"},
      {"mirrored", "touch",            {   10,     0,     0}, 1, "I touch the enemy's wheels: it cannot turn in the air"},

      {"distance", "speed",            {   15,    15,    15}, 1.02, "my speed"},
      {"distance", "speed_enemy",      {  -10,   -10,   -10}, 1, "the enemy's speed"},
      {"distance", "height",           {   30,    30,    30}, 1, "my button above the enemy's"},
      {"distance", "height_late",      {   60,    60,    60}, 1.02, "the same, the nearer the deadline"},
      {"distance", "room_mine",        {   25,    25,    25}, 1, "distance from my button to the nearest obstacle"},
      {"distance", "room_enemy",       {  -25,   -25,   -25}, 1, "from the enemy's"},
      {"distance", "gap_mine",         {   30,    30,    30}, 0.99, "distance from my button to the enemy's car"},
      {"distance", "gap_enemy",        {  -40,   -40,   -40}, 0.99, "from the enemy's button to mine"},
      {"distance", "sight_mine",       {   15,    15,    15}, 1, "free way before my button"},
      {"distance", "sight_enemy",      {  -15,   -15,   -15}, 1, "before the enemy's"},

      {"combined", "helpless_mine",    {  -15,   -15,   -15}, 1, "my car lies on its back, close to the enemy and calm"},
      {"combined", "helpless_enemy",   {   15,    15,    15}, 1, "the enemy's does"},
      {"combined", "nearness_mine",    {   45,    45,    45}, 1, "my points before the enemy's button"},
      {"combined", "nearness_enemy",   {  -45,   -45,   -45}, 1, "its points before mine"},
      {"combined", "ram_mine",         {   25,    25,    25}, 1, "I drive at its button"},
      {"combined", "ram_enemy",        {  -25,   -25,   -25}, 1, "it drives at mine"},
      {"combined", "speed",            {   30,    30,    30}, 1, "my speed, more so towards the enemy"},
      {"combined", "speed_enemy",      {  -10,   -10,   -10}, 1, "the enemy's speed, more so towards me"},
      {"combined", "height",           {   30,    30,    30}, 1, "my button above the enemy's"},
      {"combined", "height_late",      {   60,    60,    60}, 1, "the same when the deadline rises"},
      {"combined", "tilt_mine",        {  -25,   -25,   -25}, 1, "my car is tilted"},
      {"combined", "tilt_enemy",       {   25,    25,    25}, 1, "the enemy's is"},
      {"combined", "room_mine",        {   20,    20,    20}, 1, "distance from my button to the nearest obstacle"},
      {"combined", "room_enemy",       {  -20,   -20,   -20}, 1, "from the enemy's"},
      {"combined", "low_mine",         {  -40,   -40,   -40}, 1, "my button is close to the deadline"},
      {"combined", "low_enemy",        {   40,    40,    40}, 1, "the enemy's is"},
  };
  // clang-format on
}

// `combined`'s terms have the same weights in `learned`.
Weights with_learned(Weights weights) {
  const std::size_t hand_set = weights.size();
  for (std::size_t i = 0; i < hand_set; ++i) {
    if (weights[i].evaluator != "combined") continue;
    weights.push_back(weights[i]);
    weights.back().evaluator = "learned";
  }
  weights.push_back({"learned", "winning", {400, 400, 400}, 1, "the chance to win, by the value network"});
  return weights;
}

}  // namespace

const Weights& default_weights() {
  static const Weights kWeights = with_learned(hand_set_weights());
  return kWeights;
}

}  // namespace forkmunk::planning

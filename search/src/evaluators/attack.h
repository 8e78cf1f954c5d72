#pragma once

#include "evaluators/car_view.h"

#include <array>

/// What the contest's fourth place measured of an attack, each between 0 and 1 (normalised.cpp has the formulas).
namespace forkmunk::search {

/// How far |angle| is from 70 to 180 deg.
[[nodiscard]] double tilted(const CarView& car) noexcept;
/// The same of a car that is close to the other one and calm: it lies there.
[[nodiscard]] double helpless(const CarView& car, const CarView& other) noexcept;
/// How well the attacker's best point is placed before the target's button.
[[nodiscard]] double nearness(const CarView& attacker, const CarView& target) noexcept;
/// How well the attacker is headed against the target's button.
[[nodiscard]] double ram(const CarView& attacker, const CarView& target) noexcept;
/// Speed, half as much worth when it leads away from the other car.
[[nodiscard]] double speed_towards(const CarView& car, const CarView& other) noexcept;

/// helpless, nearness, ram, speed_towards, each one's own and then the enemy's; height and height_late.
using AttackValues = std::array<double, 10>;
[[nodiscard]] AttackValues measure_attack(const Scene& scene, int tick) noexcept;

}  // namespace forkmunk::search

#pragma once

#include <forkmunk/engine/match_setup.h>

namespace forkmunk::cars {

[[nodiscard]] engine::CarSetup buggy();
[[nodiscard]] engine::CarSetup bus();
[[nodiscard]] engine::CarSetup square_wheels_buggy();

}  // namespace forkmunk::cars

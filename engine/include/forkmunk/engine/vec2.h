#pragma once

namespace forkmunk::engine {

/// A point or a vector in map units; y points up.
struct Vec2 {
  double x = 0;
  double y = 0;
  friend bool operator==(const Vec2&, const Vec2&) = default;
};

}  // namespace forkmunk::engine

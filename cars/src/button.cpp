#include <forkmunk/cars/button.h>
#include <forkmunk/strict_math/strict_math.h>

namespace forkmunk::cars {

std::vector<engine::Vec2> polygon_of(const Button& button) {
  // The order of operations is that of the rules: it decides the rounding.
  const auto [x, y] = button.corner;
  const double sine = strict_math::sin(button.angle_rad);
  const double cosine = strict_math::cos(button.angle_rad);
  const double w = button.width;
  const double h = button.height;
  return {{x, y},
          {x - h * sine, y + h * cosine},
          {x + w * cosine - h * sine, y + w * sine + h * cosine},
          {x + w * cosine, y + w * sine}};
}

}  // namespace forkmunk::cars

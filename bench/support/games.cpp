#include "bench/support/games.h"

#include "bench/support/stock_world.h"
#include "bench/support/timing.h"

#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>

#include <algorithm>

namespace forkmunk::bench {
namespace {

using engine::Physics;
using engine::World;

template <typename AnyWorld>
double steps_us(AnyWorld& world, const Scene& scene) {
  world.begin_match(scene.setup);
  return time_us([&] { step_along(world, scene, 0, scene.commands.size()); });
}

}  // namespace

GamesReport measure_games(const std::vector<Scene>& matches, int repetition_count) {
  GamesReport report;
  report.match_count = matches.size();
  StockWorld stock(Arithmetic::strict);
  World chipmunk(Physics::chipmunk);
  World flat(Physics::flat);
  World watched(Physics::flat);  // a separate world: earlier matches of a world affect its last bits
  double stock_us = 0, chipmunk_us = 0, flat_us = 0;
  for (const Scene& scene : matches) {
    std::vector<double> of_stock, of_chipmunk, of_flat;
    for (int i = 0; i < repetition_count; ++i) {
      of_stock.push_back(steps_us(stock, scene));
      of_chipmunk.push_back(steps_us(chipmunk, scene));
      of_flat.push_back(steps_us(flat, scene));
      FORKMUNK_CHECK(same_state(flat, stock) && flat.hash() == chipmunk.hash(), "%s with %s: the engines differ",
                     scene.map.c_str(), scene.car.c_str());
    }
    stock_us += median(std::move(of_stock));
    chipmunk_us += median(std::move(of_chipmunk));
    flat_us += median(std::move(of_flat));
    report.tick_count += scene.commands.size();
    watched.begin_match(scene.setup);
    for (std::size_t tick = 0; tick < scene.commands.size(); ++tick) {
      step_along(watched, scene, tick, 1);
      report.flat_bytes.push_back(watched.live_bytes());
    }
  }
  const auto ticks = static_cast<double>(report.tick_count);
  report.stock_step_us = stock_us / ticks;
  report.chipmunk_step_us = chipmunk_us / ticks;
  report.flat_step_us = flat_us / ticks;
  std::sort(report.flat_bytes.begin(), report.flat_bytes.end());
  return report;
}

}  // namespace forkmunk::bench

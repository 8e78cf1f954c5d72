// SPDX-License-Identifier: MIT
#include "random_scene.h"
#include "space_host.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace forkmunk::space {
namespace {

// The scenes ignore the order of separations, which stock takes from addresses.
TEST(RandomScenes, MoveAsWithStockChipmunk) {
#ifdef _WIN32
  GTEST_SKIP() << "the stock library takes sin and cos from Windows, with other last bits";
#endif
  constexpr int kScenes = 60;
  constexpr int kSteps = 300;
  std::ostringstream command;
  command << FORKMUNK_STOCK_SCENE << " 1 " << kScenes << ' ' << kSteps;
  std::FILE* stock = ::popen(command.str().c_str(), "r");
  ASSERT_NE(stock, nullptr);
  for (int seed = 1; seed <= kScenes && !HasFailure(); ++seed) {
    Space world;
    world.set_defects(Defects::stock);
    random_scene::SpaceHost host(world);
    random_scene::SceneState* state = random_scene::build(host, static_cast<std::uint64_t>(seed), false);
    for (int step = 0; step < kSteps && !HasFailure(); ++step) {
      random_scene::advance(host, *state);
      unsigned long long expected = 0;
      ASSERT_EQ(std::fscanf(stock, "%llx", &expected), 1) << "the program ended early";
      EXPECT_EQ(random_scene::hash_of_motion(*state), expected) << "seed " << seed << ", step " << step;
    }
  }
  ::pclose(stock);
}

}  // namespace
}  // namespace forkmunk::space

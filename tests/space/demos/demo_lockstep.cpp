// SPDX-License-Identifier: MIT
#include "demo_lockstep.h"

#include <string_view>

namespace forkmunk::space {
namespace {

constexpr std::size_t kStepsBetweenForks = 50;
constexpr std::size_t kStepsAfterFork = 100;

/// The order of cached contacts decides Sticky's joints.
StockScene::Order order_of(const DemoScene& scene) {
  return scene.name == "Sticky" ? StockScene::Order::of_ids : StockScene::Order::of_addresses;
}

}  // namespace

std::vector<DemoScene> demo_scenes() {
  std::vector<DemoScene> scenes;
  for (std::size_t i = 0; i < demos_of_space.unit_count; ++i) {
    const DemoUnit& unit = *demos_of_space.units[i];
    for (int scene = 0; scene < unit.scene_count(); ++scene) {
      std::string name = unit.name;
      if (unit.scene_count() > 1) {
        const std::string_view own = unit.scene_name(scene);
        name.append("_").append(own.substr(own.rfind(' ') + 1));
      }
      scenes.push_back({i, scene, name, unit.scene_count() > 1});
    }
  }
  return scenes;
}

Lockstep::Lockstep(const DemoScene& scene)
    : main_(*demos_of_space.units[scene.unit], scene.number, kSeed),
      stock_(scene.unit, scene.number, kSeed, order_of(scene)),
      hashes_{main_.hash()} {
  expect(main_.positions() == stock_.positions(), "the scene differs from stock's");
}

std::string Lockstep::run(std::size_t steps) {
  Branch::Saved saved;
  for (std::size_t step = 0; failure_.empty() && step < steps; step += kStepsBetweenForks) {
    if (step > 0) advance(kStepsBetweenForks, nullptr);
    main_.save(saved);
    Branch twin = main_.fork();
    expect(twin.hash() == hashes_[step], "the fork differs from its origin");
    advance(kStepsAfterFork, &twin);
    expect(twin.finish(), "after the fork's scene was freed, some of its spaces are left");
    expect(main_.hash() == hashes_[at_], "freeing the fork's scene changed its origin");
    expect(main_.restore(saved), "the snapshot was refused");
    at_ = step;
    expect(main_.hash() == hashes_[step], "the state restored is not the one saved");
  }
  advance(kStepsAfterFork, nullptr);
  expect(main_.finish(), "after the scene was freed, some of its spaces are left");
  return failure_;
}

void Lockstep::advance(std::size_t count, Branch* twin) {
  for (std::size_t i = 0; failure_.empty() && i < count; ++i) {
    main_.tick();
    ++at_;
    const std::uint64_t hash = main_.hash();
    if (at_ < hashes_.size()) {
      expect(hash == hashes_[at_], "stepping on from the snapshot gives another state");
    } else {
      hashes_.push_back(hash);
      stock_.tick();
      expect(main_.positions() == stock_.positions(), "positions differ from stock's");
    }
    if (twin == nullptr) continue;
    twin->tick();
    if (twin->hash() != hash) {
      expect(false, "the fork's state differs: " +
                        first_difference(main_.world(), twin->world()).value_or("in the demo's variables"));
    }
  }
}

void Lockstep::expect(bool holds, const std::string& failure) {
  if (!holds && failure_.empty()) failure_ = "step " + std::to_string(at_) + ": " + failure;
}

}  // namespace forkmunk::space

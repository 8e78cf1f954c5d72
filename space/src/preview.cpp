// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/space/preview.h>
#include <forkmunk/space/recorder.h>

#include <algorithm>
#include <new>
#include <utility>

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::FORKMUNK_SPACE {
namespace {

using ShapePair = std::pair<std::uint32_t, std::uint32_t>;

// Returns pairs of ids: a body's shape and a shape that it touches, sorted.
std::vector<ShapePair> touching(const cpBody* body) {
  std::vector<ShapePair> pairs;
  cpBodyEachArbiter(
      const_cast<cpBody*>(body),
      [](cpBody*, cpArbiter* arbiter, void* list) {
        cpShape *own = nullptr, *other = nullptr;
        cpArbiterGetShapes(arbiter, &own, &other);  // the body's shape comes first
        static_cast<std::vector<ShapePair>*>(list)->emplace_back(Recording::id_of(own), Recording::id_of(other));
      },
      &pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

Preview preview(std::span<const cpBody* const> bodies, std::size_t steps,
                const std::function<void(std::size_t step)>& run) {
  Preview result;
  if (!run) throw Error("preview(): run is empty; give a function that makes a step");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i] == nullptr) throw Error("preview(): bodies[", i, "] is null, or no body of the space");
  }
  try {
    if (steps >= result.paths.max_size() / 3 / std::max<std::size_t>(bodies.size(), 1)) throw std::bad_alloc();
    result.paths.resize(bodies.size() * (steps + 1) * 3);
  } catch (const std::bad_alloc&) {
    throw Error("preview(): found ", steps, " steps, whose paths have no room in memory; ask for fewer");
  }
  std::vector<std::vector<ShapePair>> before(bodies.size());
  std::vector<std::uint32_t> ids;
  for (const cpBody* body : bodies) ids.push_back(Recording::id_of(body));
  for (std::size_t step = 0; step <= steps; ++step) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      double* const pose = &result.paths[3 * (i * (steps + 1) + step)];
      if (Recording::id_of(bodies[i]) != ids[i]) {
        std::copy_n(pose - 3, 3, pose);
        continue;
      }
      const cpVect position = cpBodyGetPosition(bodies[i]);
      pose[0] = position.x, pose[1] = position.y, pose[2] = cpBodyGetAngle(bodies[i]);
      std::vector<ShapePair> now = touching(bodies[i]);
      for (const ShapePair& pair : now) {
        if (step > 0 && !std::binary_search(before[i].begin(), before[i].end(), pair)) {
          result.contacts.push_back({step, i, pair.first, pair.second});
        }
      }
      before[i] = std::move(now);
    }
    if (step < steps) run(step);
  }
  return result;
}

Preview preview(const Space& space, std::span<const cpBody* const> bodies, std::size_t steps, double dt,
                const std::function<void(Space& twin, std::size_t step)>& control) {
  Space twin = space.fork();
  std::vector<const cpBody*> twins;
  for (const cpBody* body : bodies) twins.push_back(twin.twin_of(space, body));
  return preview(twins, steps, [&](std::size_t step) {
    if (control) control(twin, step);
    twin.step(dt);
  });
}

}  // namespace forkmunk::FORKMUNK_SPACE

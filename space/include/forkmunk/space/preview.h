// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/space.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace forkmunk::FORKMUNK_SPACE {

/// The paths of some bodies, and what they begin to touch.
struct Preview {
  struct Contact {
    std::size_t step;     ///< The first step after which the shapes touch.
    std::size_t body;     ///< The body's index in the list.
    std::uint32_t shape;  ///< The id of the body's shape (Recording::id_of()).
    std::uint32_t other;  ///< The id of the touched shape.
  };
  std::vector<double> paths;      ///< Shape (bodies, steps + 1, 3): x, y and angle.
  std::vector<Contact> contacts;  ///< In the order of steps, without contacts of the present state.
};

/// Returns the future of `bodies` over `steps` steps of `dt` seconds, made in a fork. A body that is freed stays where
/// it was. \param control  unless empty, is called before each step, from 0 on, with the fork, whose twin_of() finds
/// the bodies. \throws Error for a body that is null or of another space, and as Space::fork() and Space::step().
[[nodiscard]] Preview preview(const Space& space, std::span<const cpBody* const> bodies, std::size_t steps, double dt,
                              const std::function<void(Space& twin, std::size_t step)>& control = {});
/// Returns the preview of the program's own fork. \param run  makes a step of the fork.
[[nodiscard]] Preview preview(std::span<const cpBody* const> bodies, std::size_t steps,
                              const std::function<void(std::size_t step)>& run);

}  // namespace forkmunk::FORKMUNK_SPACE

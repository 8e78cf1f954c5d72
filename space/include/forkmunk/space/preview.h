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

/// The future of some bodies: their paths, and what they begin to touch.
struct Preview {
  struct Contact {
    std::size_t step;     ///< The first step after which both shapes touch.
    std::size_t body;     ///< The index of the body in the list of bodies.
    std::uint32_t shape;  ///< The id of the body's shape, as in recordings (Recording::id_of()).
    std::uint32_t other;  ///< The id of the shape that it touches.
  };
  std::vector<double> paths;      ///< Shape (bodies, steps + 1, 3): x, y and angle.
  std::vector<Contact> contacts;  ///< In the order of steps. Contacts of the present state are left out.
};

/// Returns the future of `bodies` over `steps` steps of `dt` seconds, without a change to `space`: the steps are made
/// in a fork. \param control  called before each step, from 0 on, with the fork: twin_of() of the fork finds its
/// bodies. Empty: none. The control must not remove the bodies. \throws Error for a body that is null or of another
/// space, and as Space::fork() and Space::step().
[[nodiscard]] Preview preview(const Space& space, std::span<const cpBody* const> bodies, std::size_t steps, double dt,
                              const std::function<void(Space& twin, std::size_t step)>& control = {});
/// Returns the preview of a fork that the program has made itself. \param bodies  bodies of the fork. \param run  makes
/// a step of the fork.
[[nodiscard]] Preview preview(std::span<const cpBody* const> bodies, std::size_t steps,
                              const std::function<void(std::size_t step)>& run);

}  // namespace forkmunk::FORKMUNK_SPACE

#pragma once

#include "fast/groups.h"

/// What all kinds of joints need in lanes.
FORKMUNK_FAST_BEGIN

/// The velocities of a joint's two bodies, and what an impulse changes of them.
struct JointBodies {
  struct Body {
    Lanes vx, vy, w, inverse_mass, inverse_moment;
  };
  Body a, b;
};

template <typename Joint>
struct JointItems {
  const Joint* of[kLanes];
};

/// of(joint) in each lane.
template <typename Joint, typename Of>
FORKMUNK_INLINE Lanes each_joint(const JointItems<Joint>& joints, Of&& of) noexcept {
  alignas(64) double all[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) all[l] = of(*joints.of[l]);
  return *reinterpret_cast<const Lanes*>(all);
}
/// Where of(joint) is, in each lane.
template <typename Joint, typename Of>
FORKMUNK_INLINE Rows each_row(const JointItems<Joint>& joints, Of&& of) noexcept {
  Rows rows;
  for (std::size_t l = 0; l < kLanes; ++l) rows.of[l] = &of(*joints.of[l]);
  return rows;
}
template <typename Joint>
FORKMUNK_INLINE Lanes impulse_limit(const JointItems<Joint>& joints, double dt) noexcept {
  return each_joint(joints, [&](const Joint& joint) { return joint.constraint.maxForce * dt; });
}

/// As cpfclamp().
FORKMUNK_INLINE Lanes clamped(Lanes x, Lanes low, Lanes high) noexcept { return min_of(max_of(x, low), high); }

/// The anchors of joints that act on points.
struct Anchors {
  Lanes r1x, r1y, r2x, r2y;

  /// As relative_velocity().
  FORKMUNK_INLINE void relative_velocity(const JointBodies& bodies, Lanes& vx, Lanes& vy) const noexcept {
    vx = (bodies.b.vx - r2y * bodies.b.w) - (bodies.a.vx - r1y * bodies.a.w);
    vy = (bodies.b.vy + r2x * bodies.b.w) - (bodies.a.vy + r1x * bodies.a.w);
  }
  /// As apply_impulses().
  FORKMUNK_INLINE void apply(JointBodies& bodies, Lanes jx, Lanes jy) const noexcept {
    auto& [a, b] = bodies;
    a.vx -= jx * a.inverse_mass;
    a.vy -= jy * a.inverse_mass;
    a.w += a.inverse_moment * (r1y * jx - r1x * jy);
    b.vx += jx * b.inverse_mass;
    b.vy += jy * b.inverse_mass;
    b.w += b.inverse_moment * (r2x * jy - r2y * jx);
  }
};

template <typename Joint>
FORKMUNK_INLINE void load_anchors(const JointItems<Joint>& joints, Anchors& at) noexcept {
  load4(each_row(joints, [](const Joint& joint) -> const double& { return joint.r1.x; }), at.r1x, at.r1y, at.r2x,
        at.r2y);
}

/// As cpvclamp().
FORKMUNK_INLINE void clamp_length(Lanes& x, Lanes& y, Lanes length) noexcept {
  const Lanes square = x * x + y * y;
  const Mask is_longer = greater(square, length * length);
  if (bits_of(is_longer) == 0) return;
  const Lanes factor = all_lanes(1) / (square_root(square) + all_lanes(CPFLOAT_MIN));
  x = select(is_longer, x * factor * length, x);
  y = select(is_longer, y * factor * length, y);
}

FORKMUNK_FAST_END

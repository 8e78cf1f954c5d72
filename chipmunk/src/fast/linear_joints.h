#pragma once

#include "fast/joint_lanes.h"

/// The joints that act on points: each as its applyCachedImpulse() and applyImpulse() in Chipmunk. Their load() reads
/// what preStep() wrote and returns the bits of the lanes that are not at rest between limits.
FORKMUNK_FAST_BEGIN

/// A distance: of a pin joint, or of a slide joint that is at a limit.
struct DistanceLanes {
  Anchors at;
  Lanes nx, ny, mass, impulse, bias, low, high;

  template <typename Joint>
  FORKMUNK_INLINE void load_distance(const JointItems<Joint>& joints) noexcept {
    load_anchors(joints, at);
    load4(each_row(joints, [](const Joint& joint) -> const double& { return joint.n.x; }), nx, ny, mass, impulse);
    bias = each_joint(joints, [](const Joint& joint) { return joint.bias; });
  }
  FORKMUNK_INLINE void apply_cached(JointBodies& bodies, Lanes dt_ratio) const noexcept {
    at.apply(bodies, nx * (impulse * dt_ratio), ny * (impulse * dt_ratio));
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask active) noexcept {
    Lanes vx, vy;
    at.relative_velocity(bodies, vx, vy);
    const Lanes old = impulse;
    impulse = select(active, clamped(old + (bias - (vx * nx + vy * ny)) * mass, low, high), old);
    const Lanes j = impulse - old;
    at.apply(bodies, nx * j, ny * j);
  }
};

struct PinLanes : DistanceLanes {
  using Joint = cpPinJoint;
  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double dt) noexcept {
    load_distance(joints);
    high = impulse_limit(joints, dt);
    low = -high;
    return kAllLanes;
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept { joint.jnAcc = impulse[lane]; }
};

struct SlideLanes : DistanceLanes {
  using Joint = cpSlideJoint;
  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double dt) noexcept {
    load_distance(joints);
    high = all_lanes(0);
    low = -impulse_limit(joints, dt);
    return ~(bits_of(equal(nx, high)) & bits_of(equal(ny, high))) & kAllLanes;
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept { joint.jnAcc = impulse[lane]; }
};

/// A point, of both coordinates or along a groove.
struct PointLanes {
  Anchors at;
  Lanes ka, kb, kc, kd;
  Lanes jx, jy, bias_x, bias_y, limit;

  template <typename Joint>
  FORKMUNK_INLINE void load_point(const JointItems<Joint>& joints, double dt) noexcept {
    load_anchors(joints, at);
    load4(each_row(joints, [](const Joint& joint) -> const double& { return joint.k.a; }), ka, kb, kc, kd);
    load4(each_row(joints, [](const Joint& joint) -> const double& { return joint.jAcc.x; }), jx, jy, bias_x, bias_y);
    limit = impulse_limit(joints, dt);
  }
  FORKMUNK_INLINE void apply_cached(JointBodies& bodies, Lanes dt_ratio) const noexcept {
    at.apply(bodies, jx * dt_ratio, jy * dt_ratio);
  }
  /// The sum of the impulses so far and the next, before limits.
  FORKMUNK_INLINE void sum(const JointBodies& bodies, Lanes& x, Lanes& y) const noexcept {
    Lanes vx, vy;
    at.relative_velocity(bodies, vx, vy);
    const Lanes ex = bias_x - vx, ey = bias_y - vy;
    x = jx + (ex * ka + ey * kb);
    y = jy + (ex * kc + ey * kd);
  }
  FORKMUNK_INLINE void take(JointBodies& bodies, Lanes x, Lanes y) noexcept {
    clamp_length(x, y, limit);
    const Lanes old_x = jx, old_y = jy;
    jx = x, jy = y;
    at.apply(bodies, x - old_x, y - old_y);
  }
};

struct PivotLanes : PointLanes {
  using Joint = cpPivotJoint;
  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double dt) noexcept {
    load_point(joints, dt);
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    Lanes x, y;
    sum(bodies, x, y);
    take(bodies, x, y);
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept { joint.jAcc = {jx[lane], jy[lane]}; }
};

struct GrooveLanes : PointLanes {
  using Joint = cpGrooveJoint;
  Lanes nx, ny, clamp;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double dt) noexcept {
    load_point(joints, dt);
    load2(each_row(joints, [](const Joint& joint) -> const double& { return joint.grv_tn.x; }), nx, ny);
    clamp = each_joint(joints, [](const Joint& joint) { return joint.clamp; });
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    Lanes x, y;
    sum(bodies, x, y);
    const Mask is_free = greater(clamp * (x * ny - y * nx), all_lanes(0));
    const Lanes along = (x * nx + y * ny) / (nx * nx + ny * ny);  // cpvproject()
    take(bodies, select(is_free, x, nx * along), select(is_free, y, ny * along));
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept { joint.jAcc = {jx[lane], jy[lane]}; }
};

struct SpringLanes {
  using Joint = cpDampedSpring;
  Anchors at;
  Lanes mass, nx, ny, impulse, target, coefficient;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double) noexcept {
    load_anchors(joints, at);
    load4(each_row(joints, [](const Joint& joint) -> const double& { return joint.nMass; }), mass, nx, ny, impulse);
    load2(each_row(joints, [](const Joint& joint) -> const double& { return joint.target_vrn; }), target, coefficient);
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply_cached(JointBodies&, Lanes) const noexcept {}
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    Lanes vx, vy;
    at.relative_velocity(bodies, vx, vy);
    const Lanes speed = vx * nx + vy * ny;
    const Lanes damped = (target - speed) * coefficient;
    target = speed + damped;
    const Lanes j = damped * mass;
    impulse += j;
    at.apply(bodies, nx * j, ny * j);
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept {
    joint.jAcc = impulse[lane], joint.target_vrn = target[lane];
  }
};

FORKMUNK_FAST_END

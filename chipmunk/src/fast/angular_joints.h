#pragma once

#include "fast/joint_lanes.h"

/// The joints that act on angles, as linear_joints.h.
FORKMUNK_FAST_BEGIN

/// Those with an impulse that is kept between steps.
struct AngularLanes {
  Lanes inertia, impulse, limit;

  template <typename Joint>
  FORKMUNK_INLINE void load_impulse(const JointItems<Joint>& joints, double dt) noexcept {
    inertia = each_joint(joints, [](const Joint& joint) { return joint.iSum; });
    impulse = each_joint(joints, [](const Joint& joint) { return joint.jAcc; });
    limit = impulse_limit(joints, dt);
  }
  FORKMUNK_INLINE static void turn(JointBodies& bodies, Lanes j) noexcept {
    bodies.a.w -= j * bodies.a.inverse_moment;
    bodies.b.w += j * bodies.b.inverse_moment;
  }
  FORKMUNK_INLINE void apply_cached(JointBodies& bodies, Lanes dt_ratio) const noexcept {
    turn(bodies, impulse * dt_ratio);
  }
  template <typename Joint>
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept {
    joint.jAcc = impulse[lane];
  }
  /// The new impulse's difference to the old one.
  FORKMUNK_INLINE Lanes take(Lanes value) noexcept {
    const Lanes old = impulse;
    impulse = value;
    return value - old;
  }
};

struct RotarySpringLanes {
  using Joint = cpDampedRotarySpring;
  Lanes inertia, impulse, target, coefficient;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double) noexcept {
    load4(each_row(joints, [](const Joint& joint) -> const double& { return joint.target_wrn; }), target, coefficient,
          inertia, impulse);
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply_cached(JointBodies&, Lanes) const noexcept {}
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    const Lanes speed = bodies.a.w - bodies.b.w;
    const Lanes damped = (target - speed) * coefficient;
    target = speed + damped;
    const Lanes j = damped * inertia;
    impulse += j;
    bodies.a.w += j * bodies.a.inverse_moment;
    bodies.b.w -= j * bodies.b.inverse_moment;
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept {
    joint.jAcc = impulse[lane], joint.target_wrn = target[lane];
  }
};

struct RotaryLimitLanes : AngularLanes {
  using Joint = cpRotaryLimitJoint;
  Lanes bias, low, high;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double dt) noexcept {
    load_impulse(joints, dt);
    bias = each_joint(joints, [](const Joint& joint) { return joint.bias; });
    const Lanes zero = all_lanes(0);
    const Mask is_below = less(bias, zero);
    low = select(is_below, zero, -limit);
    high = select(is_below, limit, zero);
    return ~bits_of(equal(bias, zero)) & kAllLanes;
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask active) noexcept {
    const Lanes speed = bodies.b.w - bodies.a.w;
    turn(bodies, take(select(active, clamped(impulse - (bias + speed) * inertia, low, high), impulse)));
  }
};

struct RatchetLanes : AngularLanes {
  using Joint = cpRatchetJoint;
  Lanes bias, ratchet, high;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double dt) noexcept {
    load_impulse(joints, dt);
    bias = each_joint(joints, [](const Joint& joint) { return joint.bias; });
    ratchet = each_joint(joints, [](const Joint& joint) { return joint.ratchet; });
    high = limit * select(less(ratchet, all_lanes(0)), -ratchet, ratchet);
    return ~bits_of(equal(bias, all_lanes(0))) & kAllLanes;
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask active) noexcept {
    const Lanes speed = bodies.b.w - bodies.a.w;
    const Lanes sum = (impulse - (bias + speed) * inertia) * ratchet;
    turn(bodies, take(select(active, clamped(sum, all_lanes(0), high) / ratchet, impulse)));
  }
};

struct GearLanes : AngularLanes {
  using Joint = cpGearJoint;
  Lanes bias, ratio, inverse_ratio;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double dt) noexcept {
    load_impulse(joints, dt);
    bias = each_joint(joints, [](const Joint& joint) { return joint.bias; });
    ratio = each_joint(joints, [](const Joint& joint) { return joint.ratio; });
    inverse_ratio = each_joint(joints, [](const Joint& joint) { return joint.ratio_inv; });
    return kAllLanes;
  }
  FORKMUNK_INLINE void turn_gear(JointBodies& bodies, Lanes j) const noexcept {
    bodies.a.w -= j * bodies.a.inverse_moment * inverse_ratio;
    bodies.b.w += j * bodies.b.inverse_moment;
  }
  FORKMUNK_INLINE void apply_cached(JointBodies& bodies, Lanes dt_ratio) const noexcept {
    turn_gear(bodies, impulse * dt_ratio);
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    const Lanes speed = bodies.b.w * ratio - bodies.a.w;
    turn_gear(bodies, take(clamped(impulse + (bias - speed) * inertia, -limit, limit)));
  }
};

struct MotorLanes : AngularLanes {
  using Joint = cpSimpleMotor;
  Lanes rate;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, double dt) noexcept {
    load_impulse(joints, dt);
    rate = each_joint(joints, [](const Joint& joint) { return joint.rate; });
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    const Lanes speed = bodies.b.w - bodies.a.w + rate;
    turn(bodies, take(clamped(impulse - speed * inertia, -limit, limit)));
  }
};

FORKMUNK_FAST_END

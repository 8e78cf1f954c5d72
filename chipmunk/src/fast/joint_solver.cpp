// SPDX-License-Identifier: MIT

#include "fast/solver_kernel.h"

#include <forkmunk/chipmunk/defects.h>

FORKMUNK_KERNEL_BEGIN(forkmunk::FORKMUNK_CHIPMUNK::fast)
namespace {

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

template <typename Joint, typename Of>
FORKMUNK_INLINE Lanes each_joint(const JointItems<Joint>& joints, Of&& of) noexcept {
  alignas(64) cpFloat all[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) all[l] = static_cast<cpFloat>(of(*joints.of[l]));
  return *reinterpret_cast<const Lanes*>(all);
}
template <typename Joint, typename Of>
FORKMUNK_INLINE Rows each_row(const JointItems<Joint>& joints, Of&& of) noexcept {
  Rows rows;
  for (std::size_t l = 0; l < kLanes; ++l) rows.of[l] = &of(*joints.of[l]);
  return rows;
}
template <typename Joint>
FORKMUNK_INLINE Lanes impulse_limit(const JointItems<Joint>& joints, cpFloat dt) noexcept {
  return each_joint(joints, [&](const Joint& joint) { return joint.constraint.maxForce * dt; });
}

/// The limits of springs whose sum of impulses is limited (spring_is_limited()).
struct SpringLimits {
  Lanes high;
  Mask is_limited;
  bool any;

  template <typename Joint>
  FORKMUNK_INLINE void load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    std::uint32_t bits = 0;
    for (std::size_t l = 0; l < kLanes; ++l) {
      bits |= (spring_is_limited(&joints.of[l]->constraint) != 0 ? 1u : 0u) << l;
    }
    any = bits != 0;
    is_limited = mask_of(bits);
    high = impulse_limit(joints, dt);
  }
};

struct Anchors {
  Lanes r1x, r1y, r2x, r2y;

  /// v2 + w2 x r2 - v1 - w1 x r1
  FORKMUNK_INLINE void relative_velocity(const JointBodies& bodies, Lanes& vx, Lanes& vy) const noexcept {
    vx = (bodies.b.vx - r2y * bodies.b.w) - (bodies.a.vx - r1y * bodies.a.w);
    vy = (bodies.b.vy + r2x * bodies.b.w) - (bodies.a.vy + r1x * bodies.a.w);
  }
  /// Applies impulse -j at r1 and j at r2: v += j / m, w += (r x j) / i.
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
  load4(each_row(joints, [](const Joint& joint) -> const cpFloat& { return joint.r1.x; }), at.r1x, at.r1y, at.r2x,
        at.r2y);
}

FORKMUNK_INLINE void clamp_length(Lanes& x, Lanes& y, Lanes length) noexcept {
  const Lanes square = x * x + y * y;
  const Mask is_longer = greater(square, length * length);
  if (bits_of(is_longer) == 0) return;
  const Lanes factor = all_lanes(1) / (square_root(square) + all_lanes(CPFLOAT_MIN));
  x = select(is_longer, x * factor * length, x);
  y = select(is_longer, y * factor * length, y);
}

/// The joints that act on points, with v the relative velocity at their anchors. load() returns the lanes that are not
/// at rest between limits.

/// A pin joint, or a slide joint at a limit: j = clamp(j + (bias - v . n) mass, low, high).
struct DistanceLanes {
  Anchors at;
  Lanes nx, ny, mass, impulse, bias, low, high;

  template <typename Joint>
  FORKMUNK_INLINE void load_distance(const JointItems<Joint>& joints) noexcept {
    load_anchors(joints, at);
    load4(each_row(joints, [](const Joint& joint) -> const cpFloat& { return joint.n.x; }), nx, ny, mass, impulse);
    bias = each_joint(joints, [](const Joint& joint) { return joint.bias; });
  }
  FORKMUNK_INLINE void apply_cached(JointBodies& bodies, Lanes dt_ratio) const noexcept {
    at.apply(bodies, nx * (impulse * dt_ratio), ny * (impulse * dt_ratio));
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask active) noexcept {
    Lanes vx, vy;
    at.relative_velocity(bodies, vx, vy);
    const Lanes old = impulse;
    impulse = select(active, clamp(old + (bias - (vx * nx + vy * ny)) * mass, low, high), old);
    const Lanes j = impulse - old;
    at.apply(bodies, nx * j, ny * j);
  }
};

struct PinJointLanes : DistanceLanes {
  using Joint = cpPinJoint;
  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    load_distance(joints);
    high = impulse_limit(joints, dt);
    low = -high;
    return kAllLanes;
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept { joint.jnAcc = impulse[lane]; }
};

struct SlideJointLanes : DistanceLanes {
  using Joint = cpSlideJoint;
  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    load_distance(joints);
    high = all_lanes(0);
    low = -impulse_limit(joints, dt);
    return ~(bits_of(equal(nx, high)) & bits_of(equal(ny, high))) & kAllLanes;
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept { joint.jnAcc = impulse[lane]; }
};

/// A point, in both coordinates or along a groove. j = j + K (bias - v), shortened to the limit; K is the inverse of
/// the effective mass matrix.
struct PointLanes {
  Anchors at;
  Lanes ka, kb, kc, kd;
  Lanes jx, jy, bias_x, bias_y, limit;

  template <typename Joint>
  FORKMUNK_INLINE void load_point(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    load_anchors(joints, at);
    load4(each_row(joints, [](const Joint& joint) -> const cpFloat& { return joint.k.a; }), ka, kb, kc, kd);
    load4(each_row(joints, [](const Joint& joint) -> const cpFloat& { return joint.jAcc.x; }), jx, jy, bias_x, bias_y);
    limit = impulse_limit(joints, dt);
  }
  FORKMUNK_INLINE void apply_cached(JointBodies& bodies, Lanes dt_ratio) const noexcept {
    at.apply(bodies, jx * dt_ratio, jy * dt_ratio);
  }
  /// j + K (bias - v)
  FORKMUNK_INLINE void sum(const JointBodies& bodies, Lanes& x, Lanes& y) const noexcept {
    Lanes vx, vy;
    at.relative_velocity(bodies, vx, vy);
    const Lanes ex = bias_x - vx, ey = bias_y - vy;
    x = jx + (ex * ka + ey * kb);
    y = jy + (ex * kc + ey * kd);
  }
  /// Limits the new impulse and applies its difference to the previous one.
  FORKMUNK_INLINE void apply_sum(JointBodies& bodies, Lanes x, Lanes y) noexcept {
    clamp_length(x, y, limit);
    const Lanes old_x = jx, old_y = jy;
    jx = x, jy = y;
    at.apply(bodies, x - old_x, y - old_y);
  }
};

struct PivotJointLanes : PointLanes {
  using Joint = cpPivotJoint;
  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    load_point(joints, dt);
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    Lanes x, y;
    sum(bodies, x, y);
    apply_sum(bodies, x, y);
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept { joint.jAcc = {jx[lane], jy[lane]}; }
};

/// A pivot in a groove with normal n: the impulse is projected on n, unless the anchor is at the end and the impulse
/// points inwards.
struct GrooveJointLanes : PointLanes {
  using Joint = cpGrooveJoint;
  Lanes nx, ny, end;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    load_point(joints, dt);
    load2(each_row(joints, [](const Joint& joint) -> const cpFloat& { return joint.grv_tn.x; }), nx, ny);
    end = each_joint(joints, [](const Joint& joint) { return joint.clamp; });
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    Lanes x, y;
    sum(bodies, x, y);
    const Mask is_free = greater(end * (x * ny - y * nx), all_lanes(0));
    const Lanes along = (x * nx + y * ny) / (nx * nx + ny * ny);  // cpvproject()
    apply_sum(bodies, select(is_free, x, nx * along), select(is_free, y, ny * along));
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept { joint.jAcc = {jx[lane], jy[lane]}; }
};

/// v' = (target - v . n) (1 - e^(-c dt / m)), target = v . n + v', j = v' m. preStep() has applied the spring's force.
struct DampedSpringLanes {
  using Joint = cpDampedSpring;
  Anchors at;
  Lanes mass, nx, ny, impulse, target, coefficient;
  SpringLimits limits;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    limits.load(joints, dt);
    load_anchors(joints, at);
    load4(each_row(joints, [](const Joint& joint) -> const cpFloat& { return joint.nMass; }), mass, nx, ny, impulse);
    load2(each_row(joints, [](const Joint& joint) -> const cpFloat& { return joint.target_vrn; }), target, coefficient);
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply_cached(JointBodies&, Lanes) const noexcept {}
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    Lanes vx, vy;
    at.relative_velocity(bodies, vx, vy);
    const Lanes speed = vx * nx + vy * ny;
    const Lanes damped = (target - speed) * coefficient;
    target = speed + damped;
    Lanes j = damped * mass;
    if (limits.any) {
      j = select(limits.is_limited, clamp(impulse + j, -limits.high, limits.high) - impulse, j);
    }
    impulse += j;
    at.apply(bodies, nx * j, ny * j);
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept {
    joint.jAcc = impulse[lane], joint.target_vrn = target[lane];
  }
};

/// The joints that act on angles, with w the relative angular velocity and I the inertia that preStep() computed.

struct AngularLanes {
  Lanes inertia, impulse, limit;

  template <typename Joint>
  FORKMUNK_INLINE void load_impulse(const JointItems<Joint>& joints, cpFloat dt) noexcept {
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
  /// \return the difference to the old impulse.
  FORKMUNK_INLINE Lanes replace_impulse(Lanes value) noexcept {
    const Lanes old = impulse;
    impulse = value;
    return value - old;
  }
};

/// Works like DampedSpringLanes, with w and I, and with the opposite sign of the impulse.
struct DampedRotarySpringLanes {
  using Joint = cpDampedRotarySpring;
  Lanes inertia, impulse, target, coefficient;
  Lanes sign;  ///< The damping's sign in the impulse: 1 in stock Chipmunk.
  SpringLimits limits;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    limits.load(joints, dt);
    sign = each_joint(joints, [](const Joint& joint) {
      return (forkmunk_defects(joint.constraint.space) & FORKMUNK_DEFECT_SPRING_IMPULSES) != 0 ? 1.0 : -1.0;
    });
    load4(each_row(joints, [](const Joint& joint) -> const cpFloat& { return joint.target_wrn; }), target, coefficient,
          inertia, impulse);
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply_cached(JointBodies&, Lanes) const noexcept {}
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    const Lanes speed = bodies.a.w - bodies.b.w;
    const Lanes damped = (target - speed) * coefficient;
    target = speed + damped;
    Lanes j = damped * inertia;
    if (limits.any) {
      j = select(limits.is_limited, impulse - clamp(impulse - j, -limits.high, limits.high), j);
    }
    impulse += j * sign;
    bodies.a.w += j * bodies.a.inverse_moment;
    bodies.b.w -= j * bodies.b.inverse_moment;
  }
  FORKMUNK_INLINE void store(std::size_t lane, Joint& joint) const noexcept {
    joint.jAcc = impulse[lane], joint.target_wrn = target[lane];
  }
};

/// j = clamp(j - (bias + w) I, low, high); one of the limits is 0.
struct RotaryLimitJointLanes : AngularLanes {
  using Joint = cpRotaryLimitJoint;
  Lanes bias, low, high;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
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
    turn(bodies, replace_impulse(select(active, clamp(impulse - (bias + speed) * inertia, low, high), impulse)));
  }
};

/// j = clamp((j - (bias + w) I) ratchet, 0, limit |ratchet|) / ratchet.
struct RatchetJointLanes : AngularLanes {
  using Joint = cpRatchetJoint;
  Lanes bias, ratchet, high;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    load_impulse(joints, dt);
    bias = each_joint(joints, [](const Joint& joint) { return joint.bias; });
    ratchet = each_joint(joints, [](const Joint& joint) { return joint.ratchet; });
    high = limit * select(less(ratchet, all_lanes(0)), -ratchet, ratchet);
    return ~bits_of(equal(bias, all_lanes(0))) & kAllLanes;
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask active) noexcept {
    const Lanes speed = bodies.b.w - bodies.a.w;
    const Lanes sum = (impulse - (bias + speed) * inertia) * ratchet;
    turn(bodies, replace_impulse(select(active, clamp(sum, all_lanes(0), high) / ratchet, impulse)));
  }
};

/// j = clamp(j + (bias - (w2 ratio - w1)) I, -limit, limit).
struct GearJointLanes : AngularLanes {
  using Joint = cpGearJoint;
  Lanes bias, ratio, inverse_ratio;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
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
    turn_gear(bodies, replace_impulse(clamp(impulse + (bias - speed) * inertia, -limit, limit)));
  }
};

/// j = clamp(j - (w + rate) I, -limit, limit).
struct SimpleMotorLanes : AngularLanes {
  using Joint = cpSimpleMotor;
  Lanes rate;

  FORKMUNK_INLINE std::uint32_t load(const JointItems<Joint>& joints, cpFloat dt) noexcept {
    load_impulse(joints, dt);
    rate = each_joint(joints, [](const Joint& joint) { return joint.rate; });
    return kAllLanes;
  }
  FORKMUNK_INLINE void apply(JointBodies& bodies, Mask) noexcept {
    const Lanes speed = bodies.b.w - bodies.a.w + rate;
    turn(bodies, replace_impulse(clamp(impulse - speed * inertia, -limit, limit)));
  }
};

template <typename Group, typename Visit>
FORKMUNK_INLINE void with_kind(Group& group, Visit&& visit) noexcept {
  switch (group.kind) {
#define FORKMUNK_VISIT(kind, type, text, table) \
  case JointKind::k##type: return visit(group.template as<type##Lanes>());
    FORKMUNK_EACH_JOINT(FORKMUNK_VISIT)
#undef FORKMUNK_VISIT
    case JointKind::none: break;
  }
}

template <typename Joint>
constexpr Joint kNoJoint{};

std::uint32_t lines_of(JointGroup& group) noexcept {
  std::size_t bytes = sizeof(JointGroup);
  with_kind(group, [&](auto& lanes) { bytes += sizeof lanes; });
  return static_cast<std::uint32_t>((bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine));
}

FORKMUNK_INLINE void load_body(BodyRow* rows, const RowOffsets& offsets, Lanes inverse_moment,
                               JointBodies::Body& body) noexcept {
  Rows from;
  for (std::size_t l = 0; l < kLanes; ++l) from.of[l] = row_at(rows, offsets.of[l]);
  load4(from, body.vx, body.vy, body.w, body.inverse_mass);
  body.inverse_moment = inverse_moment;
}

FORKMUNK_INLINE void store_body(BodyRow* rows, const RowOffsets& offsets, const JointBodies::Body& body) noexcept {
  cpFloat* to[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) to[l] = row_at(rows, offsets.of[l]);
  store4(to, body.vx, body.vy, body.w, body.inverse_mass);
}

FORKMUNK_INLINE void keep_others(Mask mask, const JointBodies::Body& old, JointBodies::Body& body) noexcept {
  body.vx = select(mask, body.vx, old.vx);
  body.vy = select(mask, body.vy, old.vy);
  body.w = select(mask, body.w, old.w);
}

FORKMUNK_INLINE void load_only(const cpFloat* row, Lanes inverse_moment, JointBodies::Body& body) noexcept {
  body = {all_lanes(row[kVx]), all_lanes(row[kVy]), all_lanes(row[kW]), all_lanes(row[kInverseMass]), inverse_moment};
}

FORKMUNK_INLINE void store_only(cpFloat* row, const JointBodies::Body& body) noexcept {
  row[kVx] = body.vx[0], row[kVy] = body.vy[0], row[kW] = body.w[0];
}

// Calls change(lanes, bodies) on a copy of the bodies' rows.
template <typename Change>
FORKMUNK_INLINE void change_bodies(BodyRow* rows, JointGroup& group, Change&& change) noexcept {
  JointBodies bodies;
  if (group.used == 1) {  // common if joints are of many kinds
    cpFloat *const a = row_at(rows, group.a.of[0]), *const b = row_at(rows, group.b.of[0]);
    load_only(a, group.inverse_moment_a, bodies.a);
    load_only(b, group.inverse_moment_b, bodies.b);
    with_kind(group, [&](auto& lanes) { change(lanes, bodies); });
    store_only(a, bodies.a);
    store_only(b, bodies.b);
    return;
  }
  load_body(rows, group.a, group.inverse_moment_a, bodies.a);
  load_body(rows, group.b, group.inverse_moment_b, bodies.b);
  with_kind(group, [&](auto& lanes) { change(lanes, bodies); });
  store_body(rows, group.a, bodies.a);
  store_body(rows, group.b, bodies.b);
}

}  // namespace

std::size_t lines_of_joint_group() noexcept {
  JointGroup group;
  std::size_t most = 0;
  for (int kind = 0; kind < kJointKindCount; ++kind) {
    group.kind = static_cast<JointKind>(kind);
    if (lines_of(group) > most) most = lines_of(group);
  }
  return most;
}

void make_joint_groups(Solver& solver, const SolverItems& items) noexcept {
  GroupList& list = solver.joints;
  std::uint32_t line = 0;
  for (int p = 0; p < list.count; ++p) {
    const int number = list.order.data()[p];
    const std::size_t first_slot = static_cast<std::size_t>(number) * kLanes;
    list.line.data()[p] = line;
    JointGroup& group = joint_group_at(list, p);
    group.used = list.used.data()[number];
    group.kind = static_cast<JointKind>(list.kinds.data()[number]);
    set_rows(list, first_slot, group);
    for (std::size_t l = 0; l < group.used; ++l) {
      group.joints[l] = items.joints[list.item.data()[first_slot + l]];
    }
    group.inverse_moment_a = group.inverse_moment_b = all_lanes(0);
    line += lines_of(group);
  }
}

void load_joints(Solver& solver, const StepTimes& times) noexcept {
  const GroupList& list = solver.joints;
  for (int g = 0; g < list.count; ++g) {
    JointGroup& group = joint_group_at(list, g);
    for (std::size_t l = 0; l < group.used; ++l) {
      group.inverse_moment_a[l] = group.joints[l]->a->i_inv;
      group.inverse_moment_b[l] = group.joints[l]->b->i_inv;
    }
    with_kind(group, [&]<typename Kind>(Kind& lanes) {
      JointItems<typename Kind::Joint> items;
      for (std::size_t l = 0; l < kLanes; ++l) {
        items.of[l] = l < group.used ? reinterpret_cast<const typename Kind::Joint*>(group.joints[l])
                                     : &kNoJoint<typename Kind::Joint>;
      }
      const std::uint32_t unused = kAllLanes & ~((1u << group.used) - 1);
      const std::uint32_t active = lanes.load(items, times.dt) & ~unused;
      group.active = static_cast<std::uint8_t>(active == 0 ? 0 : active | unused);
    });
  }
}

void apply_cached_joints(Solver& solver, cpFloat dt_ratio) noexcept {
  const Lanes ratio = all_lanes(dt_ratio);
  for (int g = 0; g < solver.joints.count; ++g) {
    JointGroup& group = joint_group_at(solver.joints, g);
    change_bodies(solver.rows.data(), group,
                  [&](const auto& lanes, JointBodies& bodies) { lanes.apply_cached(bodies, ratio); });
  }
}

void iterate_joints(Solver& solver) noexcept {
  for (int g = 0; g < solver.joints.count; ++g) {
    JointGroup& group = joint_group_at(solver.joints, g);
    if (group.active == 0) continue;
    const Mask active = mask_of(group.active);
    change_bodies(solver.rows.data(), group, [&](auto& lanes, JointBodies& bodies) {
      const JointBodies old = bodies;
      lanes.apply(bodies, active);
      if (group.active == kAllLanes) return;
      keep_others(active, old.a, bodies.a);
      keep_others(active, old.b, bodies.b);
    });
  }
}

void store_joints(const Solver& solver) noexcept {
  for (int g = 0; g < solver.joints.count; ++g) {
    const JointGroup& group = joint_group_at(solver.joints, g);
    with_kind(group, [&]<typename Kind>(const Kind& lanes) {
      for (std::size_t l = 0; l < group.used; ++l) {
        lanes.store(l, *reinterpret_cast<typename Kind::Joint*>(group.joints[l]));
      }
    });
  }
}

FORKMUNK_KERNEL_END

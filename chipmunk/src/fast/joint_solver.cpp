#include "fast/joint_solver.h"

#include "fast/angular_joints.h"
#include "fast/linear_joints.h"

FORKMUNK_FAST_BEGIN
namespace {

// visit(the lanes of the group's kind).
template <typename Group, typename Visit>
FORKMUNK_INLINE void with_kind(Group& group, Visit&& visit) noexcept {
  switch (group.kind) {
    case JointKind::pin: return visit(group.template as<PinLanes>());
    case JointKind::slide: return visit(group.template as<SlideLanes>());
    case JointKind::pivot: return visit(group.template as<PivotLanes>());
    case JointKind::groove: return visit(group.template as<GrooveLanes>());
    case JointKind::spring: return visit(group.template as<SpringLanes>());
    case JointKind::rotary_spring: return visit(group.template as<RotarySpringLanes>());
    case JointKind::rotary_limit: return visit(group.template as<RotaryLimitLanes>());
    case JointKind::ratchet: return visit(group.template as<RatchetLanes>());
    case JointKind::gear: return visit(group.template as<GearLanes>());
    case JointKind::motor: return visit(group.template as<MotorLanes>());
    case JointKind::none: break;
  }
}

// What the lanes without a joint have.
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
  double* to[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) to[l] = row_at(rows, offsets.of[l]);
  store4(to, body.vx, body.vy, body.w, body.inverse_mass);
}

FORKMUNK_INLINE void keep_others(Mask mask, const JointBodies::Body& old, JointBodies::Body& body) noexcept {
  body.vx = select(mask, body.vx, old.vx);
  body.vy = select(mask, body.vy, old.vy);
  body.w = select(mask, body.w, old.w);
}

FORKMUNK_INLINE void load_only(const double* row, Lanes inverse_moment, JointBodies::Body& body) noexcept {
  body = {all_lanes(row[kVx]), all_lanes(row[kVy]), all_lanes(row[kW]), all_lanes(row[kInverseMass]), inverse_moment};
}

FORKMUNK_INLINE void store_only(double* row, const JointBodies::Body& body) noexcept {
  row[kVx] = body.vx[0], row[kVy] = body.vy[0], row[kW] = body.w[0];
}

// change(lanes of its kind, bodies), with the group's bodies from the rows and back.
template <typename Change>
FORKMUNK_INLINE void change_bodies(BodyRow* rows, JointGroup& group, Change&& change) noexcept {
  JointBodies bodies;
  if (group.used == 1) {  // as many are, where joints are of many kinds
    double *const a = row_at(rows, group.a.of[0]), *const b = row_at(rows, group.b.of[0]);
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

void lay_out_joints(Solver& solver, const cpSpace& space) noexcept {
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
      group.joints[l] = static_cast<cpConstraint*>(space.constraints->arr[list.item.data()[first_slot + l]]);
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

void apply_cached_joints(Solver& solver, double dt_ratio) noexcept {
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

FORKMUNK_FAST_END

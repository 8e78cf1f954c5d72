#include "chipmunk/match_description.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <algorithm>

namespace forkmunk::engine {
namespace {

bool is_button(const cpShape& shape) { return shape.type != 0; }

// Whether a contact of two shapes can have an effect; see state_description.h.
bool concerns(const cpShape& a, const cpShape& b) {
  if (a.filter.group != 0 && a.filter.group == b.filter.group) return false;
  return is_button(a) || is_button(b) || (!a.sensor && !b.sensor);
}

class SpaceDescriber {
 public:
  SpaceDescriber(StateVisitor& visitor, const cpSpace& space, std::size_t static_count)
      : visitor_(visitor),
        space_(space),
        first_id_(space.shapeIDCounter - static_cast<cpHashValue>(kMovingShapeCount + static_count)),
        static_count_(static_count) {}

  void describe_counters() {
    visitor_.integer("space", -1, "stamp", space_.stamp);
    visitor_.integer("space", -1, "tree_stamp", chipmunk::layout::tree_of(space_.dynamicShapes).stamp);
    visitor_.integer("space", -1, "first_shape_id", first_id_);
  }

  void describe_tree(const chipmunk::layout::Node& node) {
    const std::uint64_t shape = node.is_leaf() ? index_of(*node.shape) - static_count_ : 0;
    visitor_.integer("tree", -1, "shape", node.is_leaf() ? shape + 1 : 0);
    visitor_.number("tree", -1, "left", node.bb.l);
    visitor_.number("tree", -1, "bottom", node.bb.b);
    visitor_.number("tree", -1, "right", node.bb.r);
    visitor_.number("tree", -1, "top", node.bb.t);
    if (!node.is_leaf()) {
      describe_tree(*node.children.a);
      describe_tree(*node.children.b);
      return;
    }
    const int leaf = static_cast<int>(shape);
    visitor_.integer("leaf", leaf, "stamp", node.leaf.stamp);
    for (const chipmunk::layout::Pair* pair = node.leaf.pairs; pair != nullptr; pair = pair->end_at(&node).next) {
      // A pair is tested by its second leaf.
      if (pair->b.leaf != &node || !concerns(*pair->a.leaf->shape, *node.shape)) continue;
      visitor_.integer("leaf", leaf, "pair", index_of(*pair->a.leaf->shape));
      visitor_.integer("leaf", leaf, "pair id", pair->id);
    }
  }

  void describe_contact(const cpArbiter& arbiter) {
    if (!concerns(*arbiter.a, *arbiter.b)) return;
    const cpHashValue a = arbiter.a->hashid, b = arbiter.b->hashid;
    ContactDescription contact{
        std::min(a, b), std::max(a, b), arbiter.stamp, 0, static_cast<std::uint8_t>(arbiter.count), {}};
    switch (arbiter.state) {
      case CP_ARBITER_STATE_FIRST_COLLISION: contact.state = 0; break;
      case CP_ARBITER_STATE_NORMAL: contact.state = 1; break;
      case CP_ARBITER_STATE_IGNORE: contact.state = 2; break;
      default: contact.state = 3; break;
    }
    for (int i = 0; i < arbiter.count; ++i) {
      const cpContact& point = arbiter.contacts[i];
      contact.points[static_cast<std::size_t>(i)] = {point.hash, point.jnAcc, point.jtAcc};
    }
    visitor_.contact(contact);
  }

 private:
  [[nodiscard]] cpHashValue index_of(const cpShape& shape) const { return shape.hashid - first_id_; }

  StateVisitor& visitor_;
  const cpSpace& space_;
  cpHashValue first_id_;
  std::size_t static_count_;
};

void describe_suspension(StateVisitor& visitor, int index, const cpConstraint* groove, const cpConstraint* motor) {
  const auto& joint = reinterpret_cast<const cpGrooveJoint&>(*groove);
  visitor.number("suspension", index, "groove_impulse.x", joint.jAcc.x);
  visitor.number("suspension", index, "groove_impulse.y", joint.jAcc.y);
  if (motor == nullptr) return;
  const auto& driven = reinterpret_cast<const cpSimpleMotor&>(*motor);
  visitor.number("suspension", index, "motor_impulse", driven.jAcc);
  visitor.number("suspension", index, "motor_rate", driven.rate);
}

}  // namespace

void describe(StateVisitor& visitor, const chipmunk::ClonableSpace& clonable, const Match& match,
              std::size_t static_count) {
  int index = 0;
  for (const CarParts& car : match.cars) {
    for (const cpBody* body : {car.body, car.rear_wheel, car.front_wheel}) {
      const auto vec = [](cpVect v) { return Vec2{v.x, v.y}; };
      describe(visitor, index++, {vec(body->p), body->a, vec(body->v), body->w, vec(body->v_bias), body->w_bias});
    }
  }
  index = 0;
  for (const CarParts& car : match.cars) {
    describe_suspension(visitor, index++, car.rear_groove, car.rear_motor);
    describe_suspension(visitor, index++, car.front_groove, car.front_motor);
  }
  const cpSpace& space = *clonable.space();
  SpaceDescriber describer(visitor, space, static_count);
  describer.describe_counters();
  const chipmunk::layout::Tree& tree = chipmunk::layout::tree_of(space.dynamicShapes);
  describer.describe_tree(*tree.root);
  chipmunk::layout::for_each<cpArbiter>(
      chipmunk::layout::set_of(space.cachedArbiters),
      [&](const cpArbiter& a, chipmunk::layout::HashSetBin&) { describer.describe_contact(a); });
}

}  // namespace forkmunk::engine

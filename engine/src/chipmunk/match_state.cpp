// SPDX-License-Identifier: MIT

#include "chipmunk/match.h"
#include "flat/broad_phase.h"
#include "flat/contacts.h"
#include "flat/step.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <algorithm>
#include <cstring>

namespace forkmunk::engine {
namespace {

using flat::Contact;
using flat::kNoNode;
using flat::LiveState;
using flat::MatchModel;
namespace layout = chipmunk::layout;

flat::Vec to_vec(cpVect v) noexcept { return {v.x, v.y}; }
flat::Box to_box(cpBB bb) noexcept { return {flat::Lanes{bb.l, bb.b}, flat::Lanes{bb.r, bb.t}}; }

class Transfer {
 public:
  Transfer(const cpSpace& space, const Match& match, const MatchModel& model, LiveState& state) noexcept
      : space_(space), match_(match), model_(model), state_(state) {}

  void run() noexcept {
    std::memset(static_cast<void*>(&state_), 0, sizeof state_);
    state_.rules = match_.rules;
    state_.first_shape_id = space_.shapeIDCounter - static_cast<cpHashValue>(kMovingShapeCount + model_.static_count());
    state_.stamp = space_.stamp;
    const layout::Tree& tree = layout::tree_of(space_.dynamicShapes);
    state_.tree_stamp = tree.stamp;
    state_.deadline_y = match_.deadline_body->transform.ty;
    cars();
    flat::order_leaves(model_, state_);
    next_inner_ = kMovingShapeCount;
    state_.root = node(*tree.root, kNoNode);
    state_.leaves = flat::leaves_of_tree(state_);
    state_.spare_node = state_.root;  // any inner node, because it is set before it is used
    pairs();
    contacts();
  }

 private:
  void cars() noexcept {
    for (std::size_t p = 0; p < 2; ++p) {
      const CarParts& car = match_.cars[p];
      const std::array<const cpBody*, 3> bodies{car.body, car.rear_wheel, car.front_wheel};
      for (std::size_t role = 0; role < 3; ++role) body(*bodies[role], state_.bodies[3 * p + role], role);
      const std::array grooves{car.rear_groove, car.front_groove};
      const std::array motors{car.rear_motor, car.front_motor};
      for (std::size_t wheel = 0; wheel < 2; ++wheel) {
        state_.groove_impulse[2 * p + wheel] = to_vec(reinterpret_cast<const cpGrooveJoint*>(grooves[wheel])->jAcc);
        if (motors[wheel] == nullptr) continue;
        const auto& motor = reinterpret_cast<const cpSimpleMotor&>(*motors[wheel]);
        state_.motor_impulse[2 * p + wheel] = motor.jAcc;
        state_.motor_rate[p] = motor.rate;
      }
    }
  }

  void body(const cpBody& from, flat::Body& to, std::size_t role) const noexcept {
    to.position = to_vec(from.p);
    to.angle = from.a;
    to.velocity = to_vec(from.v);
    to.angular_velocity = from.w;
    to.bias_velocity = to_vec(from.v_bias);
    to.bias_angular_velocity = from.w_bias;
    const bool turns = role == 0 || !model_.round_wheels;
    to.rotation = turns ? flat::Vec{from.transform.a, from.transform.b} : flat::Vec{1, 0};
    to.origin = turns ? flat::Vec{from.transform.tx, from.transform.ty} : to.position;
  }

  [[nodiscard]] std::size_t shape_of(const cpShape& shape) const noexcept {
    const std::size_t index = shape.hashid - state_.first_shape_id;
    const std::size_t static_count = model_.static_count();
    return index < static_count ? kMovingShapeCount + index : index - static_count;
  }

  std::uint8_t node(const layout::Node& from, std::uint8_t parent) noexcept {
    const auto index =
        from.is_leaf() ? static_cast<std::uint8_t>(shape_of(*from.shape)) : static_cast<std::uint8_t>(next_inner_++);
    flat::Node& to = state_.nodes[index];
    to.box = to_box(from.bb);
    to.parent = parent;
    if (from.is_leaf()) {
      leaves_[index] = &from;
      to.stamp = from.leaf.stamp;
      to.a = to.b = kNoNode;
    } else {
      to.a = node(*from.children.a, index);
      to.b = node(*from.children.b, index);
    }
    return index;
  }

  [[nodiscard]] bool concerns(std::size_t moving, std::size_t other) const noexcept {
    return other < kMovingShapeCount ? flat::concerns(moving, other)
                                     : flat::concerns(moving, model_.segments[other - kMovingShapeCount]);
  }

  // The newest pair is the first of Chipmunk's lists, but the last of the list of the leaf that tests it here.
  void pairs() noexcept {
    std::size_t begin = 0;
    for (std::size_t leaf = 0; leaf < kMovingShapeCount; ++leaf) {
      flat::PairList& list = state_.pair_lists[leaf];
      list.begin = static_cast<std::uint16_t>(begin);
      flat::Pair* const first = state_.pairs() + begin;
      std::size_t count = 0;
      for (const layout::Pair* pair = leaves_[leaf]->leaf.pairs; pair != nullptr;
           pair = pair->end_at(leaves_[leaf]).next) {
        if (pair->b.leaf != leaves_[leaf]) continue;
        const std::size_t other = shape_of(*pair->a.leaf->shape);
        if (concerns(leaf, other)) first[count++] = {pair->id, static_cast<std::uint32_t>(other)};
      }
      std::reverse(first, first + count);
      list.count = static_cast<std::uint16_t>(count);
      list.capacity = static_cast<std::uint16_t>(flat::whole_growths(count));
      std::memset(static_cast<void*>(first + count), 0, (list.capacity - count) * sizeof(flat::Pair));
      begin += list.capacity;
    }
    state_.pair_capacity = static_cast<std::uint16_t>(begin);
  }

  void contacts() noexcept {
    layout::for_each<cpArbiter>(
        layout::set_of(space_.cachedArbiters), [&](const cpArbiter& arbiter, layout::HashSetBin&) {
          const std::size_t a = shape_of(*arbiter.a), b = shape_of(*arbiter.b);
          const std::size_t low = std::min(a, b), high = std::max(a, b);
          if (low >= kMovingShapeCount || !concerns(low, high)) return;
          Contact& contact = state_.contacts()[state_.contact_count++];
          contact = Contact{};
          contact.key = flat::contact_key(a, b);
          contact.stamp = arbiter.stamp;
          contact.count = static_cast<std::uint8_t>(arbiter.count);
          switch (arbiter.state) {
            case CP_ARBITER_STATE_FIRST_COLLISION: contact.state = flat::ContactState::first; break;
            case CP_ARBITER_STATE_NORMAL: contact.state = flat::ContactState::normal; break;
            case CP_ARBITER_STATE_IGNORE: contact.state = flat::ContactState::ignored; break;
            default: contact.state = flat::ContactState::cached; break;
          }
          for (std::size_t i = 0; i < contact.count; ++i) {
            const cpContact& point = arbiter.contacts[i];
            contact.points[i] = {.hash = point.hash, .normal_impulse = point.jnAcc, .tangent_impulse = point.jtAcc};
          }
        });
  }

  const cpSpace& space_;
  const Match& match_;
  const MatchModel& model_;
  LiveState& state_;
  std::array<const layout::Node*, kMovingShapeCount> leaves_{};
  std::size_t next_inner_ = 0;
};

}  // namespace

void write_flat_state(const chipmunk::ClonableSpace& space, const Match& match, const MatchModel& model,
                      LiveState& state) noexcept {
  Transfer(*space.space(), match, model, state).run();
}

}  // namespace forkmunk::engine

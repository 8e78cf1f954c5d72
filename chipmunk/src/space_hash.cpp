#include <forkmunk/base/hasher.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/clonable_space.h>

namespace forkmunk::chipmunk {
namespace {

void add(Hasher& hasher, cpVect v) { hasher.add(v.x, v.y); }

void add(Hasher& hasher, cpBB bb) { hasher.add(bb.l, bb.b, bb.r, bb.t); }

void add(Hasher& hasher, const cpBody& body) {
  hasher.add(body.m, body.i, body.a, body.w, body.t, body.w_bias);
  for (const cpVect v : {body.cog, body.p, body.v, body.f, body.v_bias}) add(hasher, v);
  const cpTransform& t = body.transform;
  hasher.add(t.a, t.b, t.c, t.d, t.tx, t.ty);
}

void add(Hasher& hasher, const ChipmunkApi& api, const cpConstraint& constraint) {
  if (api.cpConstraintIsGrooveJoint(&constraint)) {
    const auto& joint = reinterpret_cast<const cpGrooveJoint&>(constraint);
    for (const cpVect v : {joint.grv_tn, joint.r1, joint.r2, joint.jAcc, joint.bias}) add(hasher, v);
    hasher.add(joint.clamp, joint.k.a, joint.k.b, joint.k.c, joint.k.d);
  } else if (api.cpConstraintIsDampedSpring(&constraint)) {
    const auto& spring = reinterpret_cast<const cpDampedSpring&>(constraint);
    for (const cpVect v : {spring.r1, spring.r2, spring.n}) add(hasher, v);
    hasher.add(spring.target_vrn, spring.v_coef, spring.nMass, spring.jAcc);
  } else if (api.cpConstraintIsSimpleMotor(&constraint)) {
    const auto& motor = reinterpret_cast<const cpSimpleMotor&>(constraint);
    hasher.add(motor.rate, motor.iSum, motor.jAcc);
  }
}

std::uint64_t hash_of(const cpArbiter& arbiter) {
  Hasher hasher;
  hasher.add(arbiter.a->hashid, arbiter.b->hashid, arbiter.e, arbiter.u, arbiter.count, arbiter.swapped, arbiter.stamp,
             static_cast<int>(arbiter.state));
  add(hasher, arbiter.surface_vr);
  add(hasher, arbiter.n);
  for (int i = 0; i < arbiter.count; ++i) {
    const cpContact& contact = arbiter.contacts[i];
    add(hasher, contact.r1);
    add(hasher, contact.r2);
    hasher.add(contact.nMass, contact.tMass, contact.bounce, contact.jnAcc, contact.jtAcc, contact.jBias, contact.bias,
               contact.hash);
  }
  return hasher.value();
}

void add_contacts(Hasher& hasher, const cpSpace& space) {
  // The solver takes the arbiters in this order; the cache behind them is filed by address, so it is summed.
  hasher.add(space.arbiters->num);
  layout::for_each<cpArbiter>(*space.arbiters, [&](const cpArbiter& a) { hasher.add(a.a->hashid, a.b->hashid); });
  std::uint64_t sum = 0;
  const layout::HashSet& cached = layout::set_of(space.cachedArbiters);
  layout::for_each<cpArbiter>(cached, [&](const cpArbiter& a, layout::HashSetBin&) { sum += hash_of(a); });
  hasher.add(cached.entry_count, sum);
}

void add_subtree(Hasher& hasher, const layout::Node& node) {
  add(hasher, node.bb);
  if (!node.is_leaf()) {
    hasher.add(std::uint64_t{0});
    add_subtree(hasher, *node.children.a);
    add_subtree(hasher, *node.children.b);
    return;
  }
  hasher.add(node.shape->hashid + 1, node.leaf.stamp);
  for (const layout::Pair* pair = node.leaf.pairs; pair != nullptr; pair = pair->end_at(&node).next) {
    hasher.add(pair->end_beyond(&node).leaf->shape->hashid, pair->a.leaf == &node, pair->id);
  }
}

}  // namespace

std::uint64_t ClonableSpace::hash() const {
  Hasher hasher;
  hasher.add(space_->stamp, space_->curr_dt, space_->shapeIDCounter);
  add(hasher, space_->_staticBody);
  layout::for_each<cpBody>(*space_->dynamicBodies, [&](const cpBody& body) { add(hasher, body); });
  layout::for_each<cpConstraint>(*space_->constraints, [&](const cpConstraint& c) { add(hasher, *api_, c); });
  add_contacts(hasher, *space_);

  // The static tree is constant but for the far ends of the dynamic leaves' pairs.
  const layout::Tree& tree = layout::tree_of(space_->dynamicShapes);
  hasher.add(tree.stamp);
  layout::for_each<layout::Node>(*tree.leaves, [&](const layout::Node& leaf, layout::HashSetBin&) {
    hasher.add(leaf.shape->hashid);
    add(hasher, leaf.shape->bb);
  });
  if (tree.root != nullptr) add_subtree(hasher, *tree.root);
  return hasher.value();
}

}  // namespace forkmunk::chipmunk

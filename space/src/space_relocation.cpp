#include "space_relocation.h"

#include <forkmunk/base/check.h>
#include <forkmunk/space/chipmunk_layout.h>

namespace forkmunk::space {
namespace {

using layout::HashSet;
using layout::HashSetBin;
using layout::Node;
using layout::Pair;
using layout::Tree;

// Visits every object that Chipmunk can reach and relocates what it points to. Relocating twice does no harm, so
// objects that hang in several lists need no marks. Free pool objects are written before they are read: only their
// links count.
class Relocator {
 public:
  Relocator(const ClonableSpace& twin, const ClonableSpace& original) : twin_(twin), original_(original) {}

  void space(cpSpace& space) {
    at(space.userData);
    at(space.staticBody);
    body(space._staticBody);
    at(space.defaultHandler.userData);
    FORKMUNK_CHECK(space.sleepingComponents->num == 0, "a space with sleeping bodies cannot be forked");
    for (cpArray** list :
         {&space.dynamicBodies, &space.staticBodies, &space.rousedBodies, &space.sleepingComponents, &space.constraints,
          &space.arbiters, &space.pooledArbiters, &space.allocatedBuffers, &space.postStepCallbacks}) {
      array(*list);
    }
    layout::for_each<cpBody>(*space.dynamicBodies, [&](cpBody& b) { body(b); });
    layout::for_each<cpBody>(*space.staticBodies, [&](cpBody& b) { body(b); });
    layout::for_each<cpConstraint>(*space.constraints, [&](cpConstraint& c) { constraint(c); });

    at(space.dynamicShapes);
    at(space.staticShapes);
    tree(layout::tree_of(space.dynamicShapes));
    tree(layout::tree_of(space.staticShapes));

    at(space.cachedArbiters);
    hash_set(layout::set_of(space.cachedArbiters));
    layout::for_each<cpArbiter>(layout::set_of(space.cachedArbiters), [&](cpArbiter& a, HashSetBin&) { arbiter(a); });
    at(space.collisionHandlers);
    hash_set(layout::set_of(space.collisionHandlers));
    layout::for_each<cpCollisionHandler>(layout::set_of(space.collisionHandlers),
                                         [&](cpCollisionHandler& h, HashSetBin&) { at(h.userData); });
    contact_buffers(space.contactBuffersHead);
  }

 private:
  template <typename T>
  T*& at(T*& pointer) {
    twin_.relocate(pointer, original_);
    return pointer;
  }

  void array(cpArray*& array) {
    at(array);
    at(array->arr);
    for (int i = 0; i < array->num; ++i) at(array->arr[i]);
  }

  void body(cpBody& body) {
    at(body.userData);
    at(body.space);
    at(body.shapeList);
    at(body.arbiterList);
    at(body.constraintList);
    at(body.sleeping.root);
    at(body.sleeping.next);
  }

  void shape(cpShape& shape) {
    at(shape.space);
    at(shape.body);
    at(shape.userData);
    at(shape.next);
    at(shape.prev);
    body(*shape.body);  // a kinematic body may be in no list of the space
    if (shape.klass->type == CP_POLY_SHAPE) at(reinterpret_cast<cpPolyShape&>(shape).planes);
  }

  void constraint(cpConstraint& constraint) {
    at(constraint.space);
    at(constraint.a);
    at(constraint.b);
    at(constraint.next_a);
    at(constraint.next_b);
    at(constraint.userData);
  }

  void arbiter(cpArbiter& arbiter) {
    at(arbiter.data);
    at(arbiter.a);
    at(arbiter.b);
    at(arbiter.body_a);
    at(arbiter.body_b);
    for (cpArbiterThread* thread : {&arbiter.thread_a, &arbiter.thread_b}) {
      at(thread->next);
      at(thread->prev);
    }
    at(arbiter.contacts);
    at(arbiter.handler);
    at(arbiter.handlerA);
    at(arbiter.handlerB);
  }

  void hash_set(HashSet& set) {
    at(set.buckets);
    for (unsigned int i = 0; i < set.bucket_count; ++i) {
      for (HashSetBin** link = &set.buckets[i]; at(*link) != nullptr; link = &(*link)->next) at((*link)->element);
    }
    for (HashSetBin** link = &set.pooled_bins; at(*link) != nullptr; link = &(*link)->next) {}
    array(set.buffers);
  }

  void tree(Tree& tree) {
    at(tree.static_tree);
    at(tree.dynamic_tree);
    at(tree.leaves);
    hash_set(*tree.leaves);
    for (Node** link = &tree.pooled_nodes; at(*link) != nullptr; link = &(*link)->parent) {}
    for (Pair** link = &tree.pooled_pairs; at(*link) != nullptr; link = &(*link)->a.next) {}
    array(tree.buffers);
    if (at(tree.root) != nullptr) node(*tree.root);
  }

  void node(Node& node) {
    at(node.parent);
    if (node.is_leaf()) {
      shape(*at(node.shape));
      for (Pair** link = &node.leaf.pairs; at(*link) != nullptr;) {
        Pair& pair = **link;
        for (layout::PairEnd* end : {&pair.a, &pair.b}) {
          at(end->previous);
          at(end->leaf);
          at(end->next);
        }
        link = pair.a.leaf == &node ? &pair.a.next : &pair.b.next;
      }
    } else {
      this->node(*at(node.children.a));
      this->node(*at(node.children.b));
    }
  }

  void contact_buffers(cpContactBufferHeader*& head) {
    if (at(head) == nullptr) return;
    auto* first = reinterpret_cast<layout::ContactBuffer*>(head);
    for (layout::ContactBuffer* buffer = first; at(buffer->next) != first; buffer = buffer->next) {}
  }

  const ClonableSpace& twin_;
  const ClonableSpace& original_;
};

// Files the cached contacts under the hashes of their shapes' present addresses.
void rekey(HashSet& arbiters) {
  HashSetBin* bins = nullptr;
  for (unsigned int i = 0; i < arbiters.bucket_count; ++i) {
    while (HashSetBin* bin = arbiters.buckets[i]) {
      arbiters.buckets[i] = bin->next;
      bin->next = bins;
      bins = bin;
    }
  }
  while (HashSetBin* bin = bins) {
    bins = bin->next;
    const auto& arbiter = *static_cast<const cpArbiter*>(bin->element);
    bin->hash = layout::contact_hash(arbiter.a, arbiter.b);
    HashSetBin*& bucket = arbiters.buckets[bin->hash % arbiters.bucket_count];
    bin->next = bucket;
    bucket = bin;
  }
}

}  // namespace

void relocate_space(const ClonableSpace& twin, const ClonableSpace& original) {
  Relocator(twin, original).space(*twin.space());
  rekey(layout::set_of(twin.space()->cachedArbiters));
}

}  // namespace forkmunk::space

#include "field_names.h"
#include "structure_check.h"

namespace forkmunk::chipmunk {

void StructureObjects::check(const std::vector<cpSpace*>& spaces) {
  for (cpSpace* space : spaces) {
    parts_[space];
    check_numbers(*space);
    memory_.pool(space->allocatedBuffers, {FORKMUNK_KIND_CONTACT_ARBITERS, FORKMUNK_KIND_CONTACT_SLOTS}, space,
                 "a space's buffers");
    list_bodies(*space);
  }
  for (cpSpace* space : spaces) {
    parts_[space].shapes = check_indices(memory_, *space);
    check_callbacks(*space);
    check_contact_buffers(*space);
  }
  for (cpSpace* space : spaces) check_arbiters(*space);
  for (cpSpace* space : spaces) {
    for (void* joint : memory_.array(space->constraints, "a space's joints")) {
      memory_.require(working_joints_.insert(static_cast<cpConstraint*>(joint)).second, "a joint is listed twice",
                      joint);
      memory_.require(joint_at(static_cast<cpConstraint*>(joint)).space == space, "a joint of another space", joint);
      check_joint(joint_at(static_cast<cpConstraint*>(joint)));
    }
    for (const auto& [shape, is_static] : parts_[space].shapes) reach(shape_at(shape).body);
    check_pool(*space);
  }
  while (!unchecked_bodies_.empty()) {
    const cpBody* body = unchecked_bodies_.back();
    unchecked_bodies_.pop_back();
    check_body(*body);
  }
  check_ends();
}

void StructureObjects::check_pool(const cpSpace& space) {
  std::unordered_set<const cpArbiter*> seen;
  for (void* element : memory_.array(space.pooledArbiters, "a space's pool")) {
    const cpArbiter* arbiter = &arbiter_at(element, "a pooled arbiter").arbiter;
    require_owner(arbiter, &space);
    memory_.require(seen.insert(arbiter).second, "an arbiter is pooled twice", arbiter);
    // Without persistence Chipmunk pools what is at work, until the next step begins.
    if (space.collisionPersistence == 0 && parts_[&space].arbiters.contains(arbiter)) continue;
    memory_.claim(arbiter, "a pooled arbiter is in use");
  }
}

cpBody& StructureObjects::body_at(const cpBody* address) const {
  if (const auto* found = memory_.find(address); found != nullptr && found->kind == FORKMUNK_KIND_SPACE) {
    auto* space = reinterpret_cast<cpSpace*>(const_cast<std::byte*>(found->begin));
    memory_.require(address == &space->_staticBody, "a body", address);
    return space->_staticBody;
  }
  return memory_.whole(address, FORKMUNK_KIND_BODY, "a body");
}

cpShape& StructureObjects::shape_at(const cpShape* address) const {
  const auto* found = memory_.find(address);
  const int kind = found == nullptr ? FORKMUNK_KIND_PLAIN : found->kind;
  memory_.require(kind == FORKMUNK_KIND_CIRCLE || kind == FORKMUNK_KIND_SEGMENT || kind == FORKMUNK_KIND_POLY,
                  "a shape", address);
  return memory_.whole(address, kind, "a shape");
}

cpConstraint& StructureObjects::joint_at(const cpConstraint* address) const {
  const auto* found = memory_.find(address);
  const int kind = found == nullptr ? FORKMUNK_KIND_PLAIN : found->kind;
  memory_.require(kind >= FORKMUNK_KIND_PIN_JOINT && kind <= FORKMUNK_KIND_SIMPLE_MOTOR, "a joint", address);
  return memory_.whole(address, kind, "a joint");
}

StructureObjects::Body& StructureObjects::reach(const cpBody* address) {
  const auto [found, is_new] = bodies_.try_emplace(address, Body{nullptr, Role::outside, nullptr});
  if (is_new) {
    body_at(address);
    unchecked_bodies_.push_back(address);
  }
  return found->second;
}

StructureObjects::SpaceParts& StructureObjects::parts_of(const cpSpace* space, const void* owner) {
  const auto found = parts_.find(space);
  memory_.require(found != parts_.end(), "an object of a space that is none", owner);
  return found->second;
}

void StructureObjects::check_numbers(const cpSpace& space) const {
  memory_.require(space.iterations > 0 && space.iterations <= kIterationsMax, "a space's number of iterations", &space);
  memory_.require(space.collisionPersistence > 0 || space.sleepTimeThreshold == INFINITY,
                  "a space with sleeping needs a collision persistence above 0", &space);
  memory_.require(space.locked == 0 && !space.skipPostStep, "a space is in a step", &space);
}

void StructureObjects::list(cpSpace& space, const cpBody* address, Role role, const cpBody* root) {
  const cpBody& body = body_at(address);
  memory_.require(bodies_.emplace(address, Body{&space, role, root}).second, "a body is listed twice", address);
  unchecked_bodies_.push_back(address);
  memory_.require(body.space == &space || (role == Role::asleep && body.space == nullptr && body.shapeList == nullptr),
                  "a body of another space", address);
  memory_.require(body.sleeping.root == root, "a body sleeps elsewhere", address);
}

void StructureObjects::list_bodies(cpSpace& space) {
  const double threshold = space.sleepTimeThreshold;
  for (void* element : memory_.array(space.dynamicBodies, "a space's moving bodies")) {
    const auto* body = static_cast<cpBody*>(element);
    list(space, body, Role::awake, nullptr);
    memory_.require(body->sleeping.next == nullptr && type_of(*body) != CP_BODY_TYPE_STATIC, "a moving body is still",
                    body);
    // Chipmunk would put it to sleep, and abort.
    memory_.require(
        type_of(*body) == CP_BODY_TYPE_DYNAMIC || threshold == INFINITY || body->sleeping.idleTime < threshold,
        "a kinematic body would sleep at once: give the space a sleep time threshold above 0", body);
  }
  for (void* body : memory_.array(space.staticBodies, "a space's static bodies")) {
    list(space, static_cast<cpBody*>(body), Role::still, nullptr);
    memory_.require(type_of(*static_cast<cpBody*>(body)) == CP_BODY_TYPE_STATIC, "a static body moves", body);
  }
  for (void* root : memory_.array(space.sleepingComponents, "a space's sleeping bodies")) {
    for (const auto* body = static_cast<cpBody*>(root); body != nullptr; body = body->sleeping.next) {
      list(space, body, Role::asleep, static_cast<cpBody*>(root));
      memory_.require(type_of(*body) == CP_BODY_TYPE_DYNAMIC, "a sleeping body is not dynamic", body);
    }
  }
  memory_.require(memory_.array(space.rousedBodies, "a space's roused bodies").empty(), "a body wakes between steps",
                  &space);
  reach(space.staticBody);
  reach(&space._staticBody);
}

void StructureObjects::check_callbacks(cpSpace& space) {
  SpaceParts& parts = parts_[&space];
  const auto check_functions = [&](const cpCollisionHandler& handler) {
    memory_.require(memory_.is_callable(handler.beginFunc, CodeType::collision_test) &&
                        memory_.is_callable(handler.preSolveFunc, CodeType::collision_test) &&
                        memory_.is_callable(handler.postSolveFunc, CodeType::collision_event) &&
                        memory_.is_callable(handler.separateFunc, CodeType::collision_event),
                    "a collision handler's functions", &handler);
  };
  check_functions(space.defaultHandler);
  memory_.require(space.usesWildcards || !memory_.asks_wildcards(space.defaultHandler), "a space's default handler",
                  &space);
  const auto* set = reinterpret_cast<layout::HashSet*>(space.collisionHandlers);
  memory_.hash_set<cpCollisionHandler>(
      set, "handlers' equality", [&](const cpCollisionHandler* address, const layout::HashSetBin&) {
        const auto& handler = memory_.whole(address, FORKMUNK_KIND_COLLISION_HANDLER, "a collision handler");
        memory_.claim(&handler, "a collision handler is used twice");
        check_functions(handler);
        constexpr cpCollisionType kWildcard = CP_WILDCARD_COLLISION_TYPE;
        // It would call itself for ever.
        memory_.require((handler.typeA != kWildcard && handler.typeB != kWildcard) || !memory_.asks_wildcards(handler),
                        "a wildcard handler asks wildcard handlers", &handler);
        parts.handlers.insert(&handler);
      });
  for (void* element : memory_.array(space.postStepCallbacks, "a space's post-step callbacks")) {
    const auto& callback =
        memory_.whole(static_cast<cpPostStepCallback*>(element), FORKMUNK_KIND_POST_STEP_CALLBACK, "a callback");
    memory_.claim(&callback, "a post-step callback is used twice");
    memory_.require(callback.func == nullptr || memory_.is_callable(callback.func, CodeType::post_step),
                    "a post-step callback's function", &callback);
  }
}

void StructureObjects::check_contact_buffers(const cpSpace& space) {
  const auto* head = reinterpret_cast<const layout::ContactSlots*>(space.contactBuffersHead);
  if (head == nullptr) return;
  const std::size_t count = memory_.count_of(FORKMUNK_KIND_CONTACT_SLOTS);
  const layout::ContactSlots* buffer = head;
  do {
    const auto& slots = memory_.pooled(buffer, FORKMUNK_KIND_CONTACT_SLOTS, &space, "a contact buffer");
    memory_.claim(&slots, "a ring of contact buffers");
    memory_.require(slots.contact_count <= layout::kContactSlotCount && slots.number > 0 && slots.number <= count,
                    "a ring of contact buffers", buffer);
    buffer = buffer->next;
  } while (buffer != head);
}

void StructureObjects::check_outside(const cpBody& body) {
  memory_.require(body.space == nullptr || (parts_.contains(body.space) && body.space->staticBody == &body),
                  "a body is not in the lists of its space", &body);
  if (body.sleeping.root != nullptr) {
    const auto root = bodies_.find(body.sleeping.root);
    memory_.require(root != bodies_.end() && (root->second.role == Role::awake || root->second.role == Role::asleep) &&
                        body.arbiterList == nullptr,
                    "a body outside of the space sleeps", &body);
  }
  if (type_of(body) != CP_BODY_TYPE_DYNAMIC || body.shapeList == nullptr) return;
  memory_.require(parts_of(shape_at(body.shapeList).space, &body).shapes.contains(body.shapeList) &&
                      body.shapeList->space->sleepTimeThreshold == INFINITY,
                  "a dynamic body has shapes in a space with sleeping, and is not in it itself", &body);
}

void StructureObjects::check_body(const cpBody& body) {
  memory_.require(memory_.is_callable(body.velocity_func, CodeType::velocity) &&
                      memory_.is_callable(body.position_func, CodeType::position),
                  "a body's functions", &body);
  if (bodies_.at(&body).role == Role::outside) check_outside(body);
  check_shapes_of(body);
  check_joints_of(body);
  check_arbiters_of(body);
}

void StructureObjects::check_shapes_of(const cpBody& body) {
  const bool is_static = type_of(body) == CP_BODY_TYPE_STATIC || bodies_.at(&body).role == Role::asleep;
  const cpShape* previous = nullptr;
  for (const cpShape* shape = body.shapeList; shape != nullptr; previous = shape, shape = shape->next) {
    check_shape(shape_at(shape));
    memory_.require(listed_shapes_.insert(shape).second, "a shape is in two lists", shape);
    memory_.require(shape->body == &body && shape->prev == previous, "a body's list of shapes is broken", shape);
    const IndexedShapes& shapes = parts_of(shape->space, shape).shapes;
    const auto indexed = shapes.find(shape);
    memory_.require(indexed != shapes.end() && indexed->second == is_static, "a shape is not in its index", shape);
  }
}

void StructureObjects::check_shape(const cpShape& shape) {
  const StructureMemory::Allocation& found = *memory_.find(&shape);
  const int kind = found.kind;
  memory_.require(memory_.is_named(shape.klass, name_of_kind(kind)), "a shape's class", &shape);
  if (kind != FORKMUNK_KIND_POLY) return;
  const auto& poly =
      memory_.whole(reinterpret_cast<const cpPolyShape*>(&shape), kind, "a polygon", layout::kPolygonHeadBytes);
  memory_.require(poly.count > 0, "a polygon has no vertices", &shape);
  const bool fits = poly.count <= layout::polygon_room(found.bytes);
  memory_.require(fits == (poly.planes == poly._planes), "a polygon's vertices", &shape);
  if (!fits) {
    const std::size_t bytes = 2 * static_cast<std::size_t>(poly.count) * sizeof(cpSplittingPlane);
    memory_.claim(&memory_.whole(poly.planes, FORKMUNK_KIND_PLANES, "a polygon's planes", bytes),
                  "two polygons share planes");
  }
}

void StructureObjects::check_joints_of(const cpBody& body) {
  std::unordered_set<const cpConstraint*> seen;
  for (const cpConstraint* joint = body.constraintList; joint != nullptr;) {
    const cpConstraint& c = joint_at(joint);
    memory_.require(seen.insert(joint).second && (c.a == &body || c.b == &body), "a body's list of joints is broken",
                    joint);
    parts_of(c.space, joint);
    if (joint_ends_[joint]++ == 0 && !working_joints_.contains(joint)) check_joint(c);
    joint = c.a == &body ? c.next_a : c.next_b;
  }
}

void StructureObjects::check_joint(const cpConstraint& joint) {
  const int kind = memory_.find(&joint)->kind;
  memory_.require(memory_.is_named(joint.klass, name_of_kind(kind)), "a joint's class", &joint);
  const auto is_event = [&](const auto function) {
    return function == nullptr || memory_.is_callable(function, CodeType::joint_event);
  };
  memory_.require(is_event(joint.preSolve) && is_event(joint.postSolve), "a joint's functions", &joint);
  if (kind == FORKMUNK_KIND_DAMPED_SPRING) {
    const auto& spring = memory_.whole(reinterpret_cast<const cpDampedSpring*>(&joint), kind, "a damped spring");
    memory_.require(memory_.is_callable(spring.springForceFunc, CodeType::joint_force), "a spring's force", &joint);
  }
  if (kind == FORKMUNK_KIND_DAMPED_ROTARY_SPRING) {
    const auto& spring = memory_.whole(reinterpret_cast<const cpDampedRotarySpring*>(&joint), kind, "a rotary spring");
    memory_.require(memory_.is_callable(spring.springTorqueFunc, CodeType::joint_force), "a spring's torque", &joint);
  }
  for (const cpBody* body : {joint.a, joint.b}) {
    const Body& end = reach(body);
    memory_.require(end.space == nullptr || end.space == joint.space, "a joint of a body in another space", &joint);
  }
}

void StructureObjects::check_ends() {
  for (const auto& [space, parts] : parts_) {
    for (const auto& [shape, is_static] : parts.shapes) {
      memory_.require(listed_shapes_.contains(shape), "a shape is not in its body's list", shape);
    }
    for (const cpArbiter* arbiter : parts.arbiters) {
      memory_.require(arbiter_ends_.contains(arbiter), "an arbiter is not in its bodies' lists", arbiter);
    }
    for (const cpArbiter* arbiter : parts.checked) {
      const auto is_unlinked = [](const cpArbiterThread& thread) {
        return thread.next == nullptr && thread.prev == nullptr;
      };
      const auto ends = arbiter_ends_.find(arbiter);
      const bool is_listed = ends != arbiter_ends_.end();
      memory_.require(is_listed ? ends->second == 2 : is_unlinked(arbiter->thread_a) && is_unlinked(arbiter->thread_b),
                      "an arbiter is in one list", arbiter);
    }
  }
  for (const cpConstraint* joint : working_joints_) {
    memory_.require(joint_ends_.contains(joint), "a joint is not in its bodies' lists", joint);
  }
  for (const auto& [joint, ends] : joint_ends_) {
    memory_.require(ends == (joint->a == joint->b ? 1 : 2), "a joint is in one body's list", joint);
  }
}

}  // namespace forkmunk::chipmunk

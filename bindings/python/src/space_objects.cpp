#include "space_core.h"

#include <array>
#include <atomic>
#include <cmath>

#include <chipmunk/chipmunk_structs.h>

/// How objects come into a space's memory and leave it.
namespace forkmunk::python {
namespace {

std::atomic<std::uint64_t> last_id{0};

bool has_dependents(const cpBody* body) { return body->shapeList != nullptr || body->constraintList != nullptr; }

void check_shape(const cpShape* shape) {
  if (shape->body == nullptr) throw Error("Space.add(): found a shape without a body, expected its body to be set");
  if (kind_of(shape) != Kind::poly) return;
  const int count = cpPolyShapeGetCount(shape);
  if (count < 3 || !(cpShapeGetArea(const_cast<cpShape*>(shape)) > 0) || !std::isfinite(shape->massInfo.area)) {
    throw Error("Space.add(): found a Poly whose points are in a line, expected one with an area");
  }
}

void check_joint(const cpConstraint* joint, Kind kind) {
  if (joint->a == nullptr || joint->b == nullptr)
    throw Error("Space.add(): found a joint without bodies, as its space is gone; make a new one");
  if (kind == Kind::slide_joint && cpSlideJointGetMin(joint) > cpSlideJointGetMax(joint))
    throw Error("Space.add(): found a SlideJoint whose min is above its max, expected at most max");
  if (kind == Kind::groove_joint && cpveql(cpGrooveJointGetGrooveA(joint), cpGrooveJointGetGrooveB(joint)) != cpFalse)
    throw Error("Space.add(): found a GrooveJoint with a groove of length 0, expected a longer one");
  if (cpBodyGetType(joint->a) == CP_BODY_TYPE_DYNAMIC || cpBodyGetType(joint->b) == CP_BODY_TYPE_DYNAMIC) return;
  throw Error("Space.add(): found a joint of two bodies that nothing moves, expected at least one dynamic body");
}

cpDataPointer& user_data(void* object, Kind kind) {
  if (kind == Kind::body) return static_cast<cpBody*>(object)->userData;
  if (is_shape(kind)) return static_cast<cpShape*>(object)->userData;
  return static_cast<cpConstraint*>(object)->userData;
}

}  // namespace

std::uint64_t new_id() noexcept { return ++last_id; }
void reserve_ids(std::uint64_t up_to) {
  constexpr std::uint64_t kLastMax = std::uint64_t{1} << 39;  // half of them
  if (up_to > kLastMax) throw Error("Space: found an id above 2^39; the pickle is damaged");
  if (last_id < up_to) last_id = up_to;
}

std::uint64_t id_of(const cpBody* body) noexcept { return space::uncounted_handle(body->userData); }
std::uint64_t id_of(const cpShape* shape) noexcept { return space::uncounted_handle(shape->userData); }
std::uint64_t id_of(const cpConstraint* constraint) noexcept { return space::uncounted_handle(constraint->userData); }
// Equal scenes have equal hashes.
void set_id(void* object, Kind kind, std::uint64_t id) noexcept { user_data(object, kind) = space::uncounted(id); }

SpaceCore* core_of(const Object& object) {
  if (object.core == nullptr) return nullptr;
  return static_cast<SpaceCore*>(
      reinterpret_cast<py::detail::instance*>(object.core)->get_value_and_holder().value_ptr());
}

void* chipmunk_object(const Object& object) {
  if (object.own == nullptr) {
    const SpaceCore* core = core_of(object);
    if (core == nullptr) throw Error("found an object that was never made: its __init__ did not run");
    return core->entry(object.id).pointer;
  }
  // Bodies move when they are added and removed.
  const auto link = [&object](int index) -> cpBody* {
    PyObject* body = object.bodies[index];
    return body == nullptr || body == Py_None ? nullptr : chipmunk_body(body_of(body, "body"));
  };
  if (is_shape(object.kind)) {
    static_cast<cpShape*>(object.own)->body = link(0);
  } else if (is_joint(object.kind)) {
    static_cast<cpConstraint*>(object.own)->a = link(0);
    static_cast<cpConstraint*>(object.own)->b = link(1);
  }
  return object.own;
}
cpBody* chipmunk_body(const Object& object) { return static_cast<cpBody*>(chipmunk_object(object)); }
cpShape* chipmunk_shape(const Object& object) { return static_cast<cpShape*>(chipmunk_object(object)); }
cpConstraint* chipmunk_joint(const Object& object) { return static_cast<cpConstraint*>(chipmunk_object(object)); }

std::uint64_t SpaceCore::enter(Kind kind, void* object, std::uint64_t id) {
  const std::uint64_t order = new_id();
  ObjectTable& table = writable();
  if (table.entries.contains(id)) id = order;  // its twin is here
  table.entries[id] = {kind, object, order};
  set_id(object, kind, id);
  return id;
}

// Moves an object into this space's memory, if it is not there.
// What an object out of a space that is gone is linked to here, where its bodies are already.
static std::array<cpBody*, 2> bodies_here(const Object& object) {
  std::array<cpBody*, 2> found{};
  for (int i = 0; i < (is_shape(object.kind) ? 1 : is_joint(object.kind) ? 2 : 0); ++i) {
    if (object.bodies[i] == nullptr || object.bodies[i] == Py_None) {
      throw Error("Space.add(): found a shape or joint whose space is gone, and its bodies with it; make a new one");
    }
    found[static_cast<std::size_t>(i)] = chipmunk_body(body_of(object.bodies[i], "body"));
  }
  return found;
}

void SpaceCore::adopt(Object& object) {
  SpaceCore* before = core_of(object);
  if (object.own == nullptr && before == this && contains(object.id)) return;
  const void* from = chipmunk_object(object);
  if (before != nullptr && object.own == nullptr && !before->owner().is_none()) {
    throw Error("Space.add(): found an object whose joint or shape is in another space; remove it there first");
  }
  const bool is_orphan = object.own == nullptr && before != nullptr && before != this;
  const auto links = is_orphan ? bodies_here(object) : std::array<cpBody*, 2>{};
  void* made = nullptr;
  {
    const auto scope = get().enter();
    made = copy_of(from, object.kind);
  }
  if (is_orphan && is_shape(object.kind)) static_cast<cpShape*>(made)->body = links[0];
  if (is_orphan && is_joint(object.kind)) {
    static_cast<cpConstraint*>(made)->a = links[0];
    static_cast<cpConstraint*>(made)->b = links[1];
  }
  if (object.own != nullptr) free_object(std::exchange(object.own, nullptr), object.kind);
  Py_INCREF(self_);
  Py_XDECREF(std::exchange(object.core, self_));
  object.id = enter(object.kind, made, object.id);
  if (object.kind == Kind::body) ++writable().guests;
}

// Moves an object that is not in the space out of its memory.
void SpaceCore::evict(Object& object) {
  void* inside = entry(object.id).pointer;
  {
    const space::Scope outside(nullptr);
    object.own = copy_of(inside, object.kind);
  }
  writable().entries.erase(object.id);
  if (object.kind == Kind::body) --writable().guests;
  free_object(inside, object.kind);
  Py_CLEAR(object.core);
}

void SpaceCore::evict_if_unused(PyObject* body) {
  if (body == nullptr || body == Py_None) return;
  Object& object = body_of(body, "body");
  if (object.own != nullptr || core_of(object) != this || !contains(object.id)) return;
  const cpBody* inside = chipmunk_body(object);
  if (inside->space == nullptr && !has_dependents(inside)) evict(object);
}

void SpaceCore::add(py::handle thing) {
  require_rest("Space.add()");
  Object& object = object_of(thing);
  void* checked = chipmunk_object(object);
  if (is_shape(object.kind)) check_shape(static_cast<cpShape*>(checked));
  if (is_joint(object.kind)) check_joint(static_cast<cpConstraint*>(checked), object.kind);
  if (self_ == nullptr) throw Error("Space: found one that was never made: its __init__ did not run");
  const py::object keep = py::reinterpret_borrow<py::object>(thing);
  try {
    if (object.kind != Kind::body) {
      for (PyObject* body : object.bodies) {
        if (body != nullptr && body != Py_None) adopt(body_of(body, "body"));
      }
    }
    adopt(object);
  } catch (...) {  // e.g. a joint's second body is in another space
    if (object.kind != Kind::body) {
      for (PyObject* body : object.bodies) evict_if_unused(body);
    }
    throw;
  }
  void* inside = entry(object.id).pointer;
  if (object.kind == Kind::body) {
    --writable().guests;
    cpSpaceAddBody(chipmunk(), static_cast<cpBody*>(inside));
  } else if (is_shape(object.kind)) {
    cpSpaceAddShape(chipmunk(), static_cast<cpShape*>(inside));
  } else {
    cpSpaceAddConstraint(chipmunk(), static_cast<cpConstraint*>(inside));
  }
  ObjectTable& table = writable();
  table.entries[object.id].order = new_id();  // a guest entered before
}

void SpaceCore::remove(py::handle thing, const py::object& space) {
  require_rest("Space.remove()");
  Object& object = object_of(thing);
  if (core_of(object) != this || object.own != nullptr) throw Error("Space.remove(): found an object of no space");
  const std::uint64_t id = object.id;
  const ObjectEntry found = entry(id);
  if (id == static_body()) throw Error("Space.remove(): found the space's static body, expected another object");
  const py::object keep = py::reinterpret_borrow<py::object>(thing);
  Callbacks callbacks(*this, space);
  if (found.kind == Kind::body) {
    auto* body = static_cast<cpBody*>(found.pointer);
    cpSpaceRemoveBody(chipmunk(), body);
    ++writable().guests;
    evict_if_unused(thing.ptr());
  } else {
    if (is_shape(found.kind)) {
      cpSpaceRemoveShape(chipmunk(), static_cast<cpShape*>(found.pointer));
    } else {
      cpSpaceRemoveConstraint(chipmunk(), static_cast<cpConstraint*>(found.pointer));
    }
    evict(object);
    for (PyObject* body : object.bodies) evict_if_unused(body);
  }
  callbacks.rethrow();
}

void SpaceCore::bind(py::handle thing, std::uint64_t id) {
  Object& object = object_of(thing);
  const ObjectEntry& found = entry(id);
  if (object.own != nullptr) free_object(std::exchange(object.own, nullptr), object.kind);
  Py_INCREF(self_);
  Py_XDECREF(std::exchange(object.core, self_));
  object.kind = found.kind;
  object.id = id;
}

}  // namespace forkmunk::python

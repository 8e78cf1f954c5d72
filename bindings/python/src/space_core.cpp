// SPDX-License-Identifier: MIT
#include "space_core.h"

#include "module.h"

#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/chipmunk/allocation_kinds.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/space/recorder.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include <chipmunk/chipmunk_structs.h>

namespace {
struct UserByte {
  unsigned char value;
};
}  // namespace
template <>
inline constexpr auto forkmunk::space::pointer_policy<UserByte> = forkmunk::space::PointerPolicy::none;

namespace forkmunk::python {
namespace {

// Chipmunk's tree would fail.
void check_bodies(const cpSpace* space) {
  for (int i = 0; i < space->dynamicBodies->num; ++i) {
    const auto* body = static_cast<const cpBody*>(space->dynamicBodies->arr[i]);
    if (!(body->m > 0 && body->i > 0)) {
      throw Error("Space.step(): found a dynamic body with mass ", chipmunk::number_text(body->m, 6), " and moment ",
                  chipmunk::number_text(body->i, 6),
                  ", expected both above 0: give it a mass, or shapes with mass or density");
    }
    const double sum = body->p.x + body->p.y + body->v.x + body->v.y + body->a + body->w;
    if (!std::isfinite(sum) || std::abs(body->p.x) + std::abs(body->p.y) > 1e150) {
      throw Error("Space.step(): found a body that has left the finite numbers; restore() an earlier state");
    }
  }
}

[[noreturn]] void throw_damaged_space() { throw Error("Space: its pickle is damaged"); }

[[noreturn]] void raise_non_finite(const space::NonFiniteError& found, const py::object& space) {
  const std::uint64_t id = found.body != nullptr    ? id_of(found.body)
                           : found.joint != nullptr ? id_of(found.joint)
                                                    : id_of(found.shape);
  const py::object object = space.attr("_wrap")(id);
  const py::object error_type = py::module_::import("forkmunk._forkmunk").attr("Error");
  const py::object error = error_type(
      "Space.step(): the " + std::string(found.number) + (found.shape != nullptr ? " of a contact" : "") + " of " +
      std::string(py::repr(object)) + " became non-finite; the state of before the step is restored");
  error.attr("object") = object;
  PyErr_SetObject(error_type.ptr(), error.ptr());
  throw py::error_already_set();
}

}  // namespace

SpaceCore::SpaceCore() : base_(base_of(space_)) {
  static_body_ = enter(Kind::body, cpSpaceGetStaticBody(space_.space()), new_id());
}

void SpaceCore::require_rest(const char* function) {
  if (cpSpaceIsLocked(chipmunk()) == cpFalse) return;
  throw Error(function, " was called in a callback; call it between steps, or in add_post_step_callback()");
}

void SpaceCore::belong(py::handle self, const py::weakref& owner) {
  self_ = self.ptr();
  owner_ = owner;
}

py::object SpaceCore::owner() const {
  check_made("Space");
  return owner_ ? owner_() : py::none();
}

ObjectTable& SpaceCore::writable() {
  if (objects_.use_count() > 1) objects_ = std::make_shared<ObjectTable>(*objects_);
  if (objects_->entries.use_count() > 1) objects_->entries = std::make_shared<ObjectTable::Entries>(*objects_->entries);
  return *objects_;
}

const ObjectEntry& SpaceCore::entry(std::uint64_t id, const char* what) const {
  check_usable("Space");
  const auto found = objects_->entries->find(id);
  if (found != objects_->entries->end()) return found->second;
  throw Error(
      "found ", what, " ", id,
      ", which is not in its space's state: a restore went back to before it was added; drop the references to it, or "
      "restore a state that has it");
}

std::vector<std::uint64_t> SpaceCore::ids(int group) const {
  check_made("Space");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const auto& [id, object] : *objects_->entries) {
    const int its_group = object.kind == Kind::body ? 0 : is_shape(object.kind) ? 1 : 2;
    if (group != 3 && (its_group != group || id == static_body_)) continue;
    if (group == 0 && cpBodyGetSpace(static_cast<const cpBody*>(this->object(object))) == nullptr) continue;
    found.emplace_back(object.order, id);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::uint64_t> ids;
  for (const auto& [order, id] : found) ids.push_back(id);
  return ids;
}

bool SpaceCore::in_call() const {
  check_made("Space");
  if (calling_thread_ == 0) return false;
  if (calling_thread_ == PyThread_get_thread_ident()) return true;
  refuse_second_thread("Space");
}

void SpaceCore::require_no_call(const char* function) const {
  if (in_call()) throw Error(function, " was called in a callback; call it between steps");
}

void SpaceCore::compact() {
  require_no_call("Space.compact()");
  const space::Moves moves = get().compact();
  std::byte* const base = base_of(space_);
  for (auto& [id, entry] : *writable().entries) entry.offset = static_cast<std::byte*>(moves(object(entry))) - base;
  base_ = base;
}

void SpaceCore::check_can_step() {
  check_bodies(chipmunk());
  if (objects_->guests == 0 || !(cpSpaceGetSleepTimeThreshold(chipmunk()) < INFINITY)) return;
  for (const auto& [id, object] : *objects_->entries) {  // Chipmunk would put it to sleep, and abort
    if (object.kind != Kind::body) continue;
    auto* body = static_cast<cpBody*>(this->object(object));
    if (body->space == nullptr && cpBodyGetType(body) == CP_BODY_TYPE_DYNAMIC) {
      throw Error(
          "Space.step(): found a body that is not in the space, but its joint or shape is, where bodies may sleep; add "
          "the body, or set sleep_time_threshold to infinity");
    }
  }
}

namespace {

bool is_idle(const cpConstraint* joint) {
  return cpBodyGetType(joint->a) != CP_BODY_TYPE_DYNAMIC && cpBodyGetType(joint->b) != CP_BODY_TYPE_DYNAMIC;
}

}  // namespace

void SpaceCore::note_joint(const cpConstraint* joint) {
  if (is_idle(joint) && !objects_->has_idle_joints) writable().has_idle_joints = true;
}

/// Keeps joints of bodies that nothing moves from the solver, for a step.
class SpaceCore::WithoutIdleJoints {
 public:
  explicit WithoutIdleJoints(SpaceCore& core) : space_(core.chipmunk()) {
    if (!core.objects_->has_idle_joints) return;
    cpArray& joints = *space_->constraints;
    int kept = 0;
    for (int i = 0; i < joints.num; ++i) {
      void* joint = joints.arr[i];
      if (is_idle(static_cast<cpConstraint*>(joint))) {
        taken_.emplace_back(i, joint);
      } else {
        joints.arr[kept++] = joint;
      }
    }
    joints.num = kept;
  }
  ~WithoutIdleJoints() {
    cpArray& joints = *space_->constraints;  // has room for them
    for (const auto& [index, joint] : taken_) {
      const int at = std::min(index, joints.num++);
      std::copy_backward(joints.arr + at, joints.arr + joints.num - 1, joints.arr + joints.num);
      joints.arr[at] = joint;
    }
  }
  WithoutIdleJoints(const WithoutIdleJoints&) = delete;
  WithoutIdleJoints& operator=(const WithoutIdleJoints&) = delete;

 private:
  cpSpace* space_;
  std::vector<std::pair<int, void*>> taken_;
};

void SpaceCore::step(py::handle seconds, const py::object& space, bool checked) {
  const double dt = finite_number(seconds, "Space.step(dt)");
  space::Space& scene = get();
  if (dt < 0 && scene.defects() != space::Defects::pymunk)
    refuse_value("Space.step(dt)", chipmunk::number_text(dt, 6), "a finite number of seconds, 0 or more");
  require_no_call("Space.step()");
  require_rest("Space.step()");
  check_can_step();
  const auto call = begin_call();
  Callbacks callbacks(*this, space);
  const WithoutIdleJoints without(*this);
  const auto step = [&] { checked ? scene.step_checked(dt) : scene.step(dt); };
  try {
    if (space.is_none()) {
      const auto used = use();
      const WithoutGil release;
      step();
    } else {
      step();
    }
  } catch (const space::NonFiniteError& found) {
    callbacks.rethrow();
    raise_non_finite(found, owner());
  }
  try {
    callbacks.rethrow();
  } catch (...) {
    if (auto* const recorder = space::Recorder::of(scene); recorder != nullptr) recorder->note_failure();
    throw;
  }
}

std::unique_ptr<SpaceSnapshot> SpaceCore::save() {
  auto snapshot = std::make_unique<SpaceSnapshot>();
  get().save(snapshot->bytes);
  static_cast<Contents&>(*snapshot) = contents();
  return snapshot;
}

namespace {

// Returns the ids of a shape's or joint's bodies, or a body's own. 0 stands for none.
std::array<std::uint64_t, 2> body_ids_of(const void* object, Kind kind) {
  if (kind == Kind::body) return {id_of(static_cast<const cpBody*>(object)), 0};
  if (is_shape(kind)) return {id_of(static_cast<const cpShape*>(object)->body), 0};
  const auto* joint = static_cast<const cpConstraint*>(object);
  return {id_of(joint->a), id_of(joint->b)};
}

// Returns ids whose addition another table does not have. Appends their bodies. `base` is the space of `table`.
std::vector<std::uint64_t> not_in(const ObjectTable& other, const ObjectTable& table, const std::byte* base,
                                  std::vector<std::uint64_t>& bodies) {
  std::vector<std::uint64_t> found;
  if (other.entries == table.entries) return found;
  for (const auto& [id, object] : *table.entries) {
    const auto same = other.entries->find(id);
    if (same != other.entries->end() && same->second.order == object.order) continue;
    found.push_back(id);
    const auto its = body_ids_of(base + object.offset, object.kind);
    bodies.insert(bodies.end(), its.begin(), its.end());
  }
  return found;
}

}  // namespace

py::object SpaceCore::restore(SpaceSnapshot& snapshot, bool is_own) {
  snapshot.check_usable("SpaceSnapshot");
  require_no_call("Space.restore()");
  const std::shared_ptr<ObjectTable> before = objects_;
  std::vector<std::uint64_t> went, bodies;
  if (before != snapshot.objects) went = not_in(*snapshot.objects, *before, base_, bodies);
  if (!get().restore(snapshot.bytes)) {
    throw Error("Space.restore(): found an empty snapshot, or no room for it; expected one that save() gave");
  }
  base_ = base_of(space_);
  objects_ = std::const_pointer_cast<ObjectTable>(snapshot.objects);
  handlers_ = std::const_pointer_cast<Handlers>(snapshot.handlers);
  static_body_ = id_of(cpSpaceGetStaticBody(space_.space()));
  if (before == objects_) return py::none();
  const bool has_guests = before->guests != 0 || objects_->guests != 0;
  const std::vector<std::uint64_t> came = not_in(*before, *objects_, base_, bodies);
  if (!is_own && (has_replaced_ |= has_guests || !came.empty())) objects_ = std::make_shared<ObjectTable>(*objects_);
  return has_guests ? py::tuple() : py::make_tuple(went, came, bodies);
}

std::unique_ptr<SpaceCore> SpaceCore::fork() {
  auto twin = std::make_unique<SpaceCore>(get().fork());
  twin->objects_ = std::make_shared<ObjectTable>(*objects_);
  twin->handlers_ = handlers_;
  twin->static_body_ = static_body_;
  return twin;
}

py::tuple SpaceCore::write() {
  require_no_call("pickle.dumps() or StateStore.append()");
  return save()->write();
}

py::tuple SpaceSnapshot::write() {
  check_usable("SpaceSnapshot");
  const std::vector<std::byte> written = without_gil([&] { return bytes.to_bytes(); });
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
  for (const auto& [id, object] : *objects->entries) order.emplace_back(object.order, id);
  std::sort(order.begin(), order.end());
  py::list ids, listed;
  for (const auto& [when, id] : order) ids.append(id);
  for (const auto& [key, events] : handlers->by_key) {
    listed.append(py::make_tuple(static_cast<int>(key.kind), key.a, key.b, static_cast<int>(events)));
  }
  return py::make_tuple(bytes_of(written), ids, listed);
}

std::unique_ptr<SpaceCore> SpaceCore::read(const py::tuple& state, const SpaceCore* known) {
  try {
    auto core = std::make_unique<SpaceCore>();
    const py::bytes written(state[0]);
    const space::Snapshot snapshot = without_gil([all = span_of(written)] { return space::Snapshot::from_bytes(all); });
    if (!core->space_.restore(snapshot) || core->space_.space() == nullptr) throw_damaged_space();
    core->enter_read(state[1].cast<std::vector<std::uint64_t>>());
    Handlers handlers;
    for (const py::handle part : state[2]) {
      const auto [kind, a, b, events] = part.cast<std::tuple<int, std::uintptr_t, std::uintptr_t, int>>();
      if (kind < 0 || kind > static_cast<int>(HandlerKind::new_pair) || events < 0 || events > 15)
        throw_damaged_space();
      handlers.set({static_cast<HandlerKind>(kind), a, b}, static_cast<std::uint8_t>(events));
    }
    core->handlers_ = std::make_shared<Handlers>(std::move(handlers));
    if (known != nullptr && core->is_alike(*known)) core->objects_ = known->objects_;
    return core;
  } catch (const py::cast_error&) {
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_IndexError) && !error.matches(PyExc_TypeError)) throw;
  }
  throw_damaged_space();
}

namespace {

cpDataPointer& user_data(void* object, Kind kind) {
  return visit_object(object, kind, [](auto* typed) -> cpDataPointer& { return typed->userData; });
}

// Includes the bodies of shapes and joints, some twice.
std::vector<std::pair<Kind, void*>> objects_in(cpSpace* space) {
  std::vector<std::pair<Kind, void*>> found{{Kind::body, cpSpaceGetStaticBody(space)}};
  std::vector<cpConstraint*> joints = collected(&cpSpaceEachConstraint, space);
  for (cpBody* body : collected(&cpSpaceEachBody, space)) {
    found.emplace_back(Kind::body, body);
    if (cpBodyIsSleeping(body) == cpFalse) continue;
    const std::vector<cpConstraint*> its = collected(&cpBodyEachConstraint, body);  // not in the space's list
    joints.insert(joints.end(), its.begin(), its.end());
  }
  for (cpShape* shape : collected(&cpSpaceEachShape, space)) {
    found.emplace_back(kind_of(shape), shape);
    found.emplace_back(Kind::body, shape->body);
  }
  for (cpConstraint* joint : joints) {
    found.emplace_back(kind_of(joint), joint);
    found.emplace_back(Kind::body, joint->a);
    found.emplace_back(Kind::body, joint->b);
  }
  return found;
}

}  // namespace

bool SpaceCore::is_alike(const SpaceCore& other) const {
  const std::vector<std::uint64_t> all = ids(3);
  if (all != other.ids(3) || objects_->guests != other.objects_->guests ||
      objects_->has_idle_joints != other.objects_->has_idle_joints)
    return false;
  return std::ranges::all_of(all, [&](std::uint64_t id) {
    const ObjectEntry &one = entry(id), &another = other.entry(id);
    return one.kind == another.kind && one.offset == another.offset &&
           body_ids_of(object(one), one.kind) == body_ids_of(other.object(another), another.kind);
  });
}

void SpaceCore::enter_read(const std::vector<std::uint64_t>& ids) {
  auto table = std::make_shared<ObjectTable>();
  cpSpace* space = space_.space();
  base_ = base_of(space_);
  for (const auto& [kind, object] : objects_in(space)) {
    const std::uint64_t id = space::uncounted_handle(user_data(object, kind));
    const std::ptrdiff_t offset = static_cast<std::byte*>(object) - base_;
    const auto [entry, is_new] = table->entries->emplace(id, ObjectEntry{kind, offset, 0});
    if (entry->second.offset != offset) throw_damaged_space();  // two objects with one id
    if (is_new && kind == Kind::body && static_cast<cpBody*>(object)->space == nullptr) ++table->guests;
    if (is_joint(kind)) table->has_idle_joints |= is_idle(static_cast<cpConstraint*>(object));
  }
  if (ids.size() != table->entries->size()) throw_damaged_space();
  for (const std::uint64_t id : ids) {
    const auto entry = table->entries->find(id);
    if (entry == table->entries->end() || entry->second.order != 0) throw_damaged_space();
    entry->second.order = new_id();
    reserve_ids(id);
  }
  objects_ = std::move(table);
  static_body_ = id_of(cpSpaceGetStaticBody(space));
}

namespace {

void* make_block(space::Space& scene, const py::dict& data, std::uint64_t id) {
  const py::int_ key(id);
  if (!data.contains(key)) return nullptr;
  const std::string text = py::bytes(data[key]);
  const std::span<UserByte> block = scene.make_array<UserByte>(text.size());
  std::memcpy(block.data(), text.data(), text.size());
  return block.data();
}

// The state may come from anyone.
void take_block(const void* data, std::uint64_t id, py::dict& found, std::set<const void*>& blocks) {
  const auto* const arena = arena_alloc::Arena::containing(data);
  if (arena == nullptr || !arena->has_payload_at(data)) return;
  const auto& chunk = *(static_cast<const arena_alloc::Chunk*>(data) - 1);
  if (chunk.kind() != FORKMUNK_KIND_PLAIN) return;
  found[py::int_(id)] = py::bytes(static_cast<const char*>(data), chunk.requested_bytes());
  blocks.insert(data);
}

}  // namespace

py::bytes SpaceCore::to_bytes(const py::dict& data) {
  require_no_call("Space.to_bytes()");
  space::Space twin = get().fork();
  for (const std::uint64_t id : ids(3)) {  // their order gives equal bytes each time
    const ObjectEntry& entry = this->entry(id);
    user_data(twin.twin_of(space_, object(entry)), entry.kind) = make_block(twin, data, id);
  }
  cpSpaceSetUserData(twin.space(), make_block(twin, data, 0));
  return bytes_of(without_gil([&] { return twin.to_bytes(); }));
}

py::tuple SpaceCore::from_bytes(const py::bytes& data, const SpaceCore* known, const SpaceCore* first) {
  auto core = std::make_unique<SpaceCore>(without_gil([all = span_of(data)] { return space::Space::from_bytes(all); }));
  if (core->space_.space() == nullptr) throw_damaged_space();
  // In the order of creation, and of adding. The space's own static body comes first.
  const auto number_of = [](const cpSpace* space, const void* object) {
    return object == &space->_staticBody ? 0 : (static_cast<const arena_alloc::Chunk*>(object) - 1)->stamp() + 1;
  };
  std::map<std::uint32_t, std::pair<Kind, void*>> by_creation;
  cpSpace* const space = core->space_.space();
  for (const auto& [kind, object] : objects_in(space))
    by_creation.emplace(number_of(space, object), std::pair(kind, object));
  std::map<std::pair<std::uint32_t, Kind>, std::uint64_t> known_ids;
  for (const SpaceCore* each : {known, first}) {
    if (each == nullptr) continue;
    for (const auto& [id, entry] : *each->objects_->entries)
      known_ids.emplace(std::pair(number_of(each->space_.space(), each->object(entry)), entry.kind), id);
  }
  if (known != nullptr) core->handlers_ = known->handlers_;
  std::vector<std::uint64_t> ids;
  py::dict found;
  std::set<const void*> blocks;
  take_block(space->userData, 0, found, blocks);
  space->userData = nullptr;
  for (const auto& [number, object] : by_creation) {
    const auto same = known_ids.find({number, object.first});
    ids.push_back(same == known_ids.end() ? new_id() : same->second);
    take_block(user_data(object.second, object.first), ids.back(), found, blocks);
    set_id(object.second, object.first, ids.back());
  }
  for (const void* block : blocks) core->space_.release(const_cast<void*>(block));
  core->enter_read(ids);
  return py::make_tuple(std::move(core), found);
}

namespace {

std::atomic<std::uint64_t> last_id{0};

bool has_dependents(const cpBody* body) { return body->shapeList != nullptr || body->constraintList != nullptr; }

void check_shape(const cpShape* shape) {
  if (shape->body == nullptr) throw Error("Space.add(): found a shape without a body, expected its body to be set");
  if (kind_of(shape) != Kind::poly) return;
  const int count = cpPolyShapeGetCount(shape);
  std::vector<cpVect> points;
  for (int i = 0; i < count; ++i) points.push_back(cpPolyShapeGetVert(shape, i));
  const double area = cpAreaForPoly(count, points.data(), 0);
  if (count < 2) throw Error("Space.add(): found a Poly whose points are one, expected two or more; use a Circle");
  if (!std::isfinite(area) || area < 0)
    throw Error("Space.add(): found a Poly that is clockwise, expected the reverse");
  if (area == 0 && shape->massInfo.m > 0) {
    throw Error(
        "Space.add(): found a Poly with a mass whose points are in a line, expected one without, or with an area");
  }
}

void check_joint(const cpConstraint* joint, Kind kind) {
  if (joint->a == nullptr || joint->b == nullptr)
    throw Error("Space.add(): found a joint without bodies, as its space is gone; make a new one");
  if (kind == Kind::slide_joint && cpSlideJointGetMin(joint) > cpSlideJointGetMax(joint))
    throw Error("Space.add(): found a SlideJoint whose min is above its max, expected at most max");
  if (kind == Kind::groove_joint && cpveql(cpGrooveJointGetGrooveA(joint), cpGrooveJointGetGrooveB(joint)) != cpFalse)
    throw Error("Space.add(): found a GrooveJoint with a groove of length 0, expected a longer one");
}

}  // namespace

std::uint64_t new_id() noexcept { return ++last_id; }
void reserve_ids(std::uint64_t up_to) {
  constexpr std::uint64_t kLastMax = std::uint64_t{1} << 39;  // half of them
  if (up_to > kLastMax) throw Error("Space: found an id above 2^39; the pickle is damaged");
  if (last_id < up_to) last_id = up_to;
}

// Equal scenes have equal hashes.
void set_id(void* object, Kind kind, std::uint64_t id) noexcept { user_data(object, kind) = space::uncounted(id); }

SpaceCore* core_of(const Object& object) { return object.core == nullptr ? nullptr : value_in<SpaceCore>(object.core); }
SpaceCore& core_of(py::handle space) {
  static PyObject* const name = interned("_core");
  static const auto* const type = reinterpret_cast<PyTypeObject*>(py::type::of<SpaceCore>().release().ptr());
  const py::object core = taken(PyObject_GetAttr(space.ptr(), name));
  SpaceCore* found = Py_TYPE(core.ptr()) == type ? value_in<SpaceCore>(core.ptr()) : nullptr;  // faster than a cast
  return found != nullptr ? *found : core.cast<SpaceCore&>();
}

void* chipmunk_object(const Object& object) {
  if (object.own == nullptr) {
    const SpaceCore* core = core_of(object);
    if (core == nullptr) throw Error("found an object that was never made: its __init__ did not run");
    return core->object(core->entry(object.id, object.ob_base.ob_type->tp_name));
  }
  // Adding and removing moves bodies.
  const auto link = [&object](int index) -> cpBody* {
    const Object* body = body_at(object, index);
    return body == nullptr ? nullptr : chipmunk_body(*body);
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

std::uint64_t SpaceCore::enter(Kind kind, void* object, std::uint64_t id) {
  const std::uint64_t order = new_id();
  ObjectTable& table = writable();
  if (table.entries->contains(id)) id = order;  // its twin is here
  (*table.entries)[id] = {kind, static_cast<std::byte*>(object) - base_, order};
  set_id(object, kind, id);
  return id;
}

// Serves an object whose space is gone.
static std::array<cpBody*, 2> bodies_here(const Object& object) {
  std::array<cpBody*, 2> found{};
  for (int i = 0; i < (is_shape(object.kind) ? 1 : is_joint(object.kind) ? 2 : 0); ++i) {
    const Object* body = body_at(object, i);
    if (body == nullptr)
      throw Error("Space.add(): found a shape or joint whose space is gone, and its bodies with it; make a new one");
    found[static_cast<std::size_t>(i)] = chipmunk_body(*body);
  }
  return found;
}

static void* copy_in(const space::Scope& /*entered*/, const void* object, Kind kind) { return copy_of(object, kind); }

void SpaceCore::adopt(Object& object) {
  SpaceCore* before = core_of(object);
  if (object.own == nullptr && before == this && contains(object.id)) return;
  const void* from = chipmunk_object(object);
  if (before != nullptr && object.own == nullptr && !before->owner().is_none()) {
    throw Error("Space.add(): found an object whose joint or shape is in another space; remove it there first");
  }
  const bool is_orphan = object.own == nullptr && before != nullptr && before != this;
  const auto links = is_orphan ? bodies_here(object) : std::array<cpBody*, 2>{};
  void* made = copy_in(get().enter(), from, object.kind);
  if (is_orphan && is_shape(object.kind)) static_cast<cpShape*>(made)->body = links[0];
  if (is_orphan && is_joint(object.kind)) {
    static_cast<cpConstraint*>(made)->a = links[0];
    static_cast<cpConstraint*>(made)->b = links[1];
  }
  hold(object, enter(object.kind, made, object.id));
  if (object.kind == Kind::body) ++writable().guests;
}

void SpaceCore::evict(Object& object) {
  void* inside = this->object(entry(object.id));
  void* made = copy_in(space::Scope(nullptr), inside, object.kind);
  writable().entries->erase(object.id);
  if (object.kind == Kind::body) --writable().guests;
  free_object(inside, object.kind);
  object.leave();
  object.own = made;
  Py_CLEAR(object.home);
}

void SpaceCore::evict_if_unused(Object* body) {
  if (body == nullptr || body->own != nullptr || core_of(*body) != this || !contains(body->id)) return;
  const cpBody* inside = chipmunk_body(*body);
  if (inside->space == nullptr && !has_dependents(inside)) evict(*body);
}

void SpaceCore::add_one(py::handle thing) {
  require_rest("Space.add()");
  Object& object = object_of(thing);
  void* checked = chipmunk_object(object);
  if (is_shape(object.kind)) check_shape(static_cast<cpShape*>(checked));
  if (is_joint(object.kind)) check_joint(static_cast<cpConstraint*>(checked), object.kind);
  if (self_ == nullptr) throw Error("Space: found one that was never made: its __init__ did not run");
  const py::object keep = py::reinterpret_borrow<py::object>(thing);
  try {
    for (const int index : {0, 1}) {
      if (Object* body = body_at(object, index)) adopt(*body);
    }
    adopt(object);
  } catch (...) {  // e.g. a joint's second body is in another space
    for (const int index : {0, 1}) evict_if_unused(body_at(object, index));
    throw;
  }
  void* inside = this->object(entry(object.id));
  if (object.kind == Kind::body) {
    --writable().guests;
    cpSpaceAddBody(chipmunk(), static_cast<cpBody*>(inside));
  } else if (is_shape(object.kind)) {
    cpSpaceAddShape(chipmunk(), static_cast<cpShape*>(inside));
  } else {
    cpSpaceAddConstraint(chipmunk(), static_cast<cpConstraint*>(inside));
    note_joint(static_cast<cpConstraint*>(inside));
  }
  ObjectTable& table = writable();
  (*table.entries)[object.id].order = new_id();  // a guest entered before
}

void SpaceCore::remove_one(py::handle thing, const py::object& space) {
  require_rest("Space.remove()");
  Object& object = object_of(thing);
  if (core_of(object) != this || object.own != nullptr) throw Error("Space.remove(): found an object of no space");
  const std::uint64_t id = object.id;
  const ObjectEntry found = entry(id);
  if (id == static_body()) throw Error("Space.remove(): found the space's static body, expected another object");
  Callbacks callbacks(*this, space);
  if (found.kind == Kind::body) {
    auto* body = static_cast<cpBody*>(this->object(found));
    cpSpaceRemoveBody(chipmunk(), body);
    ++writable().guests;
    evict_if_unused(&object);
  } else {
    if (is_shape(found.kind)) {
      auto* shape = static_cast<cpShape*>(this->object(found));
      cpBody* body = shape->body;
      const double mass = body->m, moment = body->i;
      cpSpaceRemoveShape(chipmunk(), shape);
      // Without its last shape's mass, the body would become NaN in pymunk, and no step would be possible here.
      if (body->m == 0 && mass > 0 && moment > 0 && body->space != nullptr &&
          get().defects() == space::Defects::pymunk) {
        cpBodySetMass(body, mass);
        cpBodySetMoment(body, moment);
      }
    } else {
      cpSpaceRemoveConstraint(chipmunk(), static_cast<cpConstraint*>(this->object(found)));
    }
    evict(object);
    for (const int index : {0, 1}) evict_if_unused(body_at(object, index));
  }
  callbacks.rethrow();
}

namespace {

int rank_of(const Object& object) { return object.kind == Kind::body ? 0 : is_shape(object.kind) ? 1 : 2; }

py::object member(py::handle space, PyObject* name) { return taken(PyObject_GetAttr(space.ptr(), name)); }

void set_item(py::handle dict, py::handle key, py::handle value) {
  if (PyDict_SetItem(dict.ptr(), key.ptr(), value.ptr()) != 0) throw py::error_already_set();
}
void drop_item(py::handle dict, py::handle key) {
  if (PyDict_DelItem(dict.ptr(), key.ptr()) == 0) return;
  if (PyErr_ExceptionMatches(PyExc_KeyError) == 0) throw py::error_already_set();
  PyErr_Clear();
}

class Lists {
 public:
  explicit Lists(py::handle space) {
    static PyObject *const kept_name = interned("_kept"), *const lists_name = interned("_lists"),
                           *const shared_name = interned("_is_shared");
    kept_ = member(space, kept_name);
    if (member(space, shared_name).ptr() == Py_True) {  // a snapshot keeps the dict
      kept_ = taken(PyDict_Copy(kept_.ptr()));
      if (PyObject_SetAttr(space.ptr(), kept_name, kept_.ptr()) != 0 ||
          PyObject_SetAttr(space.ptr(), shared_name, Py_False) != 0)
        throw py::error_already_set();
    }
    lists_ = member(space, lists_name);
  }
  void enter(PyObject* thing) {
    const Object& object = object_of(thing);
    set_item(kept_, py::int_(object.id), thing);
    for (const int index : {0, 1}) {  // a joint's bodies may be in no space
      const Object* body = is_joint(object.kind) ? body_at(object, index) : nullptr;
      if (body != nullptr) set_item(kept_, py::int_(body->id), object.bodies[index]);
    }
    if (const py::handle view = view_of(object); !view.is_none()) set_item(view, thing, py::none());
  }
  void leave(PyObject* thing, std::uint64_t id) {
    const Object& object = object_of(thing);
    if (object.core == nullptr) drop_item(kept_, py::int_(id));  // no joint or shape of a body stays
    for (const int index : {0, 1}) {
      const Object* body = body_at(object, index);
      if (body != nullptr && body->core == nullptr) drop_item(kept_, py::int_(body->id));
    }
    if (const py::handle view = view_of(object); !view.is_none()) drop_item(view, thing);
  }

 private:
  [[nodiscard]] py::handle view_of(const Object& object) const {
    return PyList_GET_ITEM(lists_.ptr(), rank_of(object));
  }

  py::object kept_, lists_;
};

bool is_unknown(const PyObject* member) { return member == nullptr || member == Py_None; }

// Afterwards the space cannot look links up.
void keep_links(PyObject* thing, void* inside) {
  const Object& object = object_of(thing);
  if (object.kind != Kind::body) {
    if (is_unknown(object.bodies[0])) py::handle(thing).attr("_bodies")();
    for (PyObject* owner : object.bodies) {  // copied bodies do not know what is attached to them
      if (is_unknown(owner)) continue;
      const Object& body = object_of(owner);
      if (is_unknown(is_shape(object.kind) ? body.shapes : body.joints))
        py::handle(owner).attr("_members")(rank_of(object));
    }
    return;
  }
  const auto* body = static_cast<const cpBody*>(inside);
  if (body->shapeList != nullptr && is_unknown(object.shapes)) py::handle(thing).attr("_members")(1);
  if (body->constraintList != nullptr && is_unknown(object.joints)) py::handle(thing).attr("_members")(2);
}

bool has_deferred(py::handle space) {
  static PyObject *const later = interned("_later"), *const post_step = interned("_post_step");
  return PyObject_IsTrue(member(space, later).ptr()) != 0 || PyObject_IsTrue(member(space, post_step).ptr()) != 0;
}

// Handlers call this.
void append_error(py::list& errors) {
  set_python_error();
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  errors.append(py::reinterpret_steal<py::object>(value));
  Py_XDECREF(type);
  Py_XDECREF(trace);
}

bool is_inside(const SpaceCore& core, std::uint64_t id) {
  const ObjectEntry& entry = core.entry(id);
  return visit_object(core.object(entry), entry.kind, [](auto* typed) { return typed->space != nullptr; });
}

// Returns the memory that the object is in, or null if it is its own, or if a restore forgot the object.
const SpaceCore* home_core(const Object& object) {
  const SpaceCore* core = core_of(object);
  return core != nullptr && object.own == nullptr && core->contains(object.id) ? core : nullptr;
}

py::object owner_of(py::handle thing) {
  const Object& object = object_of(thing);
  const SpaceCore* core = home_core(object);
  return core != nullptr && is_inside(*core, object.id) ? core->owner() : py::none();
}

void check_new(const py::object& space, py::handle thing, const py::tuple& arriving) {
  const Object& object = object_of(thing);
  const auto refuse = [&](const char* problem) { throw Error("Space.add(): ", std::string(py::repr(thing)), problem); };
  if (!owner_of(thing).is_none()) refuse(" is in a space already; remove it there first");
  const SpaceCore* before = core_of(object);
  if (before != nullptr && home_core(object) == nullptr && !before->owner().is_none())
    refuse(" is gone: a restore went back to before it was added; make a new one");
  if (!is_shape(object.kind)) return;
  const py::object body = thing.attr("body");
  const auto is_body = [&](py::handle other) { return other.is(body); };
  if (body.is_none() || !(owner_of(body).is(space) || std::any_of(arriving.begin(), arriving.end(), is_body)))
    refuse(" is on a body that is not in the space; add the body before it or with it");
}

}  // namespace

void SpaceCore::add(const py::object& space, const py::tuple& objects) {
  for (const py::handle thing : objects) check_new(space, thing, objects);
  std::vector<PyObject*> ordered;
  for (const int rank : {0, 1, 2}) {
    for (const py::handle thing : objects) {
      if (rank_of(object_of(thing)) == rank) ordered.push_back(thing.ptr());
    }
  }
  auto sorted = ordered;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    throw Error("Space.add(): one of the objects is given twice; add each once");
  Lists lists(space);
  std::size_t done = 0;
  bool calls = false;
  try {
    for (PyObject* thing : ordered) {
      add_one(thing);
      ++done;
      lists.enter(thing);
      const Object& object = object_of(thing);
      calls |= has_functions(this->object(entry(object.id)), object.kind);
    }
    if (calls && PyObject_SetAttrString(space.ptr(), "_has_functions", Py_True) != 0) throw py::error_already_set();
  } catch (...) {
    const std::exception_ptr error = std::current_exception();
    while (done > 0) {  // nothing of it stays
      PyObject* thing = ordered[--done];
      const std::uint64_t id = object_of(thing).id;
      remove_one(thing, py::none());
      lists.leave(thing, id);
    }
    std::rethrow_exception(error);
  }
}

py::list SpaceCore::remove(const py::object& space, const py::tuple& objects, bool calls) {
  const auto is_here = [this](const Object& object) {
    return home_core(object) == this && is_inside(*this, object.id);
  };
  for (const py::handle thing : objects) {
    if (!is_here(object_of(thing))) refuse_value("Space.remove()", thing, "an object of this space");
  }
  std::optional<Lists> lists(space);
  py::list errors;
  for (const py::handle thing : objects) {
    const Object& object = object_of(thing);
    const std::uint64_t id = object.id;
    if (!is_here(object)) continue;  // it is given twice
    try {
      const auto call = begin_call();
      keep_links(thing.ptr(), this->object(entry(id)));
      remove_one(thing, calls ? space : py::none());
    } catch (...) {
      append_error(errors);
    }
    if (!is_here(object)) lists->leave(thing.ptr(), id);
    if (!calls || !has_deferred(space)) continue;
    try {
      space.attr("_catch_up")();
    } catch (...) {
      append_error(errors);
    }
    lists.emplace(space);
  }
  return errors;
}

void SpaceCore::bind(py::handle thing, std::uint64_t id) {
  Object& object = object_of(thing);
  const ObjectEntry& found = entry(id);
  hold(object, id);
  Py_CLEAR(object.home);
  object.kind = found.kind;
}

py::object SpaceCore::object_at(std::uint64_t id) const {
  if (!contains(id)) return py::none();
  const auto found = held_.find(id);
  if (found == held_.end() || Py_REFCNT(found->second) == 0) return py::none();  // 0: it is being freed
  return py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(found->second));
}

void SpaceCore::hold(Object& object, std::uint64_t id) {
  object.leave();
  Object*& held = held_[id];
  if (held != nullptr) held->id = new_id();  // it is gone for good
  held = &object;
  object.id = id;
  object.core = py::handle(self_).inc_ref().ptr();
}

void SpaceCore::forget(const Object& object) noexcept {
  const auto found = held_.find(object.id);
  if (found != held_.end() && found->second == &object) held_.erase(found);
}

namespace {

template <int index>
py::object body_of_joint(py::handle thing) {
  PyObject* body = object_of(thing).bodies[index];
  return is_unknown(body) ? thing.attr("_two_bodies")()[py::int_(index)] : py::reinterpret_borrow<py::object>(body);
}

py::object static_body_of(py::handle space) {
  const SpaceCore& core = core_of(space);
  return thing_of(space, core, core.static_body());
}

// In a callback, addition and removal are deferred.
bool defers(py::handle space, bool adds, py::handle objects) {
  if (!core_of(space).in_call()) return false;
  space.attr("_defer")(adds, objects);
  return true;
}

py::object add_objects(py::handle space, py::handle objects) {
  const auto given = py::reinterpret_borrow<py::tuple>(objects);
  for (const py::handle thing : given) {
    if (object_in(thing) == nullptr)
      refuse_type("Space.add()", thing, "bodies, shapes and constraints, each on its own");
  }
  if (!defers(space, true, objects)) core_of(space).add(py::reinterpret_borrow<py::object>(space), given);
  return py::none();
}

py::object remove_objects(py::handle space, py::handle objects) {
  static PyObject *const recorder_name = interned("_recorder"), *const callables = interned("_callables"),
                         *const has_functions = interned("_has_functions");
  const auto given = py::reinterpret_borrow<py::tuple>(objects);
  for (const py::handle thing : given) {
    if (object_in(thing) == nullptr) refuse_value("Space.remove()", thing, "an object of this space");
  }
  if (defers(space, false, objects)) return py::none();
  const py::object reference = member(space, recorder_name);
  const py::object recorder = reference.is_none() ? reference : reference();
  if (!recorder.is_none()) recorder.attr("_keep")(given);
  const bool calls = PyDict_Size(member(space, callables).ptr()) > 0 || member(space, has_functions).ptr() == Py_True;
  const py::list errors = core_of(space).remove(py::reinterpret_borrow<py::object>(space), given, calls);
  if (!errors.empty() || has_deferred(space)) space.attr("_catch_up")(errors);
  return py::none();
}

template <bool of_body>
py::object reindex(py::handle space, py::handle thing) {
  SpaceCore& core = core_of(space);
  const Object* object = object_in(thing);
  if (object == nullptr || (of_body ? object->kind != Kind::body : !is_shape(object->kind)) ||
      home_core(*object) != &core || !is_inside(core, object->id))
    refuse_value("Space.reindex_...()", thing, of_body ? "a Body of this space" : "a Shape of this space");
  core.require_rest("Space.reindex_...()");
  if constexpr (of_body) {
    cpSpaceReindexShapesForBody(core.chipmunk(), chipmunk_body(*object));
  } else {
    cpSpaceReindexShape(core.chipmunk(), chipmunk_shape(*object));
  }
  return py::none();
}
py::object reindex_static(py::handle space) {
  core_of(space).require_rest("Space.reindex_...()");
  cpSpaceReindexStatic(core_of(space).chipmunk());
  return py::none();
}

void use_spatial_hash(py::handle space, py::handle size, py::handle cell_count) {
  SpaceCore& core = core_of(space);
  core.require_rest("Space.use_spatial_hash()");
  const double cell = finite_number(size, "Space.use_spatial_hash(dim)");
  if (!(cell > 0)) refuse_value("Space.use_spatial_hash(dim)", size, "a size above 0");
  const auto count = static_cast<int>(count_of(cell_count, "Space.use_spatial_hash(count)", 1, 10'000'000));
  const auto scope = core.get().enter();
  cpSpaceUseSpatialHash(core.chipmunk(), cell, count);
}

// Returns the Space whose memory the object is in, or None. A body may be there because its joint was added.
py::object home_of(py::handle thing) {
  const SpaceCore* core = home_core(object_of(thing));
  return core != nullptr ? core->owner() : py::none();
}

py::tuple bodies_of(py::handle thing) {
  const Object& object = object_of(thing);
  const auto [a, b] = body_ids_of(chipmunk_object(object), object.kind);
  return is_shape(object.kind) ? py::make_tuple(a) : py::make_tuple(a, b);
}

std::vector<std::uint64_t> attached_to(SpaceCore& self, std::uint64_t id, int rank) {
  std::vector<std::uint64_t> ids;
  const ObjectEntry& found = self.entry(id);
  if (found.kind != Kind::body) throw py::type_error("found no body");
  auto* body = static_cast<cpBody*>(self.object(found));
  if (rank == 1) std::ranges::transform(collected(&cpBodyEachShape, body), std::back_inserter(ids), &id_of<cpShape>);
  if (rank == 2)
    std::ranges::transform(collected(&cpBodyEachConstraint, body), std::back_inserter(ids), &id_of<cpConstraint>);
  return ids;
}

bool has_slots(py::handle object) {
  static const py::handle plain = py::object(py::module_::import("forkmunk.scene").attr("Object")).release();
  return Py_TYPE(object.ptr())->tp_basicsize > reinterpret_cast<PyTypeObject*>(plain.ptr())->tp_basicsize;
}
py::object own_dict(py::handle object) { return taken(PyObject_GenericGetDict(object.ptr(), nullptr)); }

// Returns the objects with attributes, or of a class with __slots__.
py::object attributed(py::handle objects) {
  py::list found;
  for (const py::handle object : objects) {
    if (has_slots(object) || PyDict_GET_SIZE(own_dict(object).ptr()) > 0) found.append(object);
  }
  return found;
}

bool is_container(py::handle value) {
  static const py::handle types = py::object(py::module_::import("forkmunk.scene").attr("_CONTAINERS")).release();
  const int found = PySet_Contains(types.ptr(), py::type::handle_of(value).ptr());
  if (found < 0) throw py::error_already_set();
  return found != 0;
}
// A tuple such as a colour is not copied.
bool is_copied(py::handle value) {
  return is_container(value) &&
         (PyTuple_CheckExact(value.ptr()) == 0 || std::ranges::any_of(py::iter(value), is_container));
}

// Returns attributes as save() keeps them. `memo`: what _value() has copied; None: forks share containers.
py::object copied(py::handle attributes, py::handle memo) {
  static PyObject* value_of = nullptr;
  auto kept = py::reinterpret_borrow<py::object>(attributes);
  if (memo.is_none()) return kept;
  for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(attributes)) {
    if (!is_copied(value)) continue;
    if (kept.is(attributes)) kept = taken(PyDict_Copy(attributes.ptr()));
    set_item(kept, name, made_by(value_of, "forkmunk.scene", "_value", py::make_tuple(value, memo)));
  }
  return kept;
}

py::object attributes_by_id(py::handle objects, py::handle memo) {
  static PyObject* all = nullptr;
  py::dict found;
  for (const py::handle object : py::list(attributed(objects))) {
    const py::object own = has_slots(object) ? made_by(all, "forkmunk.scene", "attributes_of", py::make_tuple(object))
                                             : taken(PyDict_Copy(own_dict(object).ptr()));
    set_item(found, py::int_(object_of(object).id), copied(own, memo));
  }
  return found;
}

// After an exception the object is as before.
void set_attributes(py::handle object, py::handle attributes, py::handle memo) {
  static PyObject* set = nullptr;
  const py::object own = own_dict(object), values = copied(attributes, memo);
  if (has_slots(object)) {
    made_by(set, "forkmunk.scene", "set_attributes", py::make_tuple(object, values));
    return;
  }
  PyDict_Clear(own.ptr());
  if (PyDict_Update(own.ptr(), values.ptr()) != 0) throw py::error_already_set();
}

template <auto function>
py::object handler_key(py::handle space, py::handle kind, py::handle a, py::handle b) {
  return tuple_of((core_of(space).*function)(kind.cast<int>(), a, b));
}
py::object listen(py::handle space, py::handle kind, py::handle a, py::handle b, py::handle event, py::handle on) {
  return tuple_of(core_of(space).listen(kind.cast<int>(), a, b, event.cast<int>(), on.ptr() == Py_True));
}

}  // namespace

// Returns a new object of an id. `given` is its class, or None for the package's.
static py::object wrap_as(py::handle space, py::handle given, py::handle id_) {
  static const py::handle classes = py::object(py::module_::import("forkmunk.scene").attr("_CLASSES")).release();
  static PyObject *const arguments = PyTuple_New(0), *const kept = interned("_kept");
  SpaceCore& core = core_of(space);
  const auto id = id_.cast<std::uint64_t>();
  const py::object cls =
      given.is_none() ? classes[py::str(name_of(core.entry(id).kind))] : py::reinterpret_borrow<py::object>(given);
  auto* const type = reinterpret_cast<PyTypeObject*>(cls.ptr());
  py::object made = taken(type->tp_new(type, arguments, nullptr));
  core.bind(made, id);
  set_item(member(space, kept), id_, made);
  return made;
}

py::object thing_of(py::handle space, const SpaceCore& core, std::uint64_t id) {
  py::object found = core.object_at(id);
  return found.is_none() ? wrap_as(space, found, py::int_(id)) : found;
}

// Binds `wanted` to the id, unless another space or id has that object. Returns the id's object, or None.
static py::object object_at(py::handle space, py::handle id_, py::handle wanted) {
  SpaceCore& core = core_of(space);
  const auto id = id_.cast<std::uint64_t>();
  if (const Object* object = object_in(wanted); object != nullptr && core.contains(id)) {
    const SpaceCore* home = core_of(*object);
    if (home == nullptr || (home == &core && object->id != id && !core.contains(object->id))) core.bind(wanted, id);
  }
  return core.object_at(id);
}

static py::object wrapped(py::handle space, py::handle id) {
  return thing_of(space, core_of(space), id.cast<std::uint64_t>());
}

static py::object set_attributes_by_id(py::handle space, py::handle objects, py::handle by_id, py::handle memo) {
  const auto given = py::reinterpret_borrow<py::dict>(by_id);
  for (const py::handle object : py::list(attributed(objects))) {
    if (!given.contains(py::int_(object_of(object).id))) set_attributes(object, py::dict(), memo);
  }
  for (const auto& [id, attributes] : given) set_attributes(wrapped(space, id), attributes, memo);
  return py::none();
}

static py::object objects_of(py::handle space, py::handle group) {
  const SpaceCore& core = core_of(space);
  py::list found;
  for (const std::uint64_t id : core.ids(group.cast<int>())) found.append(thing_of(space, core, id));
  return found;
}

bool is_version_7() {
  static PyObject* const versions = py::module_::import("forkmunk.api_version").release().ptr();
  return py::handle(versions).attr("major").cast<int>() > 6;
}

static void add_space_access(py::module_& module, py::class_<SpaceCore>& type) {
  add_function<&owner_of>(module, "owner_of");
  add_function<&body_of_joint<0>>(module, "first_body");
  add_function<&body_of_joint<1>>(module, "second_body");
  add_function<&static_body_of>(module, "static_body_of");
  add_function<&object_at>(module, "object_at");
  add_function<&wrapped>(module, "wrapped");
  add_function<&wrap_as>(module, "wrap_as");
  add_function<&objects_of>(module, "objects_of");
  add_function<&attributed>(module, "attributed");
  add_function<&attributes_by_id>(module, "attributes_by_id");
  add_function<&set_attributes_by_id>(module, "set_attributes_by_id");
  add_function<&add_objects>(module, "add");
  add_function<&remove_objects>(module, "remove");
  add_function<&reindex<false>>(module, "reindex_shape");
  add_function<&reindex<true>>(module, "reindex_shapes_for_body");
  add_function<&reindex_static>(module, "reindex_static");
  add_function<&handler_key<&SpaceCore::handler_key>>(module, "handler_key");
  add_function<&handler_key<&SpaceCore::handler>>(module, "make_handler");
  add_function<&listen>(module, "listen");
  module.def("compact", [](py::handle space) { core_of(space).compact(); });
  module.def("use_spatial_hash", &use_spatial_hash);
  module.def("hash", [](py::handle space) { return core_of(space).get().hash(); });
  module.def("live_bytes", [](py::handle space) { return core_of(space).get().live_bytes(); });
  module.def("home_of", &home_of);
  module.def("bodies_of", &bodies_of);
  module.def("release", [](py::handle object) {
    Object& found = object_of(object);
    if (found.own == nullptr) found.leave();
  });
  type.def("attached_to", &attached_to);
}

static constexpr std::array<std::string_view, 3> kDefects{"none", "pymunk", "stock"};  // the order of Defects

static void add_space_core(py::class_<SpaceCore>& type, py::module_& module) {
  py::class_<SpaceSnapshot>(module, "SpaceSnapshot", "A Space's state: Space.save(). It stays in this process.")
      .def_property_readonly("size_bytes",
                             [](SpaceSnapshot& self) {
                               self.check_usable("SpaceSnapshot");
                               return self.bytes.size_bytes();
                             })
      .def("write", &SpaceSnapshot::write);
  module.def("delta_of", [](const py::bytes& base, const py::bytes& bytes) {
    return bytes_of(without_gil([a = span_of(base), b = span_of(bytes)] { return space::delta_of(a, b); }));
  });
  module.def("apply_delta", [](const py::bytes& base, const py::bytes& delta) {
    return bytes_of(without_gil([a = span_of(base), b = span_of(delta)] { return space::apply_delta(a, b); }));
  });
  type.def(py::init<>())
      .def_property(
          "defects", [](SpaceCore& self) { return kDefects[static_cast<std::size_t>(self.get().defects())]; },
          [](SpaceCore& self, const std::string& name) {
            const auto* found = std::ranges::find(kDefects, name);
            if (found == kDefects.end())
              throw Error("Space(defects=...): found '", name, "', expected 'none', 'pymunk' or 'stock'");
            self.get().set_defects(static_cast<space::Defects>(found - kDefects.begin()));
          })
      .def("belong",
           [](const py::object& self, const py::weakref& owner) { self.cast<SpaceCore&>().belong(self, owner); })
      .def_property_readonly("owner", &SpaceCore::owner)
      .def_property_readonly("static_body", &SpaceCore::static_body)
      .def("contains", &SpaceCore::contains)
      .def("ids", &SpaceCore::ids)
      .def("in_call", &SpaceCore::in_call)
      .def("step", &SpaceCore::step)
      .def("save", &SpaceCore::save)
      .def("restore", &SpaceCore::restore)
      .def("has_objects_of", &SpaceCore::has_objects_of)
      .def("fork", &SpaceCore::fork)
      .def("write", &SpaceCore::write)
      .def_static("read", &SpaceCore::read, py::arg("state"), py::arg("known") = nullptr)
      .def("to_bytes", &SpaceCore::to_bytes)
      .def_static("from_bytes", &SpaceCore::from_bytes, py::arg("data"), py::arg("known") = nullptr,
                  py::arg("first") = nullptr);
}

void add_space(py::module_& module) {
  name_functions();
  add_conversions(module);
  add_fields(module);
  add_object(module);
  py::class_<SpaceCore> type(module, "SpaceCore", "What forkmunk.Space is made of.");
  add_space_core(type, module);
  add_space_access(module, type);
  add_object_functions(module);
  add_arbiter(module);
  add_space_queries(module);
}

}  // namespace forkmunk::python

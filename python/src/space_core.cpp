#include "space_core.h"

#include "gil.h"
#include "module.h"

#include <atomic>
#include <cmath>

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::python {
namespace {

std::atomic<std::uint64_t> last_id{0};

const char* name_of(ObjectKind kind) {
  return kind == ObjectKind::body ? "body" : kind == ObjectKind::shape ? "shape" : "constraint";
}

// What has left the finite numbers must not be stepped: Chipmunk's tree would not find its way.
void check_bodies(const cpSpace* space) {
  for (int i = 0; i < space->dynamicBodies->num; ++i) {
    const auto* body = static_cast<const cpBody*>(space->dynamicBodies->arr[i]);
    if (cpBodyGetType(const_cast<cpBody*>(body)) == CP_BODY_TYPE_DYNAMIC && !(body->m > 0 && body->i > 0)) {
      throw Error("Space.step(): found a dynamic body with mass " + std::to_string(body->m) + " and moment " +
                  std::to_string(body->i) + ", expected both above 0: give it a mass, or shapes with mass or density");
    }
    const double sum = body->p.x + body->p.y + body->v.x + body->v.y + body->a + body->w;
    if (!std::isfinite(sum) || std::abs(body->p.x) + std::abs(body->p.y) > 1e150) {
      throw Error("Space.step(): found a body that has left the finite numbers; restore() an earlier state");
    }
  }
}

}  // namespace

std::uint64_t id_of(const cpBody* body) noexcept { return space::uncounted_handle(body->userData); }
std::uint64_t id_of(const cpShape* shape) noexcept { return space::uncounted_handle(shape->userData); }
std::uint64_t id_of(const cpConstraint* constraint) noexcept { return space::uncounted_handle(constraint->userData); }

SpaceCore::SpaceCore() { static_body_ = enter(ObjectKind::body, cpSpaceGetStaticBody(space_.space())); }

void SpaceCore::require_rest(const char* function) {
  if (cpSpaceIsLocked(chipmunk()) == cpFalse) return;
  throw Error(std::string(function) +
              " was called in a callback; call it between steps, or in add_post_step_callback()");
}

ObjectTable& SpaceCore::writable() {
  if (objects_.use_count() > 1) objects_ = std::make_shared<ObjectTable>(*objects_);
  return *objects_;
}

const ObjectEntry& SpaceCore::entry(std::uint64_t id) const {
  check_usable("Space");
  const auto found = objects_->find(id);
  if (found != objects_->end()) return found->second;
  throw Error(
      "found an object that is not in this space's state: it was removed, or a restore went back to before it "
      "was added");
}

cpBody* SpaceCore::body(std::uint64_t id) const {
  const ObjectEntry& object = entry(id);
  if (object.kind != ObjectKind::body)
    throw Error(std::string("found a ") + name_of(object.kind) + ", expected a body");
  return static_cast<cpBody*>(object.pointer);
}
cpShape* SpaceCore::shape(std::uint64_t id) const {
  const ObjectEntry& object = entry(id);
  if (object.kind != ObjectKind::shape)
    throw Error(std::string("found a ") + name_of(object.kind) + ", expected a shape");
  return static_cast<cpShape*>(object.pointer);
}
cpConstraint* SpaceCore::constraint(std::uint64_t id) const {
  const ObjectEntry& object = entry(id);
  if (object.kind != ObjectKind::constraint) {
    throw Error(std::string("found a ") + name_of(object.kind) + ", expected a constraint");
  }
  return static_cast<cpConstraint*>(object.pointer);
}

std::vector<std::uint64_t> SpaceCore::ids(ObjectKind kind) const {
  check_made("Space");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const auto& [id, object] : *objects_) {
    if (object.kind == kind && id != static_body_) found.emplace_back(object.order, id);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::uint64_t> ids;
  for (const auto& [order, id] : found) ids.push_back(id);
  return ids;
}

std::uint64_t SpaceCore::enter(ObjectKind kind, void* object, std::uint64_t id) {
  const std::uint64_t order = ++last_id;
  if (id == 0 || id > order || objects_->contains(id)) id = order;
  const cpDataPointer data = space::uncounted(id);  // equal scenes have equal hashes
  writable()[id] = {kind, object, order};
  switch (kind) {
    case ObjectKind::body: static_cast<cpBody*>(object)->userData = data; break;
    case ObjectKind::shape: static_cast<cpShape*>(object)->userData = data; break;
    case ObjectKind::constraint: static_cast<cpConstraint*>(object)->userData = data; break;
  }
  return id;
}

void SpaceCore::forget(std::uint64_t id) { writable().erase(id); }

void SpaceCore::step(double dt, const py::object& dispatch) {
  space::Space& scene = get();
  if (!(std::isfinite(dt) && dt >= 0)) {
    throw Error("Space.step(dt): found " + std::to_string(dt) + ", expected a finite number of seconds, 0 or more");
  }
  require_rest("Space.step()");
  check_bodies(scene.space());
  Callbacks callbacks(dispatch);
  if (dispatch.is_none()) {
    const Use use(*this);
    const WithoutGil release;
    scene.step(dt);
  } else {
    scene.step(dt);
  }
  callbacks.rethrow();
}

std::unique_ptr<SpaceSnapshot> SpaceCore::save() {
  auto snapshot = std::make_unique<SpaceSnapshot>();
  get().save(snapshot->bytes);
  snapshot->objects = objects_;
  snapshot->root = space_.space();
  return snapshot;
}

bool SpaceCore::restore(SpaceSnapshot& snapshot) {
  snapshot.check_usable("SpaceSnapshot");
  if (!get().restore(snapshot.bytes)) {
    throw Error("Space.restore(): found an empty snapshot, or no room for it; expected one that save() gave");
  }
  auto objects = std::const_pointer_cast<ObjectTable>(snapshot.objects);
  const std::ptrdiff_t moved =
      reinterpret_cast<const std::byte*>(space_.space()) - reinterpret_cast<const std::byte*>(snapshot.root);
  if (moved != 0) {
    objects = std::make_shared<ObjectTable>(*objects);
    for (auto& [id, object] : *objects) object.pointer = static_cast<std::byte*>(object.pointer) + moved;
  }
  const bool others = objects != objects_;
  objects_ = std::move(objects);
  static_body_ = id_of(cpSpaceGetStaticBody(space_.space()));
  return others;
}

std::unique_ptr<SpaceCore> SpaceCore::fork() {
  auto twin = std::make_unique<SpaceCore>(get().fork());
  auto objects = std::make_shared<ObjectTable>(*objects_);
  for (auto& [id, object] : *objects) object.pointer = twin->space_.twin_of(space_, object.pointer);
  twin->objects_ = std::move(objects);
  twin->static_body_ = static_body_;
  return twin;
}

void add_space_core(py::module_& module, py::class_<SpaceCore>& type) {
  py::class_<SpaceSnapshot>(module, "SpaceSnapshot", "A Space's state: Space.save(). It stays in this process.")
      .def_property_readonly("size_bytes", [](SpaceSnapshot& self) {
        self.check_usable("SpaceSnapshot");
        return self.bytes.size_bytes();
      });
  type.def(py::init<>())
      .def_property_readonly("static_body", &SpaceCore::static_body)
      .def("contains", &SpaceCore::contains)
      .def("ids", [](SpaceCore& self, int kind) { return self.ids(static_cast<ObjectKind>(kind)); })
      .def("step", [](SpaceCore& self, py::handle dt,
                      const py::object& dispatch) { self.step(finite_number(dt, "Space.step(dt)"), dispatch); })
      .def("save", &SpaceCore::save)
      .def("restore", &SpaceCore::restore)
      .def("fork", &SpaceCore::fork)
      .def("hash", [](SpaceCore& self) { return self.get().hash(); })
      .def("live_bytes", [](SpaceCore& self) { return self.get().live_bytes(); })
      .def("is_locked", [](SpaceCore& self) { return cpSpaceIsLocked(self.chipmunk()) != cpFalse; })
      .def("first_difference",
           [](SpaceCore& self, SpaceCore& other) { return space::first_difference(self.get(), other.get()); });
}

void add_space(py::module_& module) {
  py::class_<SpaceCore> type(module, "SpaceCore", "What forkmunk.Space is made of.");
  add_space_core(module, type);
  add_space_fields(module, type);
  add_space_callbacks(module, type);
  add_space_queries(module, type);
}

}  // namespace forkmunk::python

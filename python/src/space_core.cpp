#include "space_core.h"

#include "gil.h"
#include "module.h"

#include <cmath>
#include <sstream>

#include <chipmunk/chipmunk_structs.h>

namespace forkmunk::python {
namespace {

// What has left the finite numbers must not be stepped: Chipmunk's tree would not find its way.
void check_bodies(const cpSpace* space) {
  for (int i = 0; i < space->dynamicBodies->num; ++i) {
    const auto* body = static_cast<const cpBody*>(space->dynamicBodies->arr[i]);
    if (!(body->m > 0 && body->i > 0)) {
      throw Error("Space.step(): found a dynamic body with mass " + std::to_string(body->m) + " and moment " +
                  std::to_string(body->i) + ", expected both above 0: give it a mass, or shapes with mass or density");
    }
    const double sum = body->p.x + body->p.y + body->v.x + body->v.y + body->a + body->w;
    if (!std::isfinite(sum) || std::abs(body->p.x) + std::abs(body->p.y) > 1e150) {
      throw Error("Space.step(): found a body that has left the finite numbers; restore() an earlier state");
    }
  }
}

[[noreturn]] void throw_damaged_space() { throw Error("Space: its pickle is damaged"); }

}  // namespace

SpaceCore::SpaceCore() { static_body_ = enter(Kind::body, cpSpaceGetStaticBody(space_.space()), new_id()); }

void SpaceCore::require_rest(const char* function) {
  if (cpSpaceIsLocked(chipmunk()) == cpFalse) return;
  throw Error(std::string(function) +
              " was called in a callback; call it between steps, or in add_post_step_callback()");
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
  return *objects_;
}

const ObjectEntry& SpaceCore::entry(std::uint64_t id) const {
  check_usable("Space");
  const auto found = objects_->entries.find(id);
  if (found != objects_->entries.end()) return found->second;
  throw Error(
      "found an object that is not in this space's state: it was removed, or a restore went back to before it "
      "was added");
}

std::vector<std::uint64_t> SpaceCore::ids(int group) const {
  check_made("Space");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const auto& [id, object] : objects_->entries) {
    const int its_group = object.kind == Kind::body ? 0 : is_shape(object.kind) ? 1 : 2;
    if (its_group != group || id == static_body_) continue;
    if (group == 0 && cpBodyGetSpace(static_cast<const cpBody*>(object.pointer)) == nullptr) continue;
    found.emplace_back(object.order, id);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::uint64_t> ids;
  for (const auto& [order, id] : found) ids.push_back(id);
  return ids;
}

void SpaceCore::check_can_step() {
  check_bodies(chipmunk());
  if (objects_->guests == 0 || !(cpSpaceGetSleepTimeThreshold(chipmunk()) < INFINITY)) return;
  for (const auto& [id, object] : objects_->entries) {  // Chipmunk would put it to sleep, and abort
    if (object.kind != Kind::body) continue;
    auto* body = static_cast<cpBody*>(object.pointer);
    if (body->space == nullptr && cpBodyGetType(body) == CP_BODY_TYPE_DYNAMIC) {
      throw Error(
          "Space.step(): found a body that is not in the space, but its joint or shape is, where bodies may sleep; add "
          "the body, or set sleep_time_threshold to infinity");
    }
  }
}

void SpaceCore::step(double dt, const py::object& space) {
  space::Space& scene = get();
  if (!(std::isfinite(dt) && (dt >= 0 || scene.defects() == space::Defects::pymunk))) {
    throw Error("Space.step(dt): found " + std::to_string(dt) + ", expected a finite number of seconds, 0 or more");
  }
  require_rest("Space.step()");
  check_can_step();
  Callbacks callbacks(*this, space);
  if (space.is_none()) {
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
  snapshot->handlers = handlers_;
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
    for (auto& [id, object] : objects->entries) object.pointer = static_cast<std::byte*>(object.pointer) + moved;
  }
  const bool others = objects != objects_;
  objects_ = std::move(objects);
  handlers_ = snapshot.handlers;
  static_body_ = id_of(cpSpaceGetStaticBody(space_.space()));
  return others;
}

std::unique_ptr<SpaceCore> SpaceCore::fork() {
  auto twin = std::make_unique<SpaceCore>(get().fork());
  auto objects = std::make_shared<ObjectTable>(*objects_);
  for (auto& [id, object] : objects->entries) object.pointer = twin->space_.twin_of(space_, object.pointer);
  twin->objects_ = std::move(objects);
  twin->handlers_ = handlers_;
  twin->static_body_ = static_body_;
  return twin;
}

py::tuple SpaceCore::write() {
  std::ostringstream out;
  space::Snapshot snapshot = get().save();
  snapshot.write(out);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
  for (const auto& [id, object] : objects_->entries) order.emplace_back(object.order, id);
  std::sort(order.begin(), order.end());
  py::list ids, handlers;
  for (const auto& [when, id] : order) ids.append(id);
  for (const Handler& h : *handlers_) {
    handlers.append(py::make_tuple(h.id, static_cast<int>(h.kind), h.a, h.b, static_cast<int>(h.events)));
  }
  return py::make_tuple(py::bytes(out.str()), ids, handlers);
}

std::unique_ptr<SpaceCore> SpaceCore::read(const py::tuple& state) {
  try {
    auto core = std::make_unique<SpaceCore>();
    std::istringstream in{std::string(py::bytes(state[0]))};
    if (!core->space_.restore(space::Snapshot::read(in)) || core->space_.space() == nullptr) throw_damaged_space();
    core->enter_read(state[1].cast<std::vector<std::uint64_t>>());
    Handlers handlers;
    for (const py::handle part : state[2]) {
      const auto [id, kind, a, b, events] =
          part.cast<std::tuple<std::uint64_t, int, std::uintptr_t, std::uintptr_t, int>>();
      if (kind < 0 || kind > static_cast<int>(HandlerKind::new_pair) || events < 0 || events > 15)
        throw_damaged_space();
      reserve_ids(id);
      handlers.push_back({id, static_cast<HandlerKind>(kind), a, b, static_cast<std::uint8_t>(events)});
    }
    core->handlers_ = std::make_shared<const Handlers>(std::move(handlers));
    return core;
  } catch (const py::cast_error&) {
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_IndexError) && !error.matches(PyExc_TypeError)) throw;
  }
  throw_damaged_space();
}

// The objects carry their ids.
void SpaceCore::enter_read(const std::vector<std::uint64_t>& ids) {
  auto table = std::make_shared<ObjectTable>();
  const auto found = [&table](std::uint64_t id, Kind kind, void* object) {
    table->entries.emplace(id, ObjectEntry{kind, object, 0});
  };
  const auto found_body = [&](cpBody* body) {
    if (!table->entries.contains(id_of(body)) && body->space == nullptr) ++table->guests;
    found(id_of(body), Kind::body, body);
  };
  cpSpace* space = space_.space();
  std::vector<cpBody*> bodies;
  std::vector<cpShape*> shapes;
  std::vector<cpConstraint*> joints;
  cpSpaceEachBody(
      space, [](cpBody* body, void* list) { static_cast<std::vector<cpBody*>*>(list)->push_back(body); }, &bodies);
  cpSpaceEachShape(
      space, [](cpShape* shape, void* list) { static_cast<std::vector<cpShape*>*>(list)->push_back(shape); }, &shapes);
  cpSpaceEachConstraint(
      space, [](cpConstraint* joint, void* list) { static_cast<std::vector<cpConstraint*>*>(list)->push_back(joint); },
      &joints);
  found_body(cpSpaceGetStaticBody(space));
  for (cpBody* body : bodies) found_body(body);
  for (cpShape* shape : shapes) found(id_of(shape), kind_of(shape), shape), found_body(shape->body);
  for (cpConstraint* joint : joints) {
    found(id_of(joint), kind_of(joint), joint);
    found_body(joint->a), found_body(joint->b);
  }
  if (ids.size() != table->entries.size()) throw_damaged_space();
  for (const std::uint64_t id : ids) {
    const auto entry = table->entries.find(id);
    if (entry == table->entries.end() || entry->second.order != 0) throw_damaged_space();
    entry->second.order = new_id();
    reserve_ids(id);
  }
  objects_ = std::move(table);
  static_body_ = id_of(cpSpaceGetStaticBody(space));
}

cpSpace* chipmunk_space(py::handle space_core) { return space_core.cast<SpaceCore&>().chipmunk(); }

void add_space_core(py::class_<SpaceCore>& type, py::module_& module) {
  py::class_<SpaceSnapshot>(module, "SpaceSnapshot", "A Space's state: Space.save(). It stays in this process.")
      .def_property_readonly("size_bytes", [](SpaceSnapshot& self) {
        self.check_usable("SpaceSnapshot");
        return self.bytes.size_bytes();
      });
  module.def("reserve_ids", &reserve_ids);
  type.def(py::init<>())
      .def_property(
          "defects",
          [](SpaceCore& self) {
            const auto defects = self.get().defects();
            return defects == space::Defects::stock ? "stock" : defects == space::Defects::pymunk ? "pymunk" : "none";
          },
          [](SpaceCore& self, const std::string& name) {
            if (name != "none" && name != "pymunk" && name != "stock") {
              throw Error("Space(defects=...): found '" + name + "', expected 'none', 'pymunk' or 'stock'");
            }
            self.get().set_defects(name == "stock"    ? space::Defects::stock
                                   : name == "pymunk" ? space::Defects::pymunk
                                                      : space::Defects::none);
          })
      .def("belong",
           [](const py::object& self, const py::weakref& owner) { self.cast<SpaceCore&>().belong(self, owner); })
      .def_property_readonly("owner", &SpaceCore::owner)
      .def_property_readonly("static_body", &SpaceCore::static_body)
      .def("contains", &SpaceCore::contains)
      .def("ids", &SpaceCore::ids)
      .def("add", &SpaceCore::add)
      .def("remove", &SpaceCore::remove)
      .def("bind", &SpaceCore::bind)
      .def("step", [](SpaceCore& self, py::handle dt,
                      const py::object& space) { self.step(finite_number(dt, "Space.step(dt)"), space); })
      .def("save", &SpaceCore::save)
      .def("restore", &SpaceCore::restore)
      .def("has_objects_of", &SpaceCore::has_objects_of)
      .def("fork", &SpaceCore::fork)
      .def("write", &SpaceCore::write)
      .def_static("read", &SpaceCore::read)
      .def("handler", &SpaceCore::handler)
      .def("handler_id", &SpaceCore::handler_id)
      .def("listen", &SpaceCore::listen)
      .def("hash", [](SpaceCore& self) { return self.get().hash(); })
      .def("live_bytes", [](SpaceCore& self) { return self.get().live_bytes(); })
      .def("is_locked", [](SpaceCore& self) { return cpSpaceIsLocked(self.chipmunk()) != cpFalse; })
      .def("first_difference",
           [](SpaceCore& self, SpaceCore& other) { return space::first_difference(self.get(), other.get()); });
}

void add_space(py::module_& module) {
  name_functions();
  add_object(module);
  py::class_<SpaceCore> type(module, "SpaceCore", "What forkmunk.Space is made of.");
  add_space_core(type, module);
  add_space_access(module, type);
  add_bodies(module);
  add_shapes(module);
  add_arbiter(module);
  add_space_queries(module, type);
}

}  // namespace forkmunk::python

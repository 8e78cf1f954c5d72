#pragma once

#include "arguments.h"
#include "guarded.h"

#include <forkmunk/space/space.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <unordered_map>

/// forkmunk.Space's inside: a space::Space whose objects Python names by ids. Ids are never used twice in a process, so
/// an object that is gone after a restore is not mistaken for another. Chipmunk aborts on what it does not like:
/// everything is checked here before it gets there.
namespace forkmunk::python {

enum class ObjectKind : std::uint8_t { body, shape, constraint };

/// Which object of Chipmunk's an id means.
struct ObjectEntry {
  ObjectKind kind;
  void* pointer;
  std::uint64_t order;  // in which it was added
};
using ObjectTable = std::unordered_map<std::uint64_t, ObjectEntry>;

/// A state of a space, and which ids it has.
class SpaceSnapshot : public Guarded {
 public:
  space::Snapshot bytes;
  std::shared_ptr<const ObjectTable> objects;
  const cpSpace* root = nullptr;  // where the space's root lay: the ids' pointers are relative to it
};

class SpaceCore : public Guarded {
 public:
  SpaceCore();
  explicit SpaceCore(space::Space space) : space_(std::move(space)) {}

  /// \throws Error if the space cannot be used now.
  [[nodiscard]] space::Space& get() {
    check_usable("Space");
    return space_;
  }
  [[nodiscard]] cpSpace* chipmunk() { return get().space(); }
  /// \throws Error in a callback, where nothing may be added or removed.
  void require_rest(const char* function);

  [[nodiscard]] std::uint64_t static_body() const {
    check_made("Space");
    return static_body_;
  }
  [[nodiscard]] bool contains(std::uint64_t id) const {
    check_made("Space");
    return objects_->contains(id);
  }
  /// \throws Error if there is no such object in this state, or the space cannot be used now.
  [[nodiscard]] const ObjectEntry& entry(std::uint64_t id) const;
  [[nodiscard]] cpBody* body(std::uint64_t id) const;
  [[nodiscard]] cpShape* shape(std::uint64_t id) const;
  [[nodiscard]] cpConstraint* constraint(std::uint64_t id) const;
  [[nodiscard]] std::vector<std::uint64_t> ids(ObjectKind kind) const;

  /// Gives the object an id. Chipmunk's object carries it, too: id_of(). \param id  that it had before it was removed;
  /// 0, or one that is in use: it gets a new one.
  std::uint64_t enter(ObjectKind kind, void* object, std::uint64_t id = 0);
  void forget(std::uint64_t id);

  /// `dispatch(handler, event, arbiter)` is called for the callbacks that Python set; none: no GIL is needed.
  void step(double dt, const py::object& dispatch);
  [[nodiscard]] std::unique_ptr<SpaceSnapshot> save();
  /// \return whether there are other objects than before.
  bool restore(SpaceSnapshot& snapshot);
  [[nodiscard]] std::unique_ptr<SpaceCore> fork();

  // The parts, one file each: adding and removing; callbacks; queries.
  std::uint64_t add_body(int type, double mass, double moment, std::uint64_t id);
  std::uint64_t add_shape(std::uint64_t body, const py::dict& shape, std::uint64_t id);
  std::uint64_t add_constraint(std::uint64_t a, std::uint64_t b, const py::dict& constraint, std::uint64_t id);
  void remove(std::uint64_t id, const py::object& dispatch);
  std::uintptr_t handler(int kind, std::uintptr_t a, std::uintptr_t b, std::uintptr_t id);
  void listen(int kind, std::uintptr_t a, std::uintptr_t b, const std::string& event, bool on);

 private:
  [[nodiscard]] ObjectTable& writable();

  space::Space space_;
  std::shared_ptr<ObjectTable> objects_ = std::make_shared<ObjectTable>();  // shared with snapshots until it changes
  std::uint64_t static_body_ = 0;
};

/// What carries which id.
[[nodiscard]] std::uint64_t id_of(const cpBody* body) noexcept;
[[nodiscard]] std::uint64_t id_of(const cpShape* shape) noexcept;
[[nodiscard]] std::uint64_t id_of(const cpConstraint* constraint) noexcept;

/// A number from Python. \throws Error for NaN and infinities, TypeError for what is no number.
[[nodiscard]] double finite_number(py::handle object, const std::string& what);
/// A pair of them.
[[nodiscard]] cpVect vector_of(py::handle object, const std::string& what);
[[nodiscard]] std::vector<cpVect> vectors_of(py::handle object, const std::string& what);
[[nodiscard]] py::object tuple_of(cpVect v);
/// (group, categories, mask)
[[nodiscard]] cpShapeFilter filter_of(py::handle object, const std::string& what);

/// A shape of a dict {"kind", …} on `body`, not in any space. \throws Error.
[[nodiscard]] cpShape* make_shape(cpBody* body, const py::dict& shape);

/// While a function that may call back is running: where callbacks go, and what the first one raised.
class Callbacks {
 public:
  explicit Callbacks(const py::object& dispatch);
  Callbacks(const Callbacks&) = delete;
  Callbacks& operator=(const Callbacks&) = delete;
  ~Callbacks();
  /// Throws what a callback raised.
  void rethrow();

  /// Whether a callback is running in which Chipmunk must not wake a body: it then loops forever.
  [[nodiscard]] static bool must_not_wake() noexcept;

  const py::object& dispatch;
  std::exception_ptr error;
  bool in_collision = false;  // begin or pre_solve

 private:
  Callbacks* outer_;
};

void add_space_core(py::module_& module, py::class_<SpaceCore>& type);
void add_space_fields(py::module_& module, py::class_<SpaceCore>& type);
void add_space_callbacks(py::module_& module, py::class_<SpaceCore>& type);
void add_space_queries(py::module_& module, py::class_<SpaceCore>& type);

}  // namespace forkmunk::python

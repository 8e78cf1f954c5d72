// SPDX-License-Identifier: MIT
#pragma once

#include "arguments.h"
#include "conversions.h"
#include "guarded.h"
#include "object.h"

#include <forkmunk/space/space.h>

#include <compare>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include <chipmunk/chipmunk_structs.h>

/// The inside of forkmunk.Space: a space::Space whose objects have ids. Every value is checked, because Chipmunk aborts
/// on wrong ones.
namespace forkmunk::python {

struct ObjectEntry {
  Kind kind;
  std::ptrdiff_t offset;  // from the space
  std::uint64_t order;    // of adding
};
struct ObjectTable {
  using Entries = std::unordered_map<std::uint64_t, ObjectEntry>;
  std::shared_ptr<Entries> entries = std::make_shared<Entries>();  // by id; shared with forks until they change
  int guests = 0;                // bodies in the space's memory that are not added, but whose joint or shape is
  bool has_idle_joints = false;  // false: no joint is of two bodies that nothing moves
};

enum class Event : std::uint8_t { begin, pre_solve, post_solve, separate };
enum class HandlerKind : std::uint8_t { all, one, pair, new_all, new_one, new_pair };  // new: of on_collision()

struct HandlerKey {
  HandlerKind kind;
  cpCollisionType a, b;
  friend auto operator<=>(const HandlerKey&, const HandlerKey&) = default;
};
[[nodiscard]] inline py::tuple tuple_of(const HandlerKey& key) {
  return py::make_tuple(static_cast<int>(key.kind), key.a, key.b);
}
/// The handlers of collisions, with a bit for each event that has a function in Python.
struct Handlers {
  std::map<HandlerKey, std::uint8_t> by_key;
  std::uint8_t events = 0;  // the events of all handlers, or more

  void set(const HandlerKey& key, std::uint8_t its_events) {
    by_key[key] = its_events;
    events |= its_events;
  }
};

struct Contents {
  std::shared_ptr<const ObjectTable> objects;
  std::shared_ptr<const Handlers> handlers;
};

class SpaceSnapshot : public Guarded, public Contents {
 public:
  space::Snapshot bytes;

  [[nodiscard]] py::tuple write();
};

class SpaceCore : public Guarded {
 public:
  SpaceCore();
  explicit SpaceCore(space::Space space) : space_(std::move(space)), base_(base_of(space_)) {}

  /// \throws Error if the space cannot be used now.
  [[nodiscard]] space::Space& get() {
    check_usable("Space");
    return space_;
  }
  [[nodiscard]] cpSpace* chipmunk() { return get().space(); }
  /// \throws Error in a callback.
  void require_rest(const char* function);
  /// Sets the Space around this core. `self` is this object.
  void belong(py::handle self, const py::weakref& owner);
  /// Returns the Space, or None if it is gone.
  [[nodiscard]] py::object owner() const;

  [[nodiscard]] std::uint64_t static_body() const {
    check_made("Space");
    return static_body_;
  }
  [[nodiscard]] bool contains(std::uint64_t id) const {
    check_made("Space");
    return objects_->entries->contains(id);
  }
  /// \throws Error if the state has no such object, or the space cannot be used now. \param what  its class.
  [[nodiscard]] const ObjectEntry& entry(std::uint64_t id, const char* what = "object") const;
  [[nodiscard]] void* object(const ObjectEntry& entry) const noexcept { return base_ + entry.offset; }
  /// Returns the space's bodies (0), shapes (1) or joints (2), or all objects in its memory (3), in order of adding.
  [[nodiscard]] std::vector<std::uint64_t> ids(int group) const;

  /// Adds objects, bodies first, also to `space`'s dicts, without signals' handlers. \throws Error and adds nothing,
  /// for example if an object is in a space already.
  void add(const py::object& space, const py::tuple& objects);
  /// Moves objects in their order into memory of their own, with deferred calls after each. A body with shapes or
  /// joints in the space stays in its memory. \param calls whether functions of `space` are called. \return what they
  /// raised.
  [[nodiscard]] py::list remove(const py::object& space, const py::tuple& objects, bool calls);
  /// Binds a Python object to an id, after restore() and for copies. The id's former object is gone.
  void bind(py::handle object, std::uint64_t id);
  /// Returns an id's Python object, or None.
  [[nodiscard]] py::object object_at(std::uint64_t id) const;
  void forget(const Object& object) noexcept;

  /// Lets the space call functions on this thread while the returned value lives.
  [[nodiscard]] ScopedValue<unsigned long> begin_call() noexcept {
    return {calling_thread_, PyThread_get_thread_ident()};
  }
  /// Returns whether the space is calling a function. \throws Error if it runs on another thread.
  [[nodiscard]] bool in_call() const;
  /// \throws Error in a call.
  void require_no_call(const char* function) const;

  /// Calls Python functions of `space`; None means no functions and needs no GIL. \param checked  whether to restore
  /// the state if a number became non-finite: forkmunk.Error then has the `object`.
  void step(py::handle seconds, const py::object& space, bool checked);
  [[nodiscard]] std::unique_ptr<SpaceSnapshot> save();
  /// \return None if all objects stay; an empty tuple if either state has guests; otherwise the ids that went, that
  /// came, and of their bodies. \param is_own  a snapshot of this space.
  py::object restore(SpaceSnapshot& snapshot, bool is_own);
  /// Returns whether nothing was added or removed since save() or restore() of that state.
  [[nodiscard]] bool has_objects_of(const SpaceSnapshot& snapshot) const { return objects_ == snapshot.objects; }
  [[nodiscard]] std::unique_ptr<SpaceCore> fork();
  void compact();
  /// Notes a joint that must have no effect while nothing moves its bodies: Chipmunk would divide by zero.
  void note_joint(const cpConstraint* joint);
  /// Returns a pickle's state: bytes, ids in order of adding, handlers as (kind, a, b, events).
  [[nodiscard]] py::tuple write();
  /// Shares the table of `known` if objects, bodies and addresses are equal.
  [[nodiscard]] static std::unique_ptr<SpaceCore> read(const py::tuple& state, const SpaceCore* known);
  /// Writes for every language. `data` has user data by id; 0 is the space's.
  [[nodiscard]] py::bytes to_bytes(const py::dict& data);
  /// Returns the core, and `data`. Objects and handlers get the ids that `known`, or else `first`, has for their kind
  /// and number of creation.
  [[nodiscard]] static py::tuple from_bytes(const py::bytes& data, const SpaceCore* known, const SpaceCore* first);

  [[nodiscard]] std::shared_ptr<const Handlers> handlers() const noexcept { return handlers_; }
  /// Returns the parts of the state that save() does not copy, also during a step.
  [[nodiscard]] Contents contents() const { return {objects_, handlers_}; }
  /// The types of a pair may be known in the other order.
  [[nodiscard]] HandlerKey handler_key(int kind, py::handle a, py::handle b) const;
  /// Makes a handler unless it exists. \return its key.
  HandlerKey handler(int kind, py::handle a, py::handle b);
  /// Notes whether a handler has a function for an event. \return the handler's key.
  HandlerKey listen(int kind, py::handle a, py::handle b, int event, bool on);

 private:
  [[nodiscard]] static std::byte* base_of(const space::Space& space) {
    return reinterpret_cast<std::byte*>(space.space());
  }
  [[nodiscard]] ObjectTable& writable();
  [[nodiscard]] Handlers& writable_handlers();
  void hold(Object& object, std::uint64_t id);
  void adopt(Object& object);
  void evict(Object& object);
  void evict_if_unused(Object* body);
  void add_one(py::handle object);
  void remove_one(py::handle object, const py::object& space);
  std::uint64_t enter(Kind kind, void* object, std::uint64_t id);
  void enter_read(const std::vector<std::uint64_t>& ids);
  [[nodiscard]] bool is_alike(const SpaceCore& other) const;
  void check_can_step();
  class WithoutIdleJoints;

  friend class Callbacks;

  space::Space space_;
  std::byte* base_;                                                         // the space, to which offsets are relative
  std::shared_ptr<ObjectTable> objects_ = std::make_shared<ObjectTable>();  // shared with snapshots until it changes
  std::shared_ptr<Handlers> handlers_ = std::make_shared<Handlers>();       // shared, too
  std::unordered_map<std::uint64_t, Object*> held_;                         // by id, also what a restore removed
  std::uint64_t static_body_ = 0;
  bool has_replaced_ = false;  // another space's table may have had other Python objects here
  PyObject* self_ = nullptr;
  py::object owner_;
  unsigned long calling_thread_ = 0;  // in step(), remove() or each_arbiter(); 0: none
};

/// \throws AttributeError or cast_error for other objects than a Space.
[[nodiscard]] SpaceCore& core_of(py::handle space);
/// Returns Python's object of an id. \param core  the space's.
[[nodiscard]] py::object thing_of(py::handle space, const SpaceCore& core, std::uint64_t id);
[[nodiscard]] bool is_version_7();
/// Return an object of forkmunk.geometry.
[[nodiscard]] py::object info_of(const py::object& shape, const cpPointQueryInfo& info);
[[nodiscard]] py::object info_of(const py::object& shape, const cpSegmentQueryInfo& info);
[[nodiscard]] py::object points_of(const cpContactPointSet& set);

template <typename Chipmunk>
[[nodiscard]] std::uint64_t id_of(const Chipmunk* object) noexcept {
  return space::uncounted_handle(object->userData);
}
void set_id(void* object, Kind kind, std::uint64_t id) noexcept;
/// Keeps new_id() from returning ids that were read. \throws Error for one that leaves no room for new ones.
void reserve_ids(std::uint64_t up_to);

/// A running call that may call back: the Space with the functions, and the first exception.
class Callbacks {
 public:
  Callbacks(SpaceCore& core, const py::object& space);
  Callbacks(const Callbacks&) = delete;
  Callbacks& operator=(const Callbacks&) = delete;
  ~Callbacks();
  void rethrow();

  SpaceCore& core;
  const py::object& space;
  std::exception_ptr error;

 private:
  Callbacks* outer_;
};
/// The data of an arbiter whose process_collision is False: no contact until the shapes part.
inline const cpDataPointer kRejected = reinterpret_cast<cpDataPointer>(std::uintptr_t{1});
/// Call it after the collision type of a shape in the space changed.
void keep_rejected_contacts(cpSpace* space, const cpShape* shape);
/// \throws Error after the call that received the Arbiter. \throws TypeError for other objects.
[[nodiscard]] cpArbiter* arbiter_in(PyObject* arbiter);
/// Returns an Arbiter's value, also after its call.
[[nodiscard]] py::object arbiter_value(PyObject* arbiter, const Field& field);

void name_functions();

void add_object_functions(py::module_& module);
void add_arbiter(py::module_& module);
void add_space_queries(py::module_& module);

}  // namespace forkmunk::python

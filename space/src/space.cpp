// SPDX-License-Identifier: MIT
#include "code_names.h"
#include "space_arena.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>
#include <forkmunk/base/per_thread.h>
#include <forkmunk/base/simd_target.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/defects.h>
#include <forkmunk/chipmunk/step_together.h>
#include <forkmunk/space/space.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <new>
#include <optional>

namespace forkmunk::FORKMUNK_SPACE {
namespace {

using arena_alloc::Arena;
using chipmunk::ArenaRoot;
using chipmunk::StepTogether;

static_assert(Space::kCapacityBytesMax == arena_alloc::kCapacityBytesMax);

int kind_at(const std::byte* payload) noexcept { return arena_alloc::Chunk::of(payload).kind(); }

// Returns the allocation of `object`, or null. The header of a typed object has a second word of 0; in a chunk header
// this word has the bit for chunks in use.
std::byte* payload_of(const Arena& arena, void* object) {
  auto* bytes = static_cast<std::byte*>(object);
  if (arena.has_payload_at(bytes)) return kind_at(bytes) == FORKMUNK_KIND_TYPED ? nullptr : bytes;
  std::byte* before = bytes - sizeof(chipmunk::TypedHeader);
  return arena.has_payload_at(before) && kind_at(before) == FORKMUNK_KIND_TYPED ? before : nullptr;
}

bool is_loose(const std::byte* payload) noexcept {
  const int kind = kind_at(payload);
  if (kind == FORKMUNK_KIND_CONSERVATIVE || kind == FORKMUNK_KIND_PLAIN || kind == FORKMUNK_KIND_TYPED) return true;
  if (kind == FORKMUNK_KIND_BODY) {
    const auto& body = *reinterpret_cast<const cpBody*>(payload);
    return body.space == nullptr && body.shapeList == nullptr && body.constraintList == nullptr;
  }
  if (kind >= FORKMUNK_KIND_CIRCLE && kind <= FORKMUNK_KIND_POLY) {
    return reinterpret_cast<const cpShape*>(payload)->space == nullptr;
  }
  return kind >= FORKMUNK_KIND_PIN_JOINT && kind <= FORKMUNK_KIND_SIMPLE_MOTOR &&
         reinterpret_cast<const cpConstraint*>(payload)->space == nullptr;
}

// Chipmunk puts idle bodies to sleep, and aborts for kinematic ones.
void require_sleep_of_dynamic_bodies(const cpSpace& space) {
  if (space.sleepTimeThreshold > 0 || (forkmunk_defects(&space) & FORKMUNK_DEFECT_BROKEN_LISTS) == 0) return;
  for (int i = 0; i < space.dynamicBodies->num; ++i) {
    if (cpBodyGetType(static_cast<cpBody*>(space.dynamicBodies->arr[i])) != CP_BODY_TYPE_KINEMATIC) continue;
    throw Error(
        "Space::step(): the space has kinematic bodies, which cannot sleep; set a sleep time threshold above 0");
  }
}

// Chipmunk's tree fails with non-finite numbers.
void require_time_step(double dt, const cpSpace& space) {
  const bool may_be_negative = (forkmunk_defects(&space) & FORKMUNK_DEFECT_PYMUNK_ROUNDING) != 0;
  if (std::isfinite(static_cast<cpFloat>(dt)) && (dt >= 0 || may_be_negative)) return;
  throw Error("Space::step(dt): found ", chipmunk::number_text(dt, 6),
              ", expected a finite number of seconds, 0 or more");
}

std::optional<NonFiniteError> find_non_finite(const cpSpace& space, std::uint32_t newest) {
  const auto number = [newest](auto NonFiniteError::*member, auto* object, const char* kind, int i, const char* field) {
    NonFiniteError found(concat("Space::step_checked(): ", kind, " ", i, ": its ", field,
                                " is not finite; the state of before the step is restored"),
                         field);
    if (Recording::id_of(object) <= newest) found.*member = object;
    return found;
  };
  for (int i = 0; i < space.dynamicBodies->num; ++i) {
    const auto& body = *static_cast<const cpBody*>(space.dynamicBodies->arr[i]);
    const char* field = nullptr;
    if (!std::isfinite(body.p.x) || !std::isfinite(body.p.y))
      field = "position";
    else if (!std::isfinite(body.v.x) || !std::isfinite(body.v.y))
      field = "velocity";
    else if (!std::isfinite(body.a))
      field = "angle";
    else if (!std::isfinite(body.w))
      field = "angular velocity";
    if (field != nullptr) return number(&NonFiniteError::body, &body, "body", i, field);
  }
  for (int i = 0; i < space.constraints->num; ++i) {
    auto* const joint = static_cast<cpConstraint*>(space.constraints->arr[i]);
    if (!std::isfinite(joint->klass->getImpulse(joint)))
      return number(&NonFiniteError::joint, joint, "joint", i, "impulse");
  }
  for (int i = 0; i < space.arbiters->num; ++i) {
    const auto& arbiter = *static_cast<const cpArbiter*>(space.arbiters->arr[i]);
    for (int k = 0; k < arbiter.count; ++k) {
      const cpContact& contact = arbiter.contacts[k];
      if (!std::isfinite(contact.jnAcc) || !std::isfinite(contact.jtAcc))
        return number(&NonFiniteError::shape, arbiter.a, "contact", i, "impulse");
    }
  }
  return std::nullopt;
}

class NoAddresses final : public std::bad_alloc {
 public:
  [[nodiscard]] const char* what() const noexcept override {
    return "no memory or addresses for another Space; a process has room for 32,766 at once, fewer under ulimit -v";
  }
};

}  // namespace

struct Space::Implementation {
  [[nodiscard]] static std::unique_ptr<Implementation> make(std::size_t capacity_bytes,
                                                            std::size_t capacity_bytes_max) {
    try {
      return std::make_unique<Implementation>(capacity_bytes, capacity_bytes_max);
    } catch (const std::bad_alloc&) {
      throw NoAddresses();
    }
  }

  Arena arena;
  Snapshot before_step;            // of step_checked()
  std::size_t capacity_bytes_min;  // as requested; forks have the same

  Implementation(std::size_t capacity_bytes, std::size_t capacity_bytes_max)
      : arena(capacity_bytes, capacity_bytes_max, arena_alloc::Overflow::emergency, arena_alloc::Reuse::split,
              arena_alloc::Distance::spread),
        capacity_bytes_min(capacity_bytes) {}

  ~Implementation() {
    FORKMUNK_CHECK(!arena.is_in_call(), "a Space was destroyed in one of its own callbacks");
    FORKMUNK_CHECK(!arena.is_entered(), "a Space was destroyed in a scope of its enter(); end the scope first");
    if (arena.attachment() != nullptr) static_cast<StepObserver*>(arena.attachment())->detach();
  }

  [[nodiscard]] ArenaRoot& root() const noexcept {
    return *reinterpret_cast<ArenaRoot*>(arena.base() + arena_alloc::kFirstChunkOffset +
                                         arena_alloc::kChunkHeaderBytes);
  }

  void require_rest(const char* function) const {
    if (arena.is_in_call()) {
      throw Error("Space::", function, "() was called in a callback; call it between steps");
    }
  }
  // An exception left the space locked without a call.
  void require_whole(const char* function) const {
    if (!arena.is_in_call() && chipmunk::is_locked(root())) {
      throw Error("Space::", function,
                  "(): an exception left a callback and a step or query half done; restore() a snapshot");
    }
  }
  void require_room(const char* function) const {
    if (!arena.is_overflowed()) return;
    throw Error("Space::", function, "(): the space has outgrown its memory of ", arena.capacity_bytes(),
                " bytes; restore() a snapshot, or make it with more room");
  }
  [[nodiscard]] cpSpace& require_steppable(double dt) const {
    require_whole("step");
    require_rest("step");
    require_room("step");
    cpSpace* const main = root().main_space;
    if (main == nullptr)
      throw Error("Space::step(): its space() was freed; step the others by cpSpaceStep(), or restore()");
    require_time_step(dt, *main);
    require_sleep_of_dynamic_bodies(*main);
    return *main;
  }
  void check_stepped() const {
#if FORKMUNK_CHECK_LEVEL >= 2
    const auto corruption = arena.find_corruption();
    FORKMUNK_CHECK(!corruption, "after a step: %s", corruption->c_str());
#endif
    require_room("step");
  }
  void require_state(const char* function) const {
    require_whole(function);
    require_rest(function);
    require_room(function);
#if FORKMUNK_CHECK_LEVEL >= 2
    for (const OutsidePointer& pointer : chipmunk::outside_pointers(arena, code_names())) {
      if (!pointer.is_user_data) {
        throw Error("Space::", function, "(): ", pointer.location,
                    " leads out of the space's memory; make bodies, shapes and joints in the scope of enter()");
      }
    }
#endif
  }
};

Space::Space(std::size_t capacity_bytes, std::size_t capacity_bytes_max) {
  if (std::max(capacity_bytes, capacity_bytes_max) > arena_alloc::kCapacityBytesMax) {
    throw Error("a Space's capacity: found ", std::max(capacity_bytes, capacity_bytes_max), " bytes, expected at most ",
                arena_alloc::kCapacityBytesMax);
  }
  static_cast<void>(simd_target());  // throws here, not in a step
  implementation_ = Implementation::make(capacity_bytes, capacity_bytes_max);
  const auto scope = implementation_->arena.enter();
  ArenaRoot& root = chipmunk::make_root(implementation_->arena);
  new (&root.resource) ArenaResource;
  root.main_space = cpSpaceNew();
}

Space::Space(std::unique_ptr<Implementation> implementation) noexcept : implementation_(std::move(implementation)) {}
Space::~Space() = default;
Space::Space(Space&&) noexcept = default;
Space& Space::operator=(Space&&) noexcept = default;

Space::Implementation& Space::implementation(const char* function) const {
  if (implementation_ == nullptr) throw Error("Space::", function, "(): the Space was moved from");
  return *implementation_;
}

Scope Space::enter() { return implementation("enter").arena.enter(); }
cpSpace* Space::space() const { return implementation("space").root().main_space; }
std::vector<cpSpace*> Space::spaces() const { return chipmunk::spaces_of(implementation("spaces").arena); }

void Space::set_defects(Defects defects) {
  Implementation& self = implementation("set_defects");
  self.require_whole("set_defects");
  self.require_rest("set_defects");
  constexpr unsigned kBits[] = {FORKMUNK_DEFECTS_NONE, FORKMUNK_DEFECTS_PYMUNK, FORKMUNK_DEFECTS_STOCK};
  if (static_cast<std::size_t>(defects) >= std::size(kBits)) {
    throw Error("Space::set_defects(): found ", static_cast<int>(defects), ", expected none, pymunk or stock");
  }
  for (cpSpace* const each : spaces()) {
    const auto scope = self.arena.enter();
    forkmunk_set_defects(each, kBits[static_cast<std::size_t>(defects)]);
  }
}

Defects Space::defects() const {
  const unsigned bits = forkmunk_defects(space());
  if (bits == FORKMUNK_DEFECTS_STOCK) return Defects::stock;
  return bits == FORKMUNK_DEFECTS_PYMUNK ? Defects::pymunk : Defects::none;
}

void Space::step(double dt) {
  Implementation& self = implementation("step");
  cpSpaceStep(&self.require_steppable(dt), static_cast<cpFloat>(dt));
  self.check_stepped();
}

void Space::step_together(std::span<Space> worlds, double dt, std::span<std::exception_ptr> problems) {
  const auto step = static_cast<cpFloat>(dt);
  std::array<std::optional<Arena::Call>, StepTogether::kSpacesMax> begun;
  const Scratch<StepTogether> together;
  together->reset(step);
  const auto for_each = [&](auto visit) {
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      if (problems[i] != nullptr) continue;
      try {
        visit(worlds[i].implementation("step"), begun[i]);
      } catch (...) {
        begun[i].reset();
        problems[i] = std::current_exception();
      }
    }
  };
  for_each([&](Implementation& self, std::optional<Arena::Call>& call) {
    cpSpace& space = self.require_steppable(dt);
    if (step == 0 || self.arena.attachment() != nullptr) {  // a Recorder watches single steps
      cpSpaceStep(&space, step);
      return self.check_stepped();
    }
    const Scope scope(&self.arena);
    call.emplace(&self.arena);
    together->begin(&space);
  });
  together->solve();
  for_each([&](Implementation& self, std::optional<Arena::Call>& call) {
    if (!call) return;
    {
      const Scope scope(&self.arena);
      together->end(self.root().main_space);
    }
    call.reset();
    self.check_stepped();
  });
}

void Space::step_checked(double dt) {
  Implementation& self = implementation("step_checked");
  save(self.before_step);
  const std::uint32_t newest = arena_alloc::Chunk::of(&self.root()).stamp();
  step(dt);
  const std::optional<NonFiniteError> found = find_non_finite(*self.root().main_space, newest);
  if (!found) return;
  static_cast<void>(restore(self.before_step));
  throw *found;
}

void* Space::allocate_objects(std::size_t count, std::size_t object_bytes, PointerPolicy pointers,
                              void (*show)(void*, PointerVisitor&)) {
  Implementation& self = implementation("make");
  self.require_room("make");
  const int kind = show != nullptr                   ? FORKMUNK_KIND_TYPED
                   : pointers == PointerPolicy::none ? FORKMUNK_KIND_PLAIN
                                                     : FORKMUNK_KIND_CONSERVATIVE;
  // The largest capacity is always refused, because of the space's own objects.
  const bool is_representable = count <= ~std::size_t{0} / object_bytes;
  const std::size_t bytes = is_representable ? std::min(count * object_bytes, kCapacityBytesMax) : kCapacityBytesMax;
  const std::size_t header_bytes = show != nullptr ? sizeof(chipmunk::TypedHeader) : 0;
  auto* payload =
      static_cast<std::byte*>(self.arena.try_allocate(header_bytes + bytes + arena_alloc::kStampBytes, kind));
  if (payload == nullptr) {
    const std::string wanted =
        is_representable ? std::to_string(count * object_bytes) : concat(count, " x ", object_bytes);
    throw Error("Space::make(): found no room for ", wanted, " bytes; the space can grow to ",
                self.arena.capacity_bytes(), " and has ", self.arena.live_bytes());
  }
  chipmunk::stamp(self.arena, payload);
  if (header_bytes != 0) reinterpret_cast<chipmunk::TypedHeader*>(payload)->visit = show;
  return payload + header_bytes;
}

void Space::release(void* object) {
  Implementation& self = implementation("release");
  if (object == nullptr) return;
  if (!self.arena.contains(object)) throw Error("Space::release(): the object is not in this space's memory");
  std::byte* payload = payload_of(self.arena, object);
  if (payload == nullptr) {
    throw Error(
        "Space::release(): the address is not an object's, or the object was released before; release what make() "
        "returned, once");
  }
  if (!is_loose(payload)) {
    throw Error("Space::release(): found a part of a scene, expected what make() returned or an object in no space");
  }
  if (kind_at(payload) == FORKMUNK_KIND_POLY) {
    cpShapeFree(static_cast<cpShape*>(object));  // also frees its planes
  } else {
    self.arena.deallocate(payload);
  }
}

std::pmr::memory_resource* Space::memory_resource() const {
  return std::launder(reinterpret_cast<ArenaResource*>(&implementation("memory_resource").root().resource));
}

Snapshot Space::save() const {
  Snapshot snapshot;
  save(snapshot);
  return snapshot;
}

void Space::save(Snapshot& snapshot) const {
  const Implementation& self = implementation("save");
  self.require_state("save");
  snapshot.take(self.arena);
}

bool Space::restore(const Snapshot& snapshot) {
  Implementation& self = implementation("restore");
  self.require_rest("restore");
  if (snapshot.empty()) return false;
  const std::span<const std::byte> bytes(snapshot.bytes_.get(), snapshot.size_);
  note_replaced_state(self.arena);
  if (snapshot.base_ == self.arena.base() && snapshot.capacity_bytes_ == self.arena.capacity_bytes()) {
    self.arena.restore_live(bytes);
    return true;
  }
  if (!self.arena.adopt(bytes)) return false;
  chipmunk::relocate(self.arena, snapshot.base_, snapshot.capacity_bytes_);
  return true;
}

Space Space::fork() const {
  const Implementation& self = implementation("fork");
  self.require_state("fork");
  const std::size_t least = std::max(self.capacity_bytes_min, self.arena.live_bytes());
  auto twin = Implementation::make(least, self.arena.capacity_bytes());
  twin->arena.copy_from(self.arena);
  chipmunk::relocate(twin->arena, self.arena.base(), self.arena.capacity_bytes());
  return Space(std::move(twin));
}

Moves Space::compact() {
  Implementation& self = implementation("compact");
  self.require_state("compact");
  if (self.arena.is_entered()) throw Error("Space::compact() was called in a scope of enter(); end the scope first");
  const std::size_t least = std::max(self.capacity_bytes_min, self.arena.live_bytes());
  auto packed = Implementation::make(least, self.arena.capacity_bytes());
  Moves moves = chipmunk::compact(self.arena, packed->arena);
  // Earlier snapshots lead to the old addresses.
  note_replaced_state(self.arena);
  self.arena.copy_from(packed->arena);
  chipmunk::relocate(self.arena, packed->arena.base(), packed->arena.capacity_bytes());
  moves.shift(self.arena.base() - packed->arena.base());
  return moves;
}

const void* Space::twin_address(const Space& other, const void* object) const {
  if (object == nullptr) return nullptr;
  const Arena& theirs = other.implementation("twin_of").arena;
  const Arena& ours = implementation("twin_of").arena;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(object) - theirs.base());
  if (!theirs.contains(object) || offset >= ours.live_bytes()) {
    throw Error("Space::twin_of(): the object is not in the other space's memory, or younger than the fork");
  }
  return ours.base() + offset;
}

std::vector<std::byte> Space::to_bytes() const {
  const Implementation& self = implementation("to_bytes");
  self.require_state("to_bytes");
  return chipmunk::to_portable(self.arena, code_names());
}

Space Space::from_bytes(std::span<const std::byte> bytes, std::size_t memory_bytes_max) {
  if (bytes.size() > chipmunk::portable_bytes(bytes)) {
    throw Error("a state of a space: found more bytes after its end");
  }
  // The usual capacity uses a region of addresses again; a Space that grows less gets more.
  const std::size_t capacity_bytes = sizeof(void*) == 8 ? 0 : std::min(4 * bytes.size(), memory_bytes_max);
  Space space(std::max(kCapacityBytesDefault, capacity_bytes));
  chipmunk::from_portable(space.implementation("from_bytes").arena, bytes, code_names(), memory_bytes_max);
  return space;
}

// Objects outside of an overflowed arena have no chunk header.
std::uint64_t Space::hash() const {
  const Implementation& self = implementation("hash");
  self.require_room("hash");
  return chipmunk::hash(self.arena, code_names());
}
std::size_t Space::live_bytes() const { return implementation("live_bytes").arena.live_bytes(); }
std::size_t Space::capacity_bytes() const { return implementation("capacity_bytes").arena.capacity_bytes(); }
bool Space::is_in_call() const { return implementation("is_in_call").arena.is_in_call(); }
bool Space::is_overflowed() const { return implementation("is_overflowed").arena.is_overflowed(); }

std::vector<OutsidePointer> Space::outside_pointers() const {
  const Implementation& self = implementation("outside_pointers");
  self.require_room("outside_pointers");
  return chipmunk::outside_pointers(self.arena, code_names());
}

std::optional<std::string> first_difference(const Space& one, const Space& other) {
  const auto arena_of = [](const Space& space) -> const Arena& {
    const Space::Implementation& self = space.implementation("first_difference");
    self.require_room("first_difference");
    return self.arena;
  };
  return chipmunk::first_difference(arena_of(one), arena_of(other), code_names());
}

}  // namespace forkmunk::FORKMUNK_SPACE

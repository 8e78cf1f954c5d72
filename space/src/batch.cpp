// SPDX-License-Identifier: MIT
#include "batch_objects.h"
#include "space_arena.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/thread_pool.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/step_together.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

namespace forkmunk::FORKMUNK_SPACE {

Batch::Objects::Objects(const Space& origin)
    : twin(origin.fork()), origin_base(arena_of(origin).base()), origin_bytes(arena_of(origin).capacity_bytes()) {}

// x - x is 0 for finite numbers, else NaN.
bool is_finite(const cpSpace& space) noexcept {
  constexpr double kPositionMax = FORKMUNK_BY_PRECISION(1e150, 1e18);  // its square is finite
  double zero = 0, farthest = 0;
  const int count = space.dynamicBodies->num;
  for (int i = 0; i < count; ++i) {
    const auto* body = static_cast<const cpBody*>(space.dynamicBodies->arr[i]);
    const double sum = body->p.x + body->p.y + body->v.x + body->v.y + body->a + body->w;
    const double distance = std::abs(body->p.x) + std::abs(body->p.y);
    zero += sum - sum;
    farthest = distance > farthest ? distance : farthest;
  }
  return zero == 0 && farthest <= kPositionMax;
}

void require_field(const char* function, Field field, const cpBody*) {
  if (field < Field::motor_rate) return;
  throw Error(function, ": found a field of motors, expected one of bodies");
}
void require_field(const char* function, Field field, const cpConstraint*) {
  if (field >= Field::motor_rate) return;
  throw Error(function, ": found a field of bodies, expected one of motors");
}

void require_finite(const char* function, std::span<const double> values) {
  const auto found = std::find_if_not(values.begin(), values.end(),
                                      [](double value) { return std::isfinite(static_cast<cpFloat>(value)); });
  if (found == values.end()) return;
  throw Error(function, ": number ", found - values.begin(), " is not finite");
}

void require_value(const char* function, Field field, double value) {
  if (field != Field::motor_max_force || value >= 0) return;
  throw Error(function, ": found the maximal force ", chipmunk::number_text(value, 6), ", expected 0 or more");
}

void read_field(Field field, cpBody* body, double* out) noexcept {
  const auto put = [out](cpVect v) {
    out[0] = v.x;
    out[1] = v.y;
  };
  switch (field) {
    case Field::position: put(cpBodyGetPosition(body)); break;
    case Field::angle: *out = cpBodyGetAngle(body); break;
    case Field::velocity: put(cpBodyGetVelocity(body)); break;
    case Field::angular_velocity: *out = cpBodyGetAngularVelocity(body); break;
    case Field::force: put(cpBodyGetForce(body)); break;
    case Field::torque: *out = cpBodyGetTorque(body); break;
    case Field::motor_rate:
    case Field::motor_max_force: break;
  }
}
void read_field(Field field, cpConstraint* motor, double* out) noexcept {
  *out = field == Field::motor_rate ? cpSimpleMotorGetRate(motor) : cpConstraintGetMaxForce(motor);
}

void write_field(Field field, cpBody* body, const double* values) noexcept {
  const auto vector_of = [](const double* xy) { return cpv(static_cast<cpFloat>(xy[0]), static_cast<cpFloat>(xy[1])); };
  switch (field) {
    case Field::position: cpBodySetPosition(body, vector_of(values)); break;
    case Field::angle: cpBodySetAngle(body, static_cast<cpFloat>(*values)); break;
    case Field::velocity: cpBodySetVelocity(body, vector_of(values)); break;
    case Field::angular_velocity: cpBodySetAngularVelocity(body, static_cast<cpFloat>(*values)); break;
    case Field::force: cpBodySetForce(body, vector_of(values)); break;
    case Field::torque: cpBodySetTorque(body, static_cast<cpFloat>(*values)); break;
    case Field::motor_rate:
    case Field::motor_max_force: break;
  }
}
void write_field(Field field, cpConstraint* motor, const double* values) noexcept {
  if (field == Field::motor_rate) {
    cpSimpleMotorSetRate(motor, static_cast<cpFloat>(*values));
  } else {
    cpConstraintSetMaxForce(motor, static_cast<cpFloat>(*values));
  }
}

namespace {

constexpr std::size_t kThreadsMax = 1 << 16;
constexpr std::size_t kWorldsMax = 1 << 20;  // more than a process has addresses for

void restore_world(Space& world, const Snapshot& snapshot) {
  if (!world.restore(snapshot)) throw Error("it cannot grow to hold the snapshot");
}

// Fetches the next world, which another thread may step, if all worlds are larger than the caches.
void prefetch_next(const Space& world, const Space& next, std::size_t count) {
  constexpr std::size_t kCacheBytes = std::size_t{1} << 21, kBytesMax = std::size_t{1} << 15;
  const std::size_t bytes = world.live_bytes();
  if (count * bytes > kCacheBytes) prefetch(arena_of(next).base(), std::min(bytes, kBytesMax));
}

// Calls use(object, its numbers) in each world.
template <typename Objects, typename Object, typename Number, typename Use>
void for_each_twin(std::span<const Space> worlds, const Objects& in, std::span<Object* const> objects,
                   std::span<Number> numbers, std::size_t width, const Use& use) {
  Number* number = numbers.data();
  for (const Space& world : worlds) {
    const arena_alloc::Arena& arena = arena_of(world);
    for (const Object* object : objects) {
      use(in.at(arena, object), number);
      number += width;
    }
  }
}

}  // namespace

Batch::Batch(const Space& origin, std::size_t count, std::size_t threads) {
  if (count == 0 || count > kWorldsMax) {
    throw Error("Batch: found a count of ", count, " worlds, expected 1 to ", kWorldsMax);
  }
  if (threads > kThreadsMax) {
    throw Error("Batch: found ", threads, " threads, expected at most ", kThreadsMax);
  }
  objects_ = std::make_unique<Objects>(origin);
  worlds_.reserve(count);
  while (worlds_.size() < count) worlds_.push_back(objects_->twin.fork());
  problems_.resize(count);
  pool_ = std::make_unique<ThreadPool>(threads, Idle::spin);
}

Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

std::size_t Batch::thread_count() const noexcept { return pool_ == nullptr ? 0 : pool_->size(); }

const Space& Batch::world(std::size_t index) const {
  if (index < size()) return worlds_[index];
  throw Error("Batch: found world ", index, ", expected one below ", size());
}
Space& Batch::world(std::size_t index) { return const_cast<Space&>(std::as_const(*this).world(index)); }

const void* Batch::twin_address(std::size_t index, const void* object) const {
  if (object == nullptr) return nullptr;
  const Space& found = world(index);
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(object) - objects_->origin_base);
  if (static_cast<const std::byte*>(object) < objects_->origin_base || offset >= found.live_bytes()) {
    throw Error("Batch::twin_of(): the object is not in the memory of the batch's origin");
  }
  return arena_of(found).base() + offset;
}

void Batch::check_mask(const char* function, std::span<const std::uint8_t> mask) const {
  if (mask.empty() || mask.size() == size()) return;
  throw Error("Batch::", function, "(): found a mask of ", mask.size(), ", expected one of ", size());
}

void Batch::require_rest(const char* function) const {
  if (pool_ == nullptr) throw Error("Batch::", function, "(): the Batch was moved from");
  if (!running_) return;
  throw Error("Batch::", function, "() was called in a callback of the batch; call it between steps");
}

// A failing world does not stop the others, so the outcome does not depend on the threads.
void Batch::run(const char* function, std::span<const std::uint8_t> mask,
                const std::function<void(std::size_t)>& work) const {
  run_ranges(function, 1, [&](std::size_t i, std::size_t) {
    if (mask.empty() || mask[i] != 0) work(i);
  });
}

void Batch::run_ranges(const char* function, std::size_t grain,
                       const std::function<void(std::size_t, std::size_t)>& work) const {
  const auto range = [&](std::size_t begin, std::size_t end, std::size_t) {
    try {
      work(begin, end);
    } catch (...) {
      std::fill(problems_.data() + begin, problems_.data() + end, std::current_exception());
    }
  };
  require_rest(function);
  running_ = true;
  pool_->run(size(), grain, std::ref(range));
  running_ = false;
  const auto first = std::ranges::find_if(problems_, [](const std::exception_ptr& p) { return p != nullptr; });
  if (first == problems_.end()) return;
  const std::exception_ptr problem = *first;
  std::fill(problems_.begin(), problems_.end(), nullptr);
  try {
    std::rethrow_exception(problem);
  } catch (const Error& error) {
    throw Error("Batch::", function, "(), world ", first - problems_.begin(), ": ", error.what());
  }
}

void Batch::step(double dt, std::size_t count) {
  if (!(std::isfinite(static_cast<cpFloat>(dt)) && dt >= 0)) {
    throw Error("Batch::step(): found a dt of ", chipmunk::number_text(dt, 6), ", expected a finite number, 0 or more");
  }
  require_rest("step");
  const auto work = [&](std::size_t begin, std::size_t end) {
    const auto problems = std::span(problems_).subspan(begin, end - begin);
    for (std::size_t step = 0; step < count; ++step) {
      for (std::size_t i = begin; i < end; ++i) {
        if (problems_[i] != nullptr || worlds_[i].implementation_ == nullptr) continue;  // step_together() refuses it
        const cpSpace* const space = worlds_[i].space();
        if (space == nullptr) continue;
        const bool has_next = i + 1 < size() && worlds_[i + 1].implementation_ != nullptr;
        if (has_next && space->dynamicBodies->num > 0) prefetch_next(worlds_[i], worlds_[i + 1], size());
        if (is_finite(*space)) continue;
        problems_[i] = std::make_exception_ptr(Error("a body has left the finite numbers; restore() an earlier state"));
      }
      Space::step_together(std::span(worlds_).subspan(begin, end - begin), dt, problems);
    }
  };
  run_ranges("step", together_max(size()), std::ref(work));
}

// So many worlds stay in a core's cache, and every thread has some.
std::size_t Batch::together_max(std::size_t count) const {
  constexpr std::size_t kCacheBytes = std::size_t{1} << 19;
  const std::size_t cached = kCacheBytes / objects_->twin.live_bytes();
  const std::size_t share = (count + thread_count() - 1) / thread_count();
  return std::clamp<std::size_t>(std::min(cached, share), 1, chipmunk::StepTogether::kSpacesMax);
}

template <typename Object>
void Batch::check(const char* function, Field field, std::span<Object* const> objects, std::size_t number_count) const {
  const std::string name = std::string("Batch::") + function + "()";
  require_rest(function);
  require_field(name.c_str(), field, static_cast<const Object*>(nullptr));
  const std::size_t expected = size() * objects.size() * width_of(field);
  if (number_count != expected) {
    throw Error(name, ": found ", number_count, " numbers, expected ", expected, ": ", size(), " worlds x ",
                objects.size(), " objects x ", width_of(field));
  }
  for (std::size_t i = 0; i < size(); ++i) {
    if (worlds_[i].is_in_call()) {
      throw Error(name, " was called in a callback of world ", i, "; call it between steps");
    }
    const arena_alloc::Arena& arena = arena_of(worlds_[i]);
    for (std::size_t k = 0; k < objects.size(); ++k) {
      if (objects_->find(arena, objects[k]) != nullptr) continue;
      const char* const kind = std::is_same_v<Object, cpBody> ? "body " : "motor ";
      objects_->refuse(objects[k], concat(name, ", world ", i, ": ", kind, k));
    }
  }
}

void Batch::read(Field field, std::span<cpBody* const> bodies, std::span<double> out) const {
  check("read", field, bodies, out.size());
  for_each_twin(worlds_, *objects_, bodies, out, width_of(field),
                [field](cpBody* body, double* to) { read_field(field, body, to); });
}

void Batch::read(Field field, std::span<cpConstraint* const> motors, std::span<double> out) const {
  check("read", field, motors, out.size());
  for_each_twin(worlds_, *objects_, motors, out, 1,
                [field](cpConstraint* motor, double* to) { read_field(field, motor, to); });
}

void Batch::write(Field field, std::span<cpBody* const> bodies, std::span<const double> values) {
  check("write", field, bodies, values.size());
  require_finite("Batch::write()", values);
  for_each_twin(worlds_, *objects_, bodies, values, width_of(field),
                [field](cpBody* body, const double* from) { write_field(field, body, from); });
}

void Batch::write(Field field, std::span<cpConstraint* const> motors, std::span<const double> values) {
  check("write", field, motors, values.size());
  require_finite("Batch::write()", values);
  for (const double value : values) require_value("Batch::write()", field, value);
  for_each_twin(worlds_, *objects_, motors, values, 1,
                [field](cpConstraint* motor, const double* from) { write_field(field, motor, from); });
}

void Batch::restore(const Snapshot& snapshot, std::span<const std::uint8_t> mask) {
  check_mask("restore", mask);
  if (snapshot.empty()) throw Error("Batch::restore(): the snapshot is empty; save a Space into it first");
  run("restore", mask, [&](std::size_t i) { restore_world(worlds_[i], snapshot); });
}

void Batch::restore(std::span<const Snapshot* const> snapshots, std::span<const std::size_t> worlds) {
  const auto refuse = [](const std::string& problem) { throw Error("Batch::restore(): ", problem); };
  if (snapshots.size() != worlds.size()) {
    refuse(concat("found ", snapshots.size(), " snapshots for ", worlds.size(), " worlds"));
  }
  std::vector<const Snapshot*> chosen(size());
  std::vector<std::uint8_t> mask(size());
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    if (worlds[i] >= size()) refuse(concat("found world ", worlds[i], " of ", size()));
    if (mask[worlds[i]] != 0) refuse(concat("found world ", worlds[i], " twice"));
    if (snapshots[i] == nullptr || snapshots[i]->empty()) {
      refuse(concat("snapshot ", i, " is null or empty; save a Space into it first"));
    }
    chosen[worlds[i]] = snapshots[i];
    mask[worlds[i]] = 1;
  }
  run("restore", mask, [&](std::size_t i) { restore_world(worlds_[i], *chosen[i]); });
}

void Batch::fork(std::size_t from, std::span<const std::uint8_t> mask) {
  check_mask("fork", mask);
  require_rest("fork");
  world(from).save(moved_);
  restore(moved_, mask);
}

void Batch::hashes(std::span<std::uint64_t> out) const {
  if (out.size() != size()) {
    throw Error("Batch::hashes(): found room for ", out.size(), " hashes, expected ", size());
  }
  run("hashes", {}, [&](std::size_t i) { out[i] = worlds_[i].hash(); });
}

}  // namespace forkmunk::FORKMUNK_SPACE

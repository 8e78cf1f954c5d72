#include "batch_objects.h"

#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/allocation_kinds.h>

#include <algorithm>
#include <cmath>

namespace forkmunk::space {
namespace {

bool is_kind_of(const cpBody*, int kind) noexcept { return kind == FORKMUNK_KIND_BODY; }
bool is_kind_of(const cpConstraint*, int kind) noexcept { return kind == FORKMUNK_KIND_SIMPLE_MOTOR; }
bool is_kind_of(const cpShape*, int kind) noexcept {
  return kind >= FORKMUNK_KIND_CIRCLE && kind <= FORKMUNK_KIND_POLY;
}

template <typename Object>
bool is_there(const arena_alloc::Arena& arena, const Object* object) noexcept {
  if (!arena.has_payload_at(object)) return false;
  const auto* chunk = reinterpret_cast<const arena_alloc::Chunk*>(reinterpret_cast<const std::byte*>(object) -
                                                                  sizeof(arena_alloc::Chunk));
  return is_kind_of(object, chunk->kind()) && object->space != nullptr;
}

}  // namespace

Batch::Objects::Objects(const Space& origin)
    : twin(origin.fork()), origin_base(arena_of(origin).base()), origin_bytes(arena_of(origin).capacity_bytes()) {}

template <typename Object>
Object* Batch::Objects::find(const arena_alloc::Arena& world, const Object* object) const noexcept {
  if (object == nullptr || reinterpret_cast<const std::byte*>(object) < origin_base) return nullptr;
  if (offset_of(object) >= origin_bytes) return nullptr;
  const arena_alloc::Arena& first_world = arena_of(twin);
  const Object* first = at(first_world, object);
  Object* found = at(world, object);
  if (!is_there(first_world, first) || !is_there(world, found)) return nullptr;
  const bool same = !arena_alloc::is_uncounted(first->userData) || found->userData == first->userData;
  return same ? found : nullptr;
}

template <typename Object>
void Batch::Objects::refuse(const Object* object, const std::string& what) const {
  if (find(arena_of(twin), object) == nullptr) {
    throw Error(what + " is none that the origin had; give those of the Space that the batch was made of");
  }
  throw Error(what + " is not there: it was removed, or a state without it was restored");
}

template cpBody* Batch::Objects::find(const arena_alloc::Arena&, const cpBody*) const noexcept;
template cpConstraint* Batch::Objects::find(const arena_alloc::Arena&, const cpConstraint*) const noexcept;
template cpShape* Batch::Objects::find(const arena_alloc::Arena&, const cpShape*) const noexcept;
template void Batch::Objects::refuse(const cpBody*, const std::string&) const;
template void Batch::Objects::refuse(const cpConstraint*, const std::string&) const;
template void Batch::Objects::refuse(const cpShape*, const std::string&) const;

std::string name_of(const cpBody*, std::size_t index) { return "body " + std::to_string(index); }
std::string name_of(const cpConstraint*, std::size_t index) { return "motor " + std::to_string(index); }
std::string name_of(const cpShape*, std::size_t index) { return "shape " + std::to_string(index); }

// Without branches: x - x is 0 for finite numbers, else NaN.
bool is_finite(const cpSpace& space) noexcept {
  constexpr double kPositionMax = 1e150;  // its square is finite
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
  throw Error(std::string(function) + ": found a field of motors, expected one of bodies");
}
void require_field(const char* function, Field field, const cpConstraint*) {
  if (field == Field::motor_rate) return;
  throw Error(std::string(function) + ": found a field of bodies, expected Field::motor_rate for motors");
}

void require_finite(const char* function, std::span<const double> values) {
  const auto found = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
  if (found == values.end()) return;
  throw Error(std::string(function) + ": number " + std::to_string(found - values.begin()) + " is not finite");
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
    case Field::motor_rate: break;
  }
}

void write_field(Field field, cpBody* body, const double* values) noexcept {
  switch (field) {
    case Field::position: cpBodySetPosition(body, {values[0], values[1]}); break;
    case Field::angle: cpBodySetAngle(body, *values); break;
    case Field::velocity: cpBodySetVelocity(body, {values[0], values[1]}); break;
    case Field::angular_velocity: cpBodySetAngularVelocity(body, *values); break;
    case Field::force: cpBodySetForce(body, {values[0], values[1]}); break;
    case Field::torque: cpBodySetTorque(body, *values); break;
    case Field::motor_rate: break;
  }
}

}  // namespace forkmunk::space

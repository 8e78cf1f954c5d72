// SPDX-License-Identifier: MIT
// quality.h by forkmunk::space or forkmunk::space_single. A metre has 30 units, which suit Chipmunk's defaults.
#include "bench/rivals/quality.h"

#include <forkmunk/base/simd_target.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/space.h>

#include <cmath>
#include <memory>
#include <vector>

#include <chipmunk/chipmunk.h>

namespace {

constexpr double kMetre = 30;

class World {
 public:
  World(const QualitySetting& setting, bool has_gravity)
      : setting_(setting), scope_(world_.enter()), space_(world_.space()) {
    forkmunk::set_simd_target(forkmunk::SimdTarget::avx2);  // as in the rival's build; kept if there is none
    cpSpaceSetGravity(space_, cpv(0, has_gravity ? -10 * kMetre : 0));
    cpSpaceSetIterations(space_, setting.iterations);
    if (setting.other == kQualitySmallSlop) cpSpaceSetCollisionSlop(space_, 0.03);
    if (setting.other == kQualityFastBias) cpSpaceSetCollisionBias(space_, std::pow(1 - 0.3, 60));
  }

  int add(const QualityBox& box) {
    const double width = 2 * box.half_width * kMetre, height = 2 * box.half_height * kMetre;
    const double mass = box.density * 4 * box.half_width * box.half_height;
    cpBody* const body = add_body(mass, mass > 0 ? cpMomentForBox(mass, width, height) : 0);
    cpBodySetPosition(body, cpv(box.x * kMetre, box.y * kMetre));
    cpBodySetAngle(body, box.angle);
    return add_shape(cpBoxShapeNew(body, width, height, 0), box.friction, box.group);
  }

  int add_ball(double x, double y, double radius, double density, double speed_x, int group) {
    const double mass = density * 3.141592653589793 * radius * radius;
    cpBody* const body = add_body(mass, cpMomentForCircle(mass, 0, radius * kMetre, cpvzero));
    cpBodySetPosition(body, cpv(x * kMetre, y * kMetre));
    cpBodySetVelocity(body, cpv(speed_x * kMetre, 0));
    return add_shape(cpCircleShapeNew(body, radius * kMetre, cpvzero), 0, group);
  }

  void join(int a, int b, double x, double y) {
    cpSpaceAddConstraint(space_, cpPivotJointNew(body(a), body(b), cpv(x * kMetre, y * kMetre)));
  }

  void step() {
    for (int i = 0; i < setting_.steps; ++i) cpSpaceStep(space_, 1.0 / (kQualityFrameRate * setting_.steps));
  }

  [[nodiscard]] cpVect point(int of, double local_x, double local_y) const {
    return cpvmult(cpBodyLocalToWorld(body(of), cpv(local_x * kMetre, local_y * kMetre)), 1 / kMetre);
  }

 private:
  [[nodiscard]] cpBody* body(int number) const { return bodies_[static_cast<std::size_t>(number)]; }

  cpBody* add_body(double mass, double moment) {
    bodies_.push_back(cpSpaceAddBody(space_, mass > 0 ? cpBodyNew(mass, moment) : cpBodyNewStatic()));
    return bodies_.back();
  }

  int add_shape(cpShape* shape, double friction, int group) {
    cpShapeSetFriction(shape, std::sqrt(friction));  // two shapes have the product
    cpShapeSetFilter(shape, cpShapeFilterNew(static_cast<cpGroup>(group), CP_ALL_CATEGORIES, CP_ALL_CATEGORIES));
    cpSpaceAddShape(space_, shape);
    return static_cast<int>(bodies_.size()) - 1;
  }

  const QualitySetting& setting_;
  forkmunk::space::Space world_;
  forkmunk::space::Scope scope_;
  cpSpace* space_;
  std::vector<cpBody*> bodies_;
};

std::unique_ptr<World> world;

}  // namespace

extern "C" {

const char* const kQualityLibrary = FORKMUNK_BY_PRECISION("forkmunk", "forkmunk, floats");
const QualitySetting kQualitySettings[] = {
    {"1/60", 1, 2, kQualityDefaults},
    {"1/60", 1, 5, kQualityDefaults},
    {"1/60", 1, 10, kQualityDefaults},
    {"1/60", 1, 20, kQualityDefaults},
    {"1/120", 2, 2, kQualityDefaults},
    {"1/120", 2, 5, kQualityDefaults},
    {"1/120", 2, 10, kQualityDefaults},
    {"1/120", 2, 20, kQualityDefaults},
    {"1/240", 4, 2, kQualityDefaults},
    {"1/240", 4, 5, kQualityDefaults},
    {"1/240", 4, 10, kQualityDefaults},
    {"1/60, slop 0.03", 1, 10, kQualitySmallSlop},
    {"1/120, slop 0.03", 2, 10, kQualitySmallSlop},
    {"1/240, slop 0.03", 4, 5, kQualitySmallSlop},
    {"1/60, bias 0.7^60", 1, 10, kQualityFastBias},
    {"1/120, bias 0.7^60", 2, 10, kQualityFastBias},
    {"1/240, bias 0.7^60", 4, 5, kQualityFastBias},
};
const int kQualitySettingCount = sizeof kQualitySettings / sizeof *kQualitySettings;

void quality_begin(const QualitySetting* setting, int has_gravity) {
  world = std::make_unique<World>(*setting, has_gravity != 0);
}
void quality_end(void) { world.reset(); }
int quality_add_box(const QualityBox* box) { return world->add(*box); }
int quality_add_ball(double x, double y, double radius, double density, double speed_x, int group) {
  return world->add_ball(x, y, radius, density, speed_x, group);
}
void quality_join(int a, int b, double x, double y) { world->join(a, b, x, y); }
void quality_step(void) { world->step(); }
void quality_point(int body, double local_x, double local_y, double* x, double* y) {
  const cpVect at = world->point(body, local_x, local_y);
  *x = at.x, *y = at.y;
}
}

/* SPDX-License-Identifier: MIT */
/* quality.h by Box2D 3.2. */
#include "quality.h"

#include <box2d/box2d.h>

enum { kBodiesMax = 4096 };
static b2WorldId world;
static b2BodyId bodies[kBodiesMax];
static int body_count;
static const QualitySetting* in_use;

const char* const kQualityLibrary = "Box2D";
const QualitySetting kQualitySettings[] = {
    {"1/60", 1, 1, kQualityDefaults},  {"1/60", 1, 2, kQualityDefaults},  {"1/60", 1, 4, kQualityDefaults},
    {"1/60", 1, 8, kQualityDefaults},  {"1/120", 2, 1, kQualityDefaults}, {"1/120", 2, 2, kQualityDefaults},
    {"1/120", 2, 4, kQualityDefaults}, {"1/120", 2, 8, kQualityDefaults},
};
const int kQualitySettingCount = sizeof kQualitySettings / sizeof *kQualitySettings;

void quality_begin(const QualitySetting* setting, int has_gravity) {
  b2WorldDef def = b2DefaultWorldDef();
  def.gravity = (b2Vec2){0, has_gravity ? -10.0f : 0};
  def.enableSleep = false;
  def.workerCount = 1;
  world = b2CreateWorld(&def);
  body_count = 0;
  in_use = setting;
}

void quality_end(void) { b2DestroyWorld(world); }

static int add_body(b2BodyDef def) {
  bodies[body_count] = b2CreateBody(world, &def);
  return body_count++;
}

static b2ShapeDef shape_def(double density, double friction, int group) {
  b2ShapeDef def = b2DefaultShapeDef();
  def.density = (float)density;
  def.material.friction = (float)friction; /* two shapes: the root of the product */
  def.material.restitution = 0;
  def.filter.groupIndex = -group;
  return def;
}

int quality_add_box(const QualityBox* box) {
  b2BodyDef def = b2DefaultBodyDef();
  def.type = box->density > 0 ? b2_dynamicBody : b2_staticBody;
  def.position = (b2Pos){(float)box->x, (float)box->y};
  def.rotation = b2MakeRot((float)box->angle);
  const int body = add_body(def);
  const b2ShapeDef shape = shape_def(box->density, box->friction, box->group);
  const b2Polygon polygon = b2MakeBox((float)box->half_width, (float)box->half_height);
  b2CreatePolygonShape(bodies[body], &shape, &polygon);
  return body;
}

int quality_add_ball(double x, double y, double radius, double density, double speed_x, int group) {
  b2BodyDef def = b2DefaultBodyDef();
  def.type = b2_dynamicBody;
  def.position = (b2Pos){(float)x, (float)y};
  def.linearVelocity = (b2Vec2){(float)speed_x, kQualityDefaults};
  const int body = add_body(def);
  const b2ShapeDef shape = shape_def(density, 0, group);
  const b2Circle circle = {{0, kQualityDefaults}, (float)radius};
  b2CreateCircleShape(bodies[body], &shape, &circle);
  return body;
}

void quality_join(int a, int b, double x, double y) {
  b2RevoluteJointDef def = b2DefaultRevoluteJointDef();
  const b2Pos at = {(float)x, (float)y};
  def.base.bodyIdA = bodies[a];
  def.base.bodyIdB = bodies[b];
  def.base.localFrameA.p = b2Body_GetLocalPoint(bodies[a], at);
  def.base.localFrameB.p = b2Body_GetLocalPoint(bodies[b], at);
  b2CreateRevoluteJoint(world, &def);
}

void quality_step(void) {
  for (int i = 0; i < in_use->steps; ++i)
    b2World_Step(world, 1.0f / (float)(kQualityFrameRate * in_use->steps), in_use->iterations);
}

void quality_point(int body, double local_x, double local_y, double* x, double* y) {
  const b2Pos at = b2Body_GetWorldPoint(bodies[body], (b2Vec2){(float)local_x, (float)local_y});
  *x = at.x;
  *y = at.y;
}

// SPDX-License-Identifier: MIT
/* The scenes of bench/support/space_scene.cpp in Box2D: a step, a snapshot and a restore, printed as JSON for
 * scripts/bench_rivals. One worker, 4 substeps, no sleep. Lengths are Chipmunk's divided by 30, because Box2D is tuned
 * for metres. */
#include <box2d/box2d.h>
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kSettlingSteps = 120, kRepetitions = 9, kBodiesMax = 10000 };
static const float kScale = 1.0f / 30;
static const float kBox = 30;
static b2BodyId bodies[kBodiesMax];
static int body_count;

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static b2ShapeDef shape_def(void) {
  b2ShapeDef def = b2DefaultShapeDef();
  def.material.friction = 0.6f;
  return def;
}

static b2BodyId add_box(b2WorldId world, float x, float y, float side) {
  b2BodyDef def = b2DefaultBodyDef();
  def.type = b2_dynamicBody;
  def.position = (b2Pos){x * kScale, y * kScale};
  b2BodyId body = b2CreateBody(world, &def);
  b2ShapeDef shape = shape_def();
  b2Polygon box = b2MakeSquare(0.5f * side * kScale);
  b2CreatePolygonShape(body, &shape, &box);
  bodies[body_count++] = body;
  return body;
}

static void add_segment(b2BodyId body, float ax, float ay, float bx, float by, float radius) {
  b2ShapeDef shape = shape_def();
  b2Vec2 a = {ax * kScale, ay * kScale}, b = {bx * kScale, by * kScale};
  if (radius > 0) {
    b2Capsule capsule = {a, b, radius * kScale};
    b2CreateCapsuleShape(body, &shape, &capsule);
  } else {
    b2Segment segment = {a, b};
    b2CreateSegmentShape(body, &shape, &segment);
  }
}

static b2BodyId add_fixed(b2WorldId world) {
  b2BodyDef def = b2DefaultBodyDef();
  return b2CreateBody(world, &def);
}

static void pyramid(b2WorldId world, int count) {
  int base = 1;
  while (base * (base + 1) / 2 < count) ++base;
  float half_width = (float)base * kBox + 100;
  add_segment(add_fixed(world), -half_width, 0, half_width, 0, 0);
  for (int row = 0; body_count < count; ++row) {
    for (int i = 0; i < base - row && body_count < count; ++i) {
      add_box(world, ((float)i - 0.5f * (float)(base - row - 1)) * (kBox + 1), ((float)row + 0.5f) * kBox, kBox);
    }
  }
}

static void tumbler(b2WorldId world, int count) {
  const float pitch = 12;
  int columns = (int)ceil(sqrt(count));
  if (columns < 2) columns = 2;
  float half = 0.5f * pitch * (float)columns + 4 * pitch;
  b2BodyDef def = b2DefaultBodyDef();
  def.type = b2_kinematicBody;
  def.angularVelocity = 0.4f;
  b2BodyId drum = b2CreateBody(world, &def);
  float corners[4][2] = {{-half, -half}, {-half, half}, {half, half}, {half, -half}};
  for (int i = 0; i < 4; ++i) {
    const float* a = corners[i];
    const float* b = corners[(i + 1) % 4];
    add_segment(drum, a[0], a[1], b[0], b[1], 2);
  }
  float middle = 0.5f * (float)(columns - 1);
  for (int i = 0; body_count < count; ++i) {
    add_box(world, ((float)(i % columns) - middle) * pitch, ((float)(i / columns) - middle) * pitch, 10);
  }
}

static void chains(b2WorldId world, int count) {
  enum { kLinks = 10 };
  const float length = 20;
  b2BodyId ceiling = add_fixed(world);
  for (int i = 0; body_count < count; ++i) {
    float x = (float)(i / kLinks) * 2 * length, y = (float)-(i % kLinks) * length;
    int first = i % kLinks == 0;
    b2BodyId above = first ? ceiling : bodies[body_count - 1];
    b2BodyId link = add_box(world, x, y - 0.5f * length, 0.5f * length);
    if (first) b2Body_SetLinearVelocity(link, (b2Vec2){50 * (float)(i / kLinks % 5 + 1) * kScale, 0});
    b2RevoluteJointDef joint = b2DefaultRevoluteJointDef();
    joint.base.bodyIdA = above;
    joint.base.bodyIdB = link;
    joint.base.localFrameA.p = first ? (b2Vec2){x * kScale, y * kScale} : (b2Vec2){0, -0.5f * length * kScale};
    joint.base.localFrameB.p = (b2Vec2){0, 0.5f * length * kScale};
    b2CreateRevoluteJoint(world, &joint);
  }
}

static int compare(const void* a, const void* b) {
  return (*(const double*)a > *(const double*)b) - (*(const double*)a < *(const double*)b);
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

static void step(b2WorldId world) { b2World_Step(world, 1.0f / 60, 4); }

static void measure(const char* scene, int count, int last) {
  b2WorldDef def = b2DefaultWorldDef();
  def.gravity = (b2Vec2){0, -300 * kScale};
  def.enableSleep = false;
  def.workerCount = 1;
  b2WorldId world = b2CreateWorld(&def);
  body_count = 0;
  (strcmp(scene, "pyramid") == 0 ? pyramid : strcmp(scene, "tumbler") == 0 ? tumbler : chains)(world, count);
  for (int i = 0; i < kSettlingSteps; ++i) step(world);

  double steps[kRepetitions], snapshots[kRepetitions], restores[kRepetitions];
  const int batch = count < 100 ? 64 : 8;
  const int bytes = b2World_Snapshot(world, NULL, 0);
  uint8_t* image = malloc(2 * (size_t)bytes);
  for (int r = 0; r < kRepetitions; ++r) {
    double start = now_us();
    for (int i = 0; i < batch; ++i) step(world);
    steps[r] = (now_us() - start) / batch;
    int size = b2World_Snapshot(world, image, 2 * bytes); /* warm */
    start = now_us();
    for (int i = 0; i < batch; ++i) size = b2World_Snapshot(world, image, 2 * bytes);
    snapshots[r] = (now_us() - start) / batch;
    start = now_us();
    for (int i = 0; i < batch; ++i) {
      if (!b2World_Restore(world, image, size)) {
        fprintf(stderr, "box2d_scenes: %s of %d: a snapshot was not restored\n", scene, count);
        exit(2);
      }
    }
    restores[r] = (now_us() - start) / batch;
  }
  printf(
      "  {\"scene\": \"%s\", \"bodies\": %d, \"bytes\": %d, \"step_us\": %.3f, \"save_us\": %.3f, \"restore_us\": "
      "%.3f}%s\n",
      scene, count, bytes, median(steps, kRepetitions), median(snapshots, kRepetitions), median(restores, kRepetitions),
      last ? "" : ",");
  free(image);
  b2DestroyWorld(world);
}

int main(int argc, char** argv) {
  static const char* const scenes[] = {"pyramid", "tumbler", "chains"};
  if (argc < 2) {
    fputs("usage: box2d_scenes BODIES...\n", stderr);
    return 2;
  }
  /* Without these options glibc returns the buffer of each large snapshot to the system, at ten times the cost. */
  mallopt(M_MMAP_THRESHOLD, 1 << 28);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  puts("{\"rows\": [");
  for (int i = 0; i < 3; ++i) {
    for (int j = 1; j < argc; ++j) {
      int count = atoi(argv[j]);
      if (count < 1 || count > kBodiesMax) {
        fprintf(stderr, "box2d_scenes: %s bodies: expected 1 to %d\n", argv[j], kBodiesMax);
        return 2;
      }
      measure(scenes[i], count, i == 2 && j == argc - 1);
    }
  }
  puts("]}");
  return 0;
}

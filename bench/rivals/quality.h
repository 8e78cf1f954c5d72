/* SPDX-License-Identifier: MIT */
#ifndef FORKMUNK_BENCH_QUALITY_H
#define FORKMUNK_BENCH_QUALITY_H

/* The functions of a physics library that quality.c calls, in metres, seconds and radians. Gravity is 10 m/s^2
 * downwards. A world has one thread and no sleeping. */

#ifdef __cplusplus
extern "C" {
#endif

enum { kQualityFrameRate = 60 };

typedef enum { kQualityDefaults, kQualitySmallSlop, kQualityFastBias } QualityOther;

typedef struct {
  const char* name;
  int steps;          /* steps in a frame of 1/60 s */
  int iterations;     /* per step; Box2D's substeps */
  QualityOther other; /* for Chipmunk */
} QualitySetting;

extern const char* const kQualityLibrary;
extern const QualitySetting kQualitySettings[];
extern const int kQualitySettingCount;

typedef struct {
  double x, y, half_width, half_height, angle;
  double density; /* 0 for a box that never moves */
  double friction;
  int group; /* boxes of the same group other than 0 do not collide */
} QualityBox;

/* Begins the program's only world. */
void quality_begin(const QualitySetting* setting, int has_gravity);
void quality_end(void);
/* Return the number of the new body, counted from 0. */
int quality_add_box(const QualityBox* box);
int quality_add_ball(double x, double y, double radius, double density, double speed_x, int group);
/* Joins two bodies at a point of the world. */
void quality_join(int a, int b, double x, double y);
void quality_step(void);
/* Converts a point of the body's coordinates to the world's. */
void quality_point(int body, double local_x, double local_y, double* x, double* y);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* Measures how well a library simulates, and in what time, by scenes whose exact result is known, at several settings.
 * Each scene is repeated side by side, so that a world has about 200 bodies. scripts/bench_rivals --quality runs this
 * program for each library. An argument limits the number of settings. */
#define _GNU_SOURCE
#include "quality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kFramesMax = 1200 };
static double frame_us[kFramesMax];
static int frame_count;

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static void step(void) {
  const double start = now_us();
  quality_step();
  frame_us[frame_count++] = now_us() - start;
}

static int compare(const void* a, const void* b) {
  return (*(const double*)a > *(const double*)b) - (*(const double*)a < *(const double*)b);
}

/* The time of a frame is the median of the run. */
static void print_row(const QualitySetting* setting, const char* scene, const char* measure, double value) {
  static int is_first = 1;
  if (!isfinite(value)) {
    fprintf(stderr, "quality: %s, %d iterations, %s: a body is not at a finite place\n", setting->name,
            setting->iterations, scene);
    exit(1);
  }
  double times[kFramesMax];
  for (int i = 0; i < frame_count; ++i) times[i] = frame_us[i];
  qsort(times, (size_t)frame_count, sizeof *times, compare);
  printf(
      "%s  {\"library\": \"%s\", \"setting\": \"%s\", \"steps\": %d, \"iterations\": %d, \"scene\": \"%s\", "
      "\"measure\": \"%s\", \"value\": %.6g, \"frame_us\": %.3f}",
      is_first ? "" : ",\n", kQualityLibrary, setting->name, setting->steps, setting->iterations, scene, measure, value,
      times[frame_count / 2]);
  is_first = 0;
}

static void begin(const QualitySetting* setting, int has_gravity) {
  frame_count = 0;
  quality_begin(setting, has_gravity);
}

static void add_ground(double x, double half_width) {
  quality_add_box(&(QualityBox){.x = x, .y = -1, .half_width = half_width, .half_height = 1, .friction = 0.6});
}

static double height_of(int body) {
  double x, y;
  quality_point(body, 0, 0, &x, &y);
  return y;
}

/* Towers of boxes of 1 m, which rigid boxes would bear for ever: neighbours are 2 cm out of line. Measures, after 20 s,
 * how far the tops have sunk, the largest drift of a box whose tower stands, and the towers that fell. */
static void stack(const QualitySetting* setting) {
  enum { kTowers = 10, kBoxes = 20, kFrames = 20 * kQualityFrameRate };
  begin(setting, 1);
  int first[kTowers], has_fallen[kTowers] = {0}, fallen = 0;
  double fell_at = INFINITY;
  for (int t = 0; t < kTowers; ++t) {
    add_ground(25.0 * (t - kTowers / 2), 12);
    for (int i = 0; i < kBoxes; ++i) {
      const int body = quality_add_box(&(QualityBox){.x = 25.0 * (t - kTowers / 2) + (i % 2 ? 0.01 : -0.01),
                                                     .y = i + 0.5,
                                                     .half_width = 0.5,
                                                     .half_height = 0.5,
                                                     .density = 1,
                                                     .friction = 0.6});
      if (i == 0) first[t] = body;
    }
  }
  for (int frame = 0; frame < kFrames; ++frame) {
    step();
    for (int t = 0; t < kTowers; ++t) {
      if (has_fallen[t] || height_of(first[t] + kBoxes - 1) > 0.9 * kBoxes) continue;
      has_fallen[t] = 1;
      ++fallen;
      if (isinf(fell_at)) fell_at = (double)frame / kQualityFrameRate;
    }
  }
  double sunk = 0, drift = 0;
  for (int t = 0; t < kTowers; ++t) {
    sunk += (has_fallen[t] ? kBoxes - 1 : kBoxes - 0.5 - height_of(first[t] + kBoxes - 1)) / kTowers;
    for (int i = 0; i < kBoxes && !has_fallen[t]; ++i) {
      double x, y;
      quality_point(first[t] + i, 0, 0, &x, &y);
      const double from = 25.0 * (t - kTowers / 2) + (i % 2 ? 0.01 : -0.01);
      drift = fmax(drift, fabs(x - from));
    }
  }
  print_row(setting, "stack", "top sunk, mm", 1000 * sunk);
  print_row(setting, "stack", "drift, mm", 1000 * drift);
  print_row(setting, "stack", "towers fallen of 10", fallen);
  print_row(setting, "stack", "first fall, s", fallen ? fell_at : -1);
  quality_end();
}

/* A box of 3 m on two boxes of 1 m, 100 times as heavy as each. Measures how far it sinks at most from 2 s to 10 s. */
static void heavy(const QualitySetting* setting) {
  enum { kPiles = 60, kFrames = 10 * kQualityFrameRate };
  begin(setting, 1);
  int top[kPiles];
  for (int p = 0; p < kPiles; ++p) {
    const double x = 8.0 * (p - kPiles / 2);
    add_ground(x, 3);
    for (int side = -1; side <= 1; side += 2) {
      quality_add_box(
          &(QualityBox){.x = x + side, .y = 0.5, .half_width = 0.5, .half_height = 0.5, .density = 1, .friction = 0.6});
    }
    top[p] = quality_add_box(
        &(QualityBox){.x = x, .y = 2.5, .half_width = 1.5, .half_height = 1.5, .density = 100.0 / 9, .friction = 0.6});
  }
  double deepest = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    step();
    if (frame < 2 * kQualityFrameRate) continue;
    for (int p = 0; p < kPiles; ++p) deepest = fmax(deepest, 2.5 - height_of(top[p]));
  }
  print_row(setting, "heavy", "heavy box sunk, mm", 1000 * deepest);
  quality_end();
}

/* Chains of 40 links of 0.5 m that begin level and swing, with a ball of 100 links' mass at the end. Measures the mean
 * gap in the joints, in percent of the length, over 10 s. */
static void chain(const QualitySetting* setting) {
  enum { kChains = 5, kLinks = 40, kFrames = 10 * kQualityFrameRate };
  begin(setting, 1);
  const int anchor = quality_add_box(&(QualityBox){.x = -30, .half_width = 0.1, .half_height = 0.1, .group = 1});
  const double half_length = 0.25, radius = 0.5, pi = 3.141592653589793;
  int first[kChains];
  for (int c = 0; c < kChains; ++c) {
    int before = anchor;
    for (int i = 0; i < kLinks; ++i) {
      const double x = 2 * half_length * i;
      const int link = quality_add_box(&(QualityBox){
          .x = x + half_length, .y = 5.0 * c, .half_width = half_length, .half_height = 0.1, .density = 1, .group = 1});
      if (i == 0) first[c] = link;
      quality_join(before, link, x, 5.0 * c);
      before = link;
    }
    const double length = 2 * half_length * kLinks, mass = 100 * 4 * half_length * 0.1;
    const int ball = quality_add_ball(length + radius, 5.0 * c, radius, mass / (pi * radius * radius), 0, 1);
    quality_join(before, ball, length, 5.0 * c);
  }
  double sum = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    step();
    for (int c = 0; c < kChains; ++c) {
      double end_x = 0, end_y = 5.0 * c;
      for (int i = 0; i <= kLinks; ++i) {
        double x, y;
        quality_point(first[c] + i, i == kLinks ? -radius : -half_length, 0, &x, &y);
        sum += hypot(x - end_x, y - end_y);
        quality_point(first[c] + i, half_length, 0, &end_x, &end_y);
      }
    }
  }
  print_row(setting, "chain", "gaps, % of the length", 100 * sum / (kFrames * kChains * 2 * half_length * kLinks));
  quality_end();
}

/* Boxes on slopes of 1 : 2. Returns their mean way down after the frames. */
static double slide(const QualitySetting* setting, double friction, int frames) {
  enum { kBoxes = 100 };
  const double angle = atan(0.5), c = cos(angle), s = sin(angle), pitch = 12;
  begin(setting, 1);
  int boxes[kBoxes];
  for (int i = 0; i < kBoxes; ++i) {
    const double x = pitch * (i - kBoxes / 2);
    quality_add_box(
        &(QualityBox){.x = x + s, .y = -c, .half_width = 5, .half_height = 1, .angle = angle, .friction = friction});
    boxes[i] = quality_add_box(&(QualityBox){.x = x - 0.5 * s,
                                             .y = 0.5 * c,
                                             .half_width = 1,
                                             .half_height = 0.5,
                                             .angle = angle,
                                             .density = 1,
                                             .friction = friction});
  }
  for (int frame = 0; frame < frames; ++frame) step();
  double sum = 0;
  for (int i = 0; i < kBoxes; ++i) {
    double x, y;
    quality_point(boxes[i], 0, 0, &x, &y);
    sum -= (x - pitch * (i - kBoxes / 2)) * c + y * s;
  }
  quality_end();
  return sum / kBoxes;
}

/* With 2 % more friction than a box needs, it stays; with 90 % of that, it slides as friction says. */
static void slope(const QualitySetting* setting) {
  print_row(setting, "slope", "creep in 10 s, mm", 1000 * slide(setting, 0.5 * 1.02, 10 * kQualityFrameRate));
  const double friction = 0.45, angle = atan(0.5), time = 2;
  const double exact = 0.5 * 10 * (sin(angle) - friction * cos(angle)) * time * time;
  const double slid = slide(setting, friction, (int)time * kQualityFrameRate);
  print_row(setting, "slope", "error of the slide in 2 s, %", 100 * fabs(slid / exact - 1));
}

/* Balls of 0.2 m that fly at a fixed wall of 0.1 m. Measures the highest speed up to which no ball passed. */
static void wall(const QualitySetting* setting) {
  enum { kSpeeds = 10, kBalls = 20, kFrames = kQualityFrameRate };
  static const double speeds[kSpeeds] = {5, 10, 15, 20, 30, 40, 60, 80, 160, 320};
  begin(setting, 0);
  const double half_height = kSpeeds * kBalls;
  quality_add_box(&(QualityBox){.half_width = 0.05, .half_height = half_height});
  int first = 0;
  for (int s = 0; s < kSpeeds; ++s) {
    for (int i = 0; i < kBalls; ++i) {
      /* The last step before the wall ends anywhere. */
      const double before = 0.2 + speeds[s] / kQualityFrameRate * (2 + (double)i / kBalls);
      const int ball = quality_add_ball(-before, 1 + s * kBalls + i - half_height / 2, 0.1, 1, speeds[s], 0);
      if (s == 0 && i == 0) first = ball;
    }
  }
  for (int frame = 0; frame < kFrames; ++frame) step();
  double stopped = 0;
  for (int s = 0; s < kSpeeds; ++s) {
    int passed = 0;
    for (int i = 0; i < kBalls; ++i) {
      double x, y;
      quality_point(first + s * kBalls + i, 0, 0, &x, &y);
      passed += x > 0;
    }
    if (passed != 0) break;
    stopped = speeds[s];
  }
  print_row(setting, "wall", "all balls stopped up to, m/s", stopped);
  quality_end();
}

int main(int argc, char** argv) {
  const int wanted = argc > 1 ? atoi(argv[1]) : kQualitySettingCount;
  if (wanted < 1 || wanted > kQualitySettingCount) {
    fprintf(stderr, "usage: quality [SETTINGS], the number of settings: 1 to %d\n", kQualitySettingCount);
    return 2;
  }
  printf("{\"rows\": [\n");
  for (int i = 0; i < wanted; ++i) {
    const QualitySetting* const setting = &kQualitySettings[i];
    stack(setting);
    heavy(setting);
    chain(setting);
    slope(setting);
    wall(setting);
    fflush(stdout);
  }
  printf("\n]}\n");
  return 0;
}

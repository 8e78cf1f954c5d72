// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/space/batch.h>

#include <array>
#include <vector>

namespace batch_scene {

inline constexpr double kStep = 1.0 / 60;

/// The memory of the body, its shapes and joints stays allocated.
inline void remove_body(cpSpace* space, cpBody* body) {
  std::vector<cpShape*> shapes;
  std::vector<cpConstraint*> joints;
  cpBodyEachShape(
      body, [](cpBody*, cpShape* shape, void* list) { static_cast<std::vector<cpShape*>*>(list)->push_back(shape); },
      &shapes);
  cpBodyEachConstraint(
      body,
      [](cpBody*, cpConstraint* joint, void* list) {
        static_cast<std::vector<cpConstraint*>*>(list)->push_back(joint);
      },
      &joints);
  for (cpShape* shape : shapes) cpSpaceRemoveShape(space, shape);
  for (cpConstraint* joint : joints) cpSpaceRemoveConstraint(space, joint);
  cpSpaceRemoveBody(space, body);
}

struct Scene {
  forkmunk::space::Space space;
  std::array<cpBody*, 4> boxes;
  cpBody* ball;
  cpShape *floor, *ball_shape;
  std::array<cpShape*, 4> box_shapes;
  cpConstraint *motor, *joint;

  Scene() {
    const auto scope = space.enter();
    cpSpace* in = space.space();
    cpSpaceSetGravity(in, cpv(0, -100));
    floor = cpSpaceAddShape(in, cpSegmentShapeNew(cpSpaceGetStaticBody(in), cpv(-300, 0), cpv(300, 0), 1));
    cpShapeSetFriction(floor, 1);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      boxes[i] = cpSpaceAddBody(in, cpBodyNew(1, cpMomentForBox(1, 20, 20)));
      cpBodySetPosition(boxes[i], cpv(60.0 * static_cast<double>(i), 30));
      box_shapes[i] = cpSpaceAddShape(in, cpBoxShapeNew(boxes[i], 20, 20, 0));
      cpShapeSetFriction(box_shapes[i], 0.7);
    }
    joint = cpSpaceAddConstraint(in, cpPivotJointNew(boxes[0], boxes[1], cpv(30, 30)));
    motor = cpSpaceAddConstraint(in, cpSimpleMotorNew(boxes[0], boxes[1], 1));
    ball = cpSpaceAddBody(in, cpBodyNewKinematic());
    cpBodySetPosition(ball, cpv(-100, 30));
    ball_shape = cpSpaceAddShape(in, cpCircleShapeNew(ball, 10, cpvzero));
  }

  void remove_box(std::size_t index) {
    remove_body(space.space(), boxes[index]);
    cpBodyFree(boxes[index]);
  }
};

}  // namespace batch_scene

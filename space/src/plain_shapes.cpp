#include <cmath>

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_unsafe.h>

/// Chipmunk's functions that change the input of collision tests, with a counter. The plain build renames the
/// originals. A step tests many pairs before the first callback, and compares the counter after each callback.
extern "C" {

void cpShapeCountChange(void);

#define FORKMUNK_COUNTED(result, function, parameters, arguments) \
  result forkmunk_plain_##function parameters;                    \
  result function parameters {                                    \
    cpShapeCountChange();                                         \
    return forkmunk_plain_##function arguments;                   \
  }

FORKMUNK_COUNTED(cpBB, cpShapeCacheBB, (cpShape * shape), (shape))
FORKMUNK_COUNTED(cpBB, cpShapeUpdate, (cpShape * shape, cpTransform transform), (shape, transform))
FORKMUNK_COUNTED(void, cpShapeSetFilter, (cpShape * shape, cpShapeFilter filter), (shape, filter))
FORKMUNK_COUNTED(void, cpCircleShapeSetRadius, (cpShape * shape, cpFloat radius), (shape, radius))
FORKMUNK_COUNTED(void, cpCircleShapeSetOffset, (cpShape * shape, cpVect offset), (shape, offset))
FORKMUNK_COUNTED(void, cpSegmentShapeSetEndpoints, (cpShape * shape, cpVect a, cpVect b), (shape, a, b))
FORKMUNK_COUNTED(void, cpSegmentShapeSetRadius, (cpShape * shape, cpFloat radius), (shape, radius))
FORKMUNK_COUNTED(void, cpSegmentShapeSetNeighbors, (cpShape * shape, cpVect prev, cpVect next), (shape, prev, next))
FORKMUNK_COUNTED(void, cpPolyShapeSetVerts, (cpShape * shape, int count, cpVect* vertices, cpTransform transform),
                 (shape, count, vertices, transform))
FORKMUNK_COUNTED(void, cpPolyShapeSetVertsRaw, (cpShape * shape, int count, cpVect* vertices), (shape, count, vertices))
FORKMUNK_COUNTED(void, cpPolyShapeSetRadius, (cpShape * shape, cpFloat radius), (shape, radius))
FORKMUNK_COUNTED(void, cpConstraintSetCollideBodies, (cpConstraint * joint, cpBool collide), (joint, collide))
// These functions may change joints and shapes of bodies in the stepping space even if another space is their argument.
FORKMUNK_COUNTED(cpConstraint*, cpSpaceAddConstraint, (cpSpace * space, cpConstraint* joint), (space, joint))
FORKMUNK_COUNTED(void, cpSpaceRemoveConstraint, (cpSpace * space, cpConstraint* joint), (space, joint))
FORKMUNK_COUNTED(void, cpSpaceReindexShape, (cpSpace * space, cpShape* shape), (space, shape))
FORKMUNK_COUNTED(void, cpSpaceReindexShapesForBody, (cpSpace * space, cpBody* body), (space, body))
FORKMUNK_COUNTED(void, cpSpaceReindexStatic, (cpSpace * space), (space))

#undef FORKMUNK_COUNTED

// Tests of segments without neighbours read how the body is turned where that is no number.
void forkmunk_plain_cpBodySetAngle(cpBody* body, cpFloat angle);
void cpBodySetAngle(cpBody* body, cpFloat angle) {
  if (!std::isfinite(angle) || !std::isfinite(cpBodyGetAngle(body))) cpShapeCountChange();
  forkmunk_plain_cpBodySetAngle(body, angle);
}
}

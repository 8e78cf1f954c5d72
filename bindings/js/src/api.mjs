// SPDX-License-Identifier: MIT
// The description of the package's classes: build.mjs writes the TypeScript types and the list of exported functions
// from it, and properties.mjs makes the accessors. A property has a type, a doc, Chipmunk's functions, and where it can
// be set, what is checked (checks.mjs) and its value in a new object.

const property = (name, type, get, set, check, initial, doc) => ({ name, type, get, set, check, initial, doc });
const shown = (name, type, get, doc) => ({ name, type, get, doc });
const method = (name, parameters, returns, doc, call) => ({ name, parameters, returns, doc, call });
/** A property `name` of the joint `joint`, by cpJointGetName and cpJointSetName. */
const ofJoint = (joint) => (name, type, check, doc, part = name[0].toUpperCase() + name.slice(1)) =>
  property(name, type, `cp${joint}Get${part}`, `cp${joint}Set${part}`, check, undefined, doc);

const zero = { x: 0, y: 0 };
const anchor = (of) => `Anchor of body ${of}, in its coordinates.`;

export const space = [
  property("gravity", "Vector", "cpSpaceGetGravity", "cpSpaceSetGravity", "vector", zero, "Of all dynamic bodies, per second squared."),
  property("iterations", "number", "cpSpaceGetIterations", "cpSpaceSetIterations", "count", 10, "Of the solver, in each step; at least 1."),
  property("damping", "number", "cpSpaceGetDamping", "cpSpaceSetDamping", "notNegative", 1, "Part of its velocity that a body keeps for a second."),
  property("idleSpeedThreshold", "number", "cpSpaceGetIdleSpeedThreshold", "cpSpaceSetIdleSpeedThreshold", "notNegative", 0, "Below it a body counts as idle; 0: estimated from gravity."),
  property("sleepTimeThreshold", "number", "cpSpaceGetSleepTimeThreshold", "cpSpaceSetSleepTimeThreshold", "positiveOrInfinite", Infinity, "Seconds until what is idle sleeps; Infinity: never, and all wake."),
  property("collisionSlop", "number", "cpSpaceGetCollisionSlop", "cpSpaceSetCollisionSlop", "notNegative", 0.1, "How far shapes may overlap."),
  property("collisionBias", "number", "cpSpaceGetCollisionBias", "cpSpaceSetCollisionBias", "notNegative", 0.0017970074436457143, "Part of an overlap that is left after a second."),
  property("collisionPersistence", "number", "cpSpaceGetCollisionPersistence", "cpSpaceSetCollisionPersistence", "count", 3, "Steps for which contacts are remembered."),
  shown("currentTimeStep", "number", "cpSpaceGetCurrentTimeStep", "dt of the last step, in seconds."),
];

export const body = {
  name: "Body",
  properties: [
    property("mass", "number", "cpBodyGetMass", "cpBodySetMass", "positive", 0, "Above 0, of dynamic bodies; Infinity of others."),
    property("moment", "number", "cpBodyGetMoment", "cpBodySetMoment", "positiveOrInfinite", 0, "Moment of inertia; Infinity: it never turns."),
    property("centerOfGravity", "Vector", "cpBodyGetCenterOfGravity", "cpBodySetCenterOfGravity", "vector", zero, "In the body's coordinates."),
    property("angle", "number", "cpBodyGetAngle", "cpBodySetAngle", "number", 0, "Radians, counter-clockwise."),
    property("position", "Vector", "cpBodyGetPosition", "cpBodySetPosition", "vector", zero, "Of the origin of its coordinates."),
    property("velocity", "Vector", "cpBodyGetVelocity", "cpBodySetVelocity", "vector", zero, "Of the centre of gravity, per second."),
    property("angularVelocity", "number", "cpBodyGetAngularVelocity", "cpBodySetAngularVelocity", "number", 0, "Radians per second."),
    property("force", "Vector", "cpBodyGetForce", "cpBodySetForce", "vector", zero, "For the next step."),
    property("torque", "number", "cpBodyGetTorque", "cpBodySetTorque", "number", 0, "For the next step."),
    shown("rotation", "Vector", "cpBodyGetRotation", "The angle as a vector of length 1."),
    shown("isSleeping", "boolean", "cpBodyIsSleeping", "Whether it sleeps."),
    shown("kineticEnergy", "number", "cpBodyKineticEnergy", "Twice the energy, as Chipmunk has it."),
  ],
  methods: [
    method("applyForceAtWorldPoint", { force: "Vector", point: "Vector" }, "void", "For the next step.", "cpBodyApplyForceAtWorldPoint"),
    method("applyForceAtLocalPoint", { force: "Vector", point: "Vector" }, "void", "Both in the body's coordinates.", "cpBodyApplyForceAtLocalPoint"),
    method("applyImpulseAtWorldPoint", { impulse: "Vector", point: "Vector" }, "void", "Changes the velocity at once.", "cpBodyApplyImpulseAtWorldPoint"),
    method("applyImpulseAtLocalPoint", { impulse: "Vector", point: "Vector" }, "void", "Both in the body's coordinates.", "cpBodyApplyImpulseAtLocalPoint"),
    method("localToWorld", { point: "Vector" }, "Vector", "From the body's coordinates to the space's.", "cpBodyLocalToWorld"),
    method("worldToLocal", { point: "Vector" }, "Vector", "From the space's coordinates to the body's.", "cpBodyWorldToLocal"),
    method("velocityAtWorldPoint", { point: "Vector" }, "Vector", "Of the body's part that is there.", "cpBodyGetVelocityAtWorldPoint"),
    method("velocityAtLocalPoint", { point: "Vector" }, "Vector", "Of the body's part that is there.", "cpBodyGetVelocityAtLocalPoint"),
    method("activate", {}, "void", "Wakes it, and all that touches it.", "cpBodyActivate"),
  ],
};

export const shape = {
  name: "Shape",
  properties: [
    property("friction", "number", "cpShapeGetFriction", "cpShapeSetFriction", "notNegative", 0, "Of two shapes it is the product."),
    property("elasticity", "number", "cpShapeGetElasticity", "cpShapeSetElasticity", "notNegative", 0, "Of two shapes it is the product; 0: no bounce."),
    property("sensor", "boolean", "cpShapeGetSensor", "cpShapeSetSensor", "boolean", false, "It calls back, but is not collided with."),
    property("collisionType", "number", "cpShapeGetCollisionType", "cpShapeSetCollisionType", "small", 0, "A number that collision handlers are for."),
    property("surfaceVelocity", "Vector", "cpShapeGetSurfaceVelocity", "cpShapeSetSurfaceVelocity", "vector", zero, "Of a conveyor belt."),
    property("filter", "Filter", "cpShapeGetFilter", "cpShapeSetFilter", "filter", { group: 0, categories: 0xffffffff, mask: 0xffffffff }, "What it collides with."),
    property("mass", "number", "cpShapeGetMass", "cpShapeSetMass", "notNegative", 0, "For bodies that get mass and moment from their shapes."),
    property("density", "number", "cpShapeGetDensity", "cpShapeSetDensity", "notNegative", 0, "Sets the mass by the area."),
    shown("area", "number", "cpShapeGetArea", "Of the shape."),
    shown("bb", "BoundingBox", "cpShapeGetBB", "As of the last step or reindexing."),
  ],
  methods: [],
};

export const shapes = [
  { name: "Circle", doc: "new Circle(body, radius, offset = {x: 0, y: 0})", parameters: { radius: "number", "offset?": "Vector" },
    properties: [shown("radius", "number", "cpCircleShapeGetRadius", "Its radius."), shown("offset", "Vector", "cpCircleShapeGetOffset", "Its centre, in the body's coordinates.")] },
  { name: "Segment", doc: "new Segment(body, a, b, radius = 0)", parameters: { a: "Vector", b: "Vector", "radius?": "number" },
    properties: [shown("a", "Vector", "cpSegmentShapeGetA", "One end, in the body's coordinates."), shown("b", "Vector", "cpSegmentShapeGetB", "The other end."), shown("radius", "number", "cpSegmentShapeGetRadius", "Half its thickness.")] },
  { name: "Poly", doc: "new Poly(body, vertices, radius = 0): the convex hull of the vertices", parameters: { vertices: "readonly Vector[]", "radius?": "number" },
    properties: [shown("radius", "number", "cpPolyShapeGetRadius", "By which its corners are rounded.")] },
];

export const constraint = {
  name: "Constraint",
  properties: [
    property("maxForce", "number", "cpConstraintGetMaxForce", "cpConstraintSetMaxForce", "notNegativeOrInfinite", Infinity, "That it may apply."),
    property("errorBias", "number", "cpConstraintGetErrorBias", "cpConstraintSetErrorBias", "notNegative", 0.0017970074436457143, "Part of an error that is left after a second."),
    property("maxBias", "number", "cpConstraintGetMaxBias", "cpConstraintSetMaxBias", "notNegativeOrInfinite", Infinity, "Speed at which errors are corrected at most."),
    property("collideBodies", "boolean", "cpConstraintGetCollideBodies", "cpConstraintSetCollideBodies", "boolean", true, "Whether its two bodies collide."),
    shown("impulse", "number", "cpConstraintGetImpulse", "That it applied in the last step."),
  ],
  methods: [],
};

/** All ten; `kind` is make_joint()'s in wasm/objects.cpp, `class` that of the allocation. */
export const joints = [
  { name: "PinJoint", kind: 0, parameters: { anchorA: "Vector", anchorB: "Vector" }, of: [["anchorA", "Vector", "vector", anchor("a")], ["anchorB", "Vector", "vector", anchor("b")], ["dist", "number", "notNegative", "Distance of the anchors."]] },
  { name: "SlideJoint", kind: 1, parameters: { anchorA: "Vector", anchorB: "Vector", min: "notNegative", max: "notNegative" }, of: [["anchorA", "Vector", "vector", anchor("a")], ["anchorB", "Vector", "vector", anchor("b")], ["min", "number", "notNegative", "Least distance of the anchors."], ["max", "number", "notNegative", "Greatest distance of the anchors."]] },
  { name: "PivotJoint", kind: 3, parameters: { anchorA: "Vector", anchorB: "Vector" }, of: [["anchorA", "Vector", "vector", anchor("a")], ["anchorB", "Vector", "vector", anchor("b")]] },
  { name: "GrooveJoint", kind: 4, parameters: { grooveA: "Vector", grooveB: "Vector", anchorB: "Vector" }, of: [["grooveA", "Vector", "vector", "One end of the groove, on body a."], ["grooveB", "Vector", "vector", "The other end."], ["anchorB", "Vector", "vector", anchor("b")]] },
  { name: "DampedSpring", kind: 5, parameters: { anchorA: "Vector", anchorB: "Vector", restLength: "number", stiffness: "number", damping: "number" }, of: [["anchorA", "Vector", "vector", anchor("a")], ["anchorB", "Vector", "vector", anchor("b")], ["restLength", "number", "number", "Without force."], ["stiffness", "number", "number", "Force per length."], ["damping", "number", "number", "Force per speed."]] },
  { name: "DampedRotarySpring", kind: 6, parameters: { restAngle: "number", stiffness: "number", damping: "number" }, of: [["restAngle", "number", "number", "Radians."], ["stiffness", "number", "number", "Torque per radian."], ["damping", "number", "number", "Torque per radian per second."]] },
  { name: "RotaryLimitJoint", kind: 7, parameters: { min: "number", max: "number" }, of: [["min", "number", "number", "Radians."], ["max", "number", "number", "Radians."]] },
  { name: "RatchetJoint", kind: 8, parameters: { phase: "number", ratchet: "notZero" }, of: [["angle", "number", "number", "Radians."], ["phase", "number", "number", "Radians."], ["ratchet", "number", "notZero", "Radians from click to click."]] },
  { name: "GearJoint", kind: 9, parameters: { phase: "number", ratio: "notZero" }, of: [["phase", "number", "number", "Radians."], ["ratio", "number", "notZero", "Of the angles."]] },
  { name: "SimpleMotor", kind: 10, parameters: { rate: "number" }, of: [["rate", "number", "number", "Radians per second."]] },
].map(({ of, ...joint }) => ({ ...joint, properties: of.map((each) => ofJoint(joint.name)(...each)) }));

export const arbiter = {
  name: "Arbiter",
  properties: [
    property("friction", "number", "cpArbiterGetFriction", "cpArbiterSetFriction", "notNegative", undefined, "Of this contact."),
    property("elasticity", "number", "cpArbiterGetRestitution", "cpArbiterSetRestitution", "notNegative", undefined, "Of this contact."),
    property("surfaceVelocity", "Vector", "cpArbiterGetSurfaceVelocity", "cpArbiterSetSurfaceVelocity", "vector", undefined, "Of this contact."),
    shown("isFirstContact", "boolean", "cpArbiterIsFirstContact", "Whether the shapes began to touch in this step."),
    shown("isRemoval", "boolean", "cpArbiterIsRemoval", "In `separate`: a shape is being removed."),
    shown("totalImpulse", "Vector", "cpArbiterTotalImpulse", "With friction; in `postSolve`."),
    shown("totalKineticEnergy", "number", "cpArbiterTotalKE", "That the collision took; in `postSolve`."),
    shown("normal", "Vector", "cpArbiterGetNormal", "From the first shape to the second."),
    shown("count", "number", "cpArbiterGetCount", "Of contact points, at most 2."),
  ],
  methods: [method("ignore", {}, "boolean", "Ignores the collision until the shapes separate; returns false, for `preSolve`.", "cpArbiterIgnore")],
};

const ownFunctions = [
  "forkmunk_space_new", "forkmunk_space_free", "forkmunk_space_space", "forkmunk_snapshot_new",
  "forkmunk_space_save_into", "forkmunk_space_restore", "forkmunk_space_fork", "forkmunk_space_hash",
  "forkmunk_space_first_difference", "forkmunk_space_live_bytes", "forkmunk_space_leave", "forkmunk_snapshot_free",
  "forkmunk_snapshot_size_bytes", "forkmunk_snapshot_write", "forkmunk_snapshot_read", "cpSpaceGetStaticBody", "cpBodyGetType",
  "cpShapeGetBody", "cpConstraintGetBodyA", "cpConstraintGetBodyB", "cpPolyShapeGetCount", "cpPolyShapeGetVert",
  "cpSpaceReindexStatic", "cpSpaceReindexShapesForBody", "cpSpaceReindexShape", "cpArbiterGetContactPointSet",
  "cpSegmentShapeSetNeighbors", "cpMomentForCircle", "cpMomentForBox", "cpMomentForSegment", "cpMomentForPoly",
];

/** The C functions that JavaScript calls; those of wasm/ export themselves. */
export function exportedFunctions() {
  const found = new Set(ownFunctions);
  for (const { properties = [], methods = [] } of [{ properties: space }, body, shape, ...shapes, constraint, ...joints, arbiter]) {
    for (const { get, set } of properties) [get, set].filter(Boolean).forEach((name) => found.add(name));
    for (const { call } of methods) found.add(call);
  }
  return [...found].sort();
}

// SPDX-License-Identifier: MIT
// The description of the package's classes: build.mjs writes the TypeScript types and the list of exported functions
// from it, and properties.mjs makes the accessors. A property has a type, a doc, Chipmunk's functions, and where it can
// be set, what is checked (checks.mjs) and its value in a new object. The docs and values of properties are those of
// ../../python/forkmunk/objects.json, which describes the same properties to Python.

import { readFileSync } from "node:fs";

const texts = JSON.parse(readFileSync(new URL("../../python/forkmunk/objects.json", import.meta.url), "utf8"));
const RANGES = {
  number: "any finite number", notZero: "any finite number other than 0", positive: "above 0", notNegative: "0 or more",
  positiveOrInfinite: "above 0, or Infinity", notNegativeOrInfinite: "0 or more, or Infinity", vector: "a pair of finite numbers",
  boolean: "true or false", count: "a whole number, 1 or more", small: "a whole number from 0 to 2^32 - 1", filter: "a filter",
};

const camelCase = (text) => text.replace(/(?<=[a-z])_([a-z])/g, (_, letter) => letter.toUpperCase());
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
function valueOf(value) {
  if (value === "infinity") return Infinity;
  return Array.isArray(value) ? { x: value[0], y: value[1] } : value;
}
function shownValue(value) {
  return typeof value === "object" ? `{ ${Object.entries(value).map(([name, each]) => `${name}: ${each}`).join(", ")} }` : String(value);
}
/** A property with the text that describes it; `described` is its name there, if that is another. */
function withText(owner, { described, ...property }) {
  const name = described ?? snakeCase(property.name), text = texts[owner]?.[name] ?? texts.Joint[name];
  const { unit, default: initial, doc: sentences, javascript = [] } = text;
  const value = property.set === undefined || initial === undefined ? undefined : valueOf(initial);
  const facts = Object.entries({ Unit: unit, Range: property.check && RANGES[property.check], Default: value === undefined ? undefined : shownValue(value) });
  const [first, ...others] = camelCase([...sentences, ...javascript].join("\n")).split("\n");
  const table = facts.filter(([, fact]) => fact !== undefined).map(([title, fact]) => `${title}: ${fact}.`).join(" ");
  return { ...property, initial: value, doc: [first, table, ...others].filter(Boolean).join("\n") };
}

const property = (name, type, get, set, check, described) => ({ name, type, get, set, check, described });
const shown = (name, type, get, described) => ({ name, type, get, described });
const method = (name, parameters, returns, doc, call) => ({ name, parameters, returns, doc, call });
/** A property `name` of the joint `joint`, by cpJointGetName and cpJointSetName. */
const ofJoint = (joint) => (name, type, check, described) => {
  const part = name[0].toUpperCase() + name.slice(1);
  return { ...withText(joint, property(name, type, `cp${joint}Get${part}`, `cp${joint}Set${part}`, check, described)), initial: undefined };
};

export const space = [
  property("gravity", "Vector", "cpSpaceGetGravity", "cpSpaceSetGravity", "vector"),
  property("iterations", "number", "cpSpaceGetIterations", "cpSpaceSetIterations", "count"),
  property("damping", "number", "cpSpaceGetDamping", "cpSpaceSetDamping", "notNegative"),
  property("idleSpeedThreshold", "number", "cpSpaceGetIdleSpeedThreshold", "cpSpaceSetIdleSpeedThreshold", "notNegative"),
  property("sleepTimeThreshold", "number", "cpSpaceGetSleepTimeThreshold", "cpSpaceSetSleepTimeThreshold", "positiveOrInfinite"),
  property("collisionSlop", "number", "cpSpaceGetCollisionSlop", "cpSpaceSetCollisionSlop", "notNegative"),
  property("collisionBias", "number", "cpSpaceGetCollisionBias", "cpSpaceSetCollisionBias", "notNegative"),
  property("collisionPersistence", "number", "cpSpaceGetCollisionPersistence", "cpSpaceSetCollisionPersistence", "count"),
  shown("currentTimeStep", "number", "cpSpaceGetCurrentTimeStep"),
].map((each) => withText("Space", each));

export const body = {
  name: "Body",
  properties: [
    property("mass", "number", "cpBodyGetMass", "cpBodySetMass", "positive"),
    property("moment", "number", "cpBodyGetMoment", "cpBodySetMoment", "positiveOrInfinite"),
    property("centerOfGravity", "Vector", "cpBodyGetCenterOfGravity", "cpBodySetCenterOfGravity", "vector"),
    property("angle", "number", "cpBodyGetAngle", "cpBodySetAngle", "number"),
    property("position", "Vector", "cpBodyGetPosition", "cpBodySetPosition", "vector"),
    property("velocity", "Vector", "cpBodyGetVelocity", "cpBodySetVelocity", "vector"),
    property("angularVelocity", "number", "cpBodyGetAngularVelocity", "cpBodySetAngularVelocity", "number"),
    property("force", "Vector", "cpBodyGetForce", "cpBodySetForce", "vector"),
    property("torque", "number", "cpBodyGetTorque", "cpBodySetTorque", "number"),
    shown("rotation", "Vector", "cpBodyGetRotation", "rotation_vector"),
    shown("isSleeping", "boolean", "cpBodyIsSleeping"),
    shown("kineticEnergy", "number", "cpBodyKineticEnergy"),
  ].map((each) => withText("Body", each)),
  methods: [
    method("applyForceAtWorldPoint", { force: "Vector", point: "Vector" }, "void", "Adds a force at a point, both in the space's coordinates, for the next step.", "cpBodyApplyForceAtWorldPoint"),
    method("applyForceAtLocalPoint", { force: "Vector", point: "Vector" }, "void", "Adds a force at a point, both in the body's coordinates, for the next step.", "cpBodyApplyForceAtLocalPoint"),
    method("applyImpulseAtWorldPoint", { impulse: "Vector", point: "Vector" }, "void", "Changes the velocity at once by an impulse at a point, both in the space's coordinates.", "cpBodyApplyImpulseAtWorldPoint"),
    method("applyImpulseAtLocalPoint", { impulse: "Vector", point: "Vector" }, "void", "Changes the velocity at once by an impulse at a point, both in the body's coordinates.", "cpBodyApplyImpulseAtLocalPoint"),
    method("localToWorld", { point: "Vector" }, "Vector", "Returns the space's coordinates of a point in the body's coordinates.", "cpBodyLocalToWorld"),
    method("worldToLocal", { point: "Vector" }, "Vector", "Returns the body's coordinates of a point in the space's coordinates.", "cpBodyWorldToLocal"),
    method("velocityAtWorldPoint", { point: "Vector" }, "Vector", "Returns the velocity of the body's matter at a point in the space's coordinates.", "cpBodyGetVelocityAtWorldPoint"),
    method("velocityAtLocalPoint", { point: "Vector" }, "Vector", "Returns the velocity of the body's matter at a point in the body's coordinates.", "cpBodyGetVelocityAtLocalPoint"),
    method("activate", {}, "void", "Wakes the body and the bodies that touch it or are joined to it.", "cpBodyActivate"),
  ],
};

export const shape = {
  name: "Shape",
  properties: [
    property("friction", "number", "cpShapeGetFriction", "cpShapeSetFriction", "notNegative"),
    property("elasticity", "number", "cpShapeGetElasticity", "cpShapeSetElasticity", "notNegative"),
    property("sensor", "boolean", "cpShapeGetSensor", "cpShapeSetSensor", "boolean"),
    property("collisionType", "number", "cpShapeGetCollisionType", "cpShapeSetCollisionType", "small"),
    property("surfaceVelocity", "Vector", "cpShapeGetSurfaceVelocity", "cpShapeSetSurfaceVelocity", "vector"),
    property("filter", "Filter", "cpShapeGetFilter", "cpShapeSetFilter", "filter"),
    property("mass", "number", "cpShapeGetMass", "cpShapeSetMass", "notNegative"),
    property("density", "number", "cpShapeGetDensity", "cpShapeSetDensity", "notNegative"),
    shown("area", "number", "cpShapeGetArea"),
    shown("bb", "BoundingBox", "cpShapeGetBB"),
  ].map((each) => withText("Shape", each)),
  methods: [],
};

export const shapes = [
  { name: "Circle", doc: "new Circle(body, radius, offset = {x: 0, y: 0})", parameters: { radius: "number", "offset?": "Vector" },
    properties: [shown("radius", "number", "cpCircleShapeGetRadius"), shown("offset", "Vector", "cpCircleShapeGetOffset")] },
  { name: "Segment", doc: "new Segment(body, a, b, radius = 0)", parameters: { a: "Vector", b: "Vector", "radius?": "number" },
    properties: [shown("a", "Vector", "cpSegmentShapeGetA"), shown("b", "Vector", "cpSegmentShapeGetB"), shown("radius", "number", "cpSegmentShapeGetRadius")] },
  { name: "Poly", doc: "new Poly(body, vertices, radius = 0): the convex hull of the vertices", parameters: { vertices: "readonly Vector[]", "radius?": "number" },
    properties: [shown("radius", "number", "cpPolyShapeGetRadius")] },
].map(({ properties, ...each }) => ({ ...each, properties: properties.map((own) => withText(each.name, own)) }));

export const constraint = {
  name: "Constraint",
  properties: [
    property("maxForce", "number", "cpConstraintGetMaxForce", "cpConstraintSetMaxForce", "notNegativeOrInfinite"),
    property("errorBias", "number", "cpConstraintGetErrorBias", "cpConstraintSetErrorBias", "notNegative"),
    property("maxBias", "number", "cpConstraintGetMaxBias", "cpConstraintSetMaxBias", "notNegativeOrInfinite"),
    property("collideBodies", "boolean", "cpConstraintGetCollideBodies", "cpConstraintSetCollideBodies", "boolean"),
    shown("impulse", "number", "cpConstraintGetImpulse"),
  ].map((each) => withText("Constraint", each)),
  methods: [],
};

/** All ten; `kind` is make_joint()'s in wasm/objects.cpp, `class` that of the allocation. */
export const joints = [
  { name: "PinJoint", kind: 0, parameters: { anchorA: "Vector", anchorB: "Vector" }, of: [["anchorA", "Vector", "vector"], ["anchorB", "Vector", "vector"], ["dist", "number", "notNegative", "distance"]] },
  { name: "SlideJoint", kind: 1, parameters: { anchorA: "Vector", anchorB: "Vector", min: "notNegative", max: "notNegative" }, of: [["anchorA", "Vector", "vector"], ["anchorB", "Vector", "vector"], ["min", "number", "notNegative"], ["max", "number", "notNegative"]] },
  { name: "PivotJoint", kind: 3, parameters: { anchorA: "Vector", anchorB: "Vector" }, of: [["anchorA", "Vector", "vector"], ["anchorB", "Vector", "vector"]] },
  { name: "GrooveJoint", kind: 4, parameters: { grooveA: "Vector", grooveB: "Vector", anchorB: "Vector" }, of: [["grooveA", "Vector", "vector"], ["grooveB", "Vector", "vector"], ["anchorB", "Vector", "vector"]] },
  { name: "DampedSpring", kind: 5, parameters: { anchorA: "Vector", anchorB: "Vector", restLength: "number", stiffness: "number", damping: "number" }, of: [["anchorA", "Vector", "vector"], ["anchorB", "Vector", "vector"], ["restLength", "number", "number"], ["stiffness", "number", "number"], ["damping", "number", "number"]] },
  { name: "DampedRotarySpring", kind: 6, parameters: { restAngle: "number", stiffness: "number", damping: "number" }, of: [["restAngle", "number", "number"], ["stiffness", "number", "number"], ["damping", "number", "number"]] },
  { name: "RotaryLimitJoint", kind: 7, parameters: { min: "number", max: "number" }, of: [["min", "number", "number"], ["max", "number", "number"]] },
  { name: "RatchetJoint", kind: 8, parameters: { phase: "number", ratchet: "notZero" }, of: [["angle", "number", "number"], ["phase", "number", "number"], ["ratchet", "number", "notZero"]] },
  { name: "GearJoint", kind: 9, parameters: { phase: "number", ratio: "notZero" }, of: [["phase", "number", "number"], ["ratio", "number", "notZero"]] },
  { name: "SimpleMotor", kind: 10, parameters: { rate: "number" }, of: [["rate", "number", "number"]] },
].map(({ of, ...joint }) => ({ ...joint, properties: of.map((each) => ofJoint(joint.name)(...each)) }));

const ofArbiter = (name, type, get, doc, set, check) => ({ name, type, get, set, check, doc });
export const arbiter = {
  name: "Arbiter",
  properties: [
    ofArbiter("friction", "number", "cpArbiterGetFriction", "The friction of this contact: at first the product of both shapes' frictions. Set it in `preSolve`.", "cpArbiterSetFriction", "notNegative"),
    ofArbiter("elasticity", "number", "cpArbiterGetRestitution", "The elasticity of this contact: at first the product of both shapes' elasticities. Set it in `preSolve`.", "cpArbiterSetRestitution", "notNegative"),
    ofArbiter("surfaceVelocity", "Vector", "cpArbiterGetSurfaceVelocity", "The velocity of the second shape's surface relative to the first shape's. Set it in `preSolve`.", "cpArbiterSetSurfaceVelocity", "vector"),
    ofArbiter("isFirstContact", "boolean", "cpArbiterIsFirstContact", "The flag that is set in the first step in which the shapes touch."),
    ofArbiter("isRemoval", "boolean", "cpArbiterIsRemoval", "The flag that is set in `separate` if a shape is being removed."),
    ofArbiter("totalImpulse", "Vector", "cpArbiterTotalImpulse", "The impulse of the contact in this step, friction included. Read it in `postSolve`."),
    ofArbiter("totalKineticEnergy", "number", "cpArbiterTotalKE", "The kinetic energy that the contact has taken in this step. Read it in `postSolve`."),
    ofArbiter("normal", "Vector", "cpArbiterGetNormal", "The direction from the first shape to the second, of length 1."),
    ofArbiter("count", "number", "cpArbiterGetCount", "The number of contact points, at most 2."),
  ],
  methods: [method("ignore", {}, "boolean", "Ignores the collision until the shapes separate. Returns false, for `preSolve` to return.", "cpArbiterIgnore")],
};

const ownFunctions = [
  "forkmunk_space_new", "forkmunk_space_free", "forkmunk_space_space", "forkmunk_snapshot_new",
  "forkmunk_space_save_into", "forkmunk_space_restore", "forkmunk_space_fork", "forkmunk_space_hash",
  "forkmunk_space_first_difference", "forkmunk_space_live_bytes", "forkmunk_space_leave", "forkmunk_snapshot_free",
  "forkmunk_last_error", "forkmunk_session_confirmed_frame", "forkmunk_session_delay", "forkmunk_session_drop", "forkmunk_session_event",
  "forkmunk_session_frame", "forkmunk_session_free", "forkmunk_session_is_host", "forkmunk_session_is_playing", "forkmunk_session_leave",
  "forkmunk_session_receive", "forkmunk_session_set_delay", "forkmunk_session_tick", "forkmunk_session_wait", "forkmunk_session_waiting_for",
  "forkmunk_session_write_bytes", "forkmunk_sync_test_frame", "forkmunk_sync_test_free", "forkmunk_sync_test_tick",
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

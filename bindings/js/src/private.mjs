// SPDX-License-Identifier: MIT
// The keys of the package's data in objects that games see and extend.

const key = (name) => Symbol(`forkmunk.${name}`);

/**
 * The data of bodies, shapes and joints. `space` stays after removal; `entry`: in registries, from the first Space.add() on;
 * `seen`: the registry in which `pointer` was found; `isPlain`: the object is plain data in states without it; `data`,
 * `links`: values and bodies of plain data.
 */
export const $own = key("own");
// The keys of their classes:
export const $kind = key("kind");
export const $base = key("base"); // the package's class, also of a game's subclass
export const $accessors = key("accessors"); // name to {get, set}, even if a subclass redefines them
export const $make = key("make"); // makes the object on the given bodies, and returns its address
export const $given = key("given"); // names of the values that $make() uses
// The keys of spaces and snapshots:
export const $world = key("world"); // the address of the space or snapshot in C; 0 if freed
export const $root = key("root"); // the address of Chipmunk's space
export const $registry = key("registry");
export const $handles = key("handles"); // entry to object
export const $lists = key("lists");
export const $lineage = key("lineage"); // shared by a space, its forks and their snapshots
export const $numbered = key("numbered"); // returns the present entries by the objects' numbers
export const $first = key("first"); // such entries of a rollback session's start, for a state that it received
export const $handlers = key("handlers");
export const $later = key("later");
export const $checksSteps = key("checksSteps");
export const $thrown = key("thrown");
export const $torn = key("torn"); // the error that left a call half done, or null
export const $transforms = key("transforms");
export const $at = key("at");
export const $checked = key("checked");
export const $require = key("require");
export const $follow = key("follow"); // runs a restore in C, and takes up what it changes
export const $module = key("module");

// Matches and recordings as lists of numbers, in the order of web/src/number_reader.h. Shapes are those of the contest's
// messages; what old logs leave out gets the program's defaults.

import { asList, asNumber, asObject, LogError, type Fields } from "../log/fields";
import { SIDES, STATE_SIZE, type Game, type Pair } from "../log/game";

const PLAIN = ["car_body_mass", "car_body_friction", "car_body_elasticity", "max_speed", "max_angular_speed", "torque"];
const OPTIONAL: Fields = { max_angular_speed: 0, joint: [0, 0], groove_offset: 5, squared_wheels: false, external_id: 0 };
const WHEEL = [
  "mass", "radius", "position", "friction", "elasticity", "joint", "groove_offset", "damp_position", "damp_length",
  "damp_stiffness", "damp_damping",
];

/** proto_map and proto_car of a match. */
export interface Shape {
  map: Fields;
  car: Fields;
}

function pushValue(out: number[], value: unknown, path: string): void {
  if (Array.isArray(value)) value.forEach((entry, i) => pushValue(out, entry, `${path}[${i}]`));
  else if (typeof value === "number") out.push(value);
  else out.push(asNumber(value, path));
}

function pushPoints(out: number[], value: unknown, path: string): void {
  const list = asList(value, path);
  out.push(list.length);
  pushValue(out, list, path);
}

function pushWheel(out: number[], car: Fields, wheel: string): void {
  for (const name of WHEEL) pushValue(out, car[`${wheel}_${name}`] ?? OPTIONAL[name], `proto_car.${wheel}_${name}`);
}

function pushSetup(out: number[], { map, car }: Shape): void {
  out.push(asNumber(map.external_id ?? 0, "proto_map.external_id"));
  pushPoints(out, map.segments, "proto_map.segments");
  out.push(asNumber(car.external_id ?? 0, "proto_car.external_id"));
  pushPoints(out, car.car_body_poly, "proto_car.car_body_poly");
  pushPoints(out, car.button_poly, "proto_car.button_poly");
  for (const name of PLAIN) pushValue(out, car[name] ?? OPTIONAL[name], `proto_car.${name}`);
  out.push(asNumber(car.drive, "proto_car.drive"), car.squared_wheels === true ? 1 : 0);
  pushWheel(out, car, "rear_wheel");
  pushWheel(out, car, "front_wheel");
}

/** For Engine.create(). Throws a LogError. */
export function scheduleNumbers(lives: Pair<number>, matches: Shape[]): Float64Array {
  const out: number[] = [...lives, matches.length];
  for (const shape of matches) pushSetup(out, shape);
  return Float64Array.from(out);
}

/** For Engine.open() and adopt(); with the commands that the page knows, or without any. Throws a LogError. */
export function recordingNumbers(game: Game, withCommands = game.commandsFrom === "log"): Float64Array {
  const out: number[] = [withCommands ? 1 : 0, ...(game.finalLives ?? [-1, -1]), game.matches.length];
  for (const match of game.matches) {
    pushSetup(out, { map: asObject(match.shape.map, "proto_map"), car: asObject(match.shape.car, "proto_car") });
    out.push(...match.lives, match.ticks);
    for (let index = match.first; index < match.first + match.ticks; ++index) {
      out.push(game.tickNums[index]);
      for (let i = 0; i < STATE_SIZE; ++i) out.push(game.states[index * STATE_SIZE + i]);
      out.push(...match.facing);
      for (const side of SIDES) out.push(game.alive[2 * index + side] === 2 ? -1 : game.alive[2 * index + side]);
      for (const side of SIDES) out.push(withCommands ? game.commands[2 * index + side] - 1 : -1);
    }
  }
  if (out.some((value) => !Number.isFinite(value))) throw new LogError("found a number that is not finite");
  return Float64Array.from(out);
}

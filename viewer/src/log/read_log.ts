// A recording's JSON as a Game. What official logs carry is checked; of what they do not, only a trace of the program's
// own is read. Old logs without alive flags, rest ticks or commands are fine.

import { carName, mapName, type Catalogue } from "./catalogue";
import type { CarriedStates } from "../engine/carried";
import type { NativeVerdict } from "../panels/verdict";
import { findDeaths } from "./deaths";
import { asCount, asList, asNumber, asObject, asPoint, asPositive, describe, fail, LogError, type Fields } from "./fields";
import { COMMANDS, SIDES } from "./game";
import type { CarShape, Game, MapShape, Match, Pair, Point, Side } from "./game";
import { readThoughts } from "./thoughts";

const LIVES_MAX = 1_000_000;
const TICK_NUM_MAX = 1_000_000;
const SEGMENTS_MAX = 512;
const VERTICES_MAX = 32;

/** What only the program knows of a game: it has replayed it. */
export interface Extras {
  /** By match and side: "map", "box", "deadline", "enemy"; null for who lives. */
  causes?: Pair<string | null>[];
  /** One string a side, a letter a tick (L, S, R or -), if the log has no commands of its own. */
  commands?: Pair<string>;
  verdict?: NativeVerdict;
  /** If the game is exact in the referee's arithmetic. */
  states?: CarriedStates;
}

interface Reading {
  game: Game;
  /** Of each tick and side: 1 alive, 0 dead, 2 if the log does not tell. */
  alive: number[];
  states: number[];
  tickNums: number[];
}

function readPolygon(value: unknown, path: string): Point[] {
  const points = asList(value, path, "a list of points [x, y]");
  if (points.length < 3 || points.length > VERTICES_MAX) {
    fail(path, value, `a polygon of 3 to ${VERTICES_MAX} points`);
  }
  return points.map((point, i) => asPoint(point, `${path}[${i}]`));
}

function readCar(value: unknown, path: string, catalogue: Catalogue | null): CarShape {
  const car = asObject(value, path);
  const square = car.squared_wheels ?? false;
  if (typeof square !== "boolean") fail(`${path}.squared_wheels`, square, "true or false");
  return {
    id: asNumber(car.external_id ?? 0, `${path}.external_id`),
    name: carName(catalogue, car),
    body: readPolygon(car.car_body_poly, `${path}.car_body_poly`),
    button: readPolygon(car.button_poly, `${path}.button_poly`),
    rearRadius: asPositive(car.rear_wheel_radius, `${path}.rear_wheel_radius`),
    frontRadius: asPositive(car.front_wheel_radius, `${path}.front_wheel_radius`),
    squareWheels: square,
  };
}

function readMap(value: unknown, path: string, catalogue: Catalogue | null): MapShape {
  const map = asObject(value, path);
  const list = asList(map.segments, `${path}.segments`);
  if (list.length > SEGMENTS_MAX) fail(`${path}.segments`, list, `at most ${SEGMENTS_MAX} segments`);
  const segments = list.map((entry, i) => {
    const at = `${path}.segments[${i}]`;
    if (!Array.isArray(entry) || entry.length !== 3) fail(at, entry, "a segment [[x, y], [x, y], radius]");
    return { a: asPoint(entry[0], `${at}[0]`), b: asPoint(entry[1], `${at}[1]`), radius: asNumber(entry[2], `${at}[2]`) };
  });
  return { id: asNumber(map.external_id ?? 0, `${path}.external_id`), name: mapName(catalogue, map), segments };
}

function readLives(value: unknown, path: string): Pair<number> {
  const lives = asObject(value, path, 'lives by player, {"1": …, "2": …}');
  return [asCount(lives["1"], `${path}.1`, LIVES_MAX), asCount(lives["2"], `${path}.2`, LIVES_MAX)];
}

/** A match without ticks, from its message's shapes. */
export function readMatchShape(map: unknown, car: unknown, lives: Pair<number>, catalogue: Catalogue | null): Match {
  return {
    map: readMap(map, "params.proto_map", catalogue),
    car: readCar(car, "params.proto_car", catalogue),
    lives,
    facing: [1, -1],
    first: 0,
    ticks: 0,
    shape: { map: asObject(map, "params.proto_map"), car: asObject(car, "params.proto_car") },
    deaths: [null, null],
  };
}

function readMatch(reading: Reading, params: Fields, catalogue: Catalogue | null): void {
  const lives = readLives(params.lives, "params.lives");
  const match = readMatchShape(params.proto_map, params.proto_car, lives, catalogue);
  reading.game.matches.push({ ...match, first: reading.tickNums.length });
}

/** Appends a car's nine numbers. */
function readCarState(reading: Reading, match: Match, value: unknown, side: Side): void {
  const path = `params.cars.${side + 1}`;
  const expected = "a car's state [[x, y], angle, side, [x, y, angle], [x, y, angle], alive]";
  if (!Array.isArray(value) || value.length < 5 || value.length > 6) fail(path, value, expected);
  const { states, alive } = reading;
  const origin = asPoint(value[0], `${path}[0]`);
  states.push(origin.x, origin.y, asNumber(value[1], `${path}[1]`));
  if (value[2] !== 1 && value[2] !== -1) fail(`${path}[2]`, value[2], "1 or -1");
  if (match.ticks === 0) match.facing[side] = value[2];
  for (const wheel of [3, 4]) {
    const numbers = asList(value[wheel], `${path}[${wheel}]`, "a wheel [x, y, angle]");
    if (numbers.length !== 3) fail(`${path}[${wheel}]`, numbers, "a wheel [x, y, angle]");
    for (let i = 0; i < 3; ++i) states.push(asNumber(numbers[i], `${path}[${wheel}][${i}]`));
  }
  if (value.length === 5) alive.push(2);
  else if (typeof value[5] === "boolean") alive.push(value[5] ? 1 : 0);
  else fail(`${path}[5]`, value[5], "true or false");
}

function readTick(reading: Reading, params: Fields): void {
  const match = reading.game.matches[reading.game.matches.length - 1];
  if (match === undefined) throw new LogError("found a tick before any new_match, expected a new_match first");
  const cars = asObject(params.cars, "params.cars", 'states by player, {"1": …, "2": …}');
  for (const side of SIDES) readCarState(reading, match, cars[String(side + 1)], side);
  reading.states.push(asNumber(params.deadline_position, "params.deadline_position"));
  reading.tickNums.push(asCount(params.tick_num, "params.tick_num", TICK_NUM_MAX));
  ++match.ticks;
}

function readEvent(reading: Reading, event: unknown, catalogue: Catalogue | null): void {
  const { type, params } = asObject(event, "the event");
  if (type === "tick") readTick(reading, asObject(params, "params"));
  else if (type === "new_match") readMatch(reading, asObject(params, "params"), catalogue);
  else if (type === "end_game") reading.game.finalLives = readLives(params, "params");
  else fail("type", type, '"new_match", "tick" or "end_game"');
}

function readEvents(reading: Reading, events: unknown[], catalogue: Catalogue | null): void {
  events.forEach((event, i) => {
    try {
      readEvent(reading, event, catalogue);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      const type = (event as Fields | null)?.type;
      const name = type === "tick" || type === "new_match" || type === "end_game" ? ` (${type})` : "";
      throw new LogError(`event ${i}${name}: ${error.message}`);
    }
  });
}

/** Like the program: a list of another length than there are ticks goes by tick_num. */
function readCommands(game: Game, value: unknown): void {
  if (value === undefined || value === null) return;
  const list = asList(value, "commands");
  if (list.length === 0) return;
  const byPosition = list.length === game.tickCount;
  for (let index = 0; index < game.tickCount; ++index) {
    const at = byPosition ? index : game.tickNums[index];
    const pair = list[at];
    if (pair === undefined || pair === null) continue;
    const path = `commands[${at}]`;
    const taken = asList(pair, path, "a pair of commands");
    for (const side of SIDES) {
      const command = taken[side] ?? "none";
      const code = COMMANDS.indexOf(command as (typeof COMMANDS)[number]);
      if (code < 0) fail(`${path}[${side}]`, command, '"left", "stop", "right" or null');
      game.commands[2 * index + side] = code;
    }
  }
  game.commandsFrom = "log";
}

function takeCommands(game: Game, letters: Pair<string>): void {
  for (const side of SIDES) {
    for (let index = 0; index < Math.min(game.tickCount, letters[side].length); ++index) {
      game.commands[2 * index + side] = Math.max(0, "-LSR".indexOf(letters[side][index]));
    }
  }
  game.commandsFrom = "replay";
}

function readPlayers(value: unknown): Pair<string> {
  const config = asObject(value, "config", 'player ids, {"1": …, "2": …}');
  const names = ["1", "2"].map((key) => {
    const id = config[key];
    if (typeof id !== "string" && typeof id !== "number") fail(`config.${key}`, id, "a text or a number");
    return String(id);
  });
  return names as Pair<string>;
}

/** Throws a LogError for what is no recording. */
export function readLog(value: unknown, fileName: string, catalogue: Catalogue | null, extras: Extras = {}): Game {
  const root = asObject(value, "the file", "a recording: a JSON object");
  if (!("visio_info" in root)) {
    const keys = Object.keys(root).slice(0, 5).map(describe).join(", ");
    throw new LogError(`found JSON with ${keys === "" ? "no keys" : "the keys " + keys}, expected "config" and "visio_info"`);
  }
  const game: Game = {
    fileName, players: readPlayers(root.config), matches: [], finalLives: null, tickCount: 0, states: new Float64Array(),
    tickNums: new Int32Array(), alive: new Uint8Array(), commands: new Uint8Array(), commandsFrom: "nowhere", said: null, thoughts: null,
    termNames: [[], []],
  };
  const reading: Reading = { game, alive: [], states: [], tickNums: [] };
  readEvents(reading, asList(root.visio_info, "visio_info"), catalogue);
  if (game.matches.length === 0) throw new LogError("visio_info: found no match, expected a new_match event");
  game.tickCount = reading.tickNums.length;
  if (game.tickCount === 0) throw new LogError("visio_info: found no tick, expected at least one");
  game.states = Float64Array.from(reading.states);
  game.tickNums = Int32Array.from(reading.tickNums);
  game.alive = Uint8Array.from(reading.alive);
  game.commands = new Uint8Array(2 * game.tickCount);
  readCommands(game, root.commands);
  if (game.commandsFrom === "nowhere" && extras.commands) takeCommands(game, extras.commands);
  readThoughts(game, root);
  findDeaths(game, reading.alive, extras.causes ?? null);
  return game;
}

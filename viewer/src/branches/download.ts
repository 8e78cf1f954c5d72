// A branch as a visio.gz, in the official runner's form and with its commands: forkmunk verify reads it.

import { carOffset, COMMANDS, deadlineAt, SIDES, type Game, type Match } from "../log/game";

type Json = Record<string, unknown>;

function tickEvent(game: Game, match: Match, index: number): Json {
  const cars: Json = {};
  for (const side of SIDES) {
    const at = carOffset(index, side);
    const part = (from: number, to: number) => [...game.states.subarray(at + from, at + to)];
    cars[String(side + 1)] = [part(0, 2), game.states[at + 2], match.facing[side], part(3, 6), part(6, 9), game.alive[2 * index + side] !== 0];
  }
  return { type: "tick", params: { cars, deadline_position: deadlineAt(game, index), tick_num: game.tickNums[index] } };
}

/** The recording of a branch. What was done at the last tick is not known unless the game is over: it is left out. */
export function recordingOf(game: Game): Json {
  const end = game.finalLives === null ? game.tickCount - 1 : game.tickCount;
  const events: Json[] = [];
  const commands: (string | null)[][] = [];
  const pair = ([first, second]: [number, number]): Json => ({ "1": first, "2": second });
  for (const match of game.matches) {
    if (match.first >= end) break;
    const { map, car } = match.shape;
    events.push({ type: "new_match", params: { lives: pair(match.lives), proto_map: map, proto_car: car } });
    for (let index = match.first; index < Math.min(end, match.first + match.ticks); ++index) {
      events.push(tickEvent(game, match, index));
      commands.push(SIDES.map((side) => (game.commands[2 * index + side] === 0 ? null : COMMANDS[game.commands[2 * index + side]])));
    }
  }
  if (game.finalLives !== null) events.push({ type: "end_game", params: pair(game.finalLives) });
  return { config: { "1": game.players[0], "2": game.players[1] }, visio_info: events, commands };
}

/** Why a branch cannot be downloaded: it would be no recording that a replay can play. */
export const MIXED = (ownFrom: number) =>
  `This branch cannot be downloaded as a recording: it is in the referee's arithmetic before tick ${ownFrom} of the game and ` +
  "in strict arithmetic from there on, and no replay has both. forkmunk verify would rightly call it different";

export async function download(game: Game): Promise<void> {
  const stream = new Blob([JSON.stringify(recordingOf(game))]).stream().pipeThrough(new CompressionStream("gzip"));
  const url = URL.createObjectURL(await new Response(stream).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = `${game.fileName.replace(/(\.visio)?(\.gz|\.json)?$/, "").replace(/[^\w.-]+/g, "_")}.visio.gz`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// SPDX-License-Identifier: MIT
// Decompresses files, and decodes data that are embedded in the page.

import type { Pair } from "../log/game";
import type { Difference, LabelProblem, State } from "./module";

/** Fifty times a long game, as in the program. A small gzip file could expand to far more. */
const TEXT_BYTES_MAX = 64 << 20;

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Rejects data that are corrupt, truncated or too long. */
export async function inflated(bytes: Uint8Array<ArrayBuffer>, bytesMax = TEXT_BYTES_MAX): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const part = await reader.read().catch(() => {
      throw new Error(`corrupt or truncated gzip data after ${size} bytes of text; download or copy the file again`);
    });
    if (part.done) break;
    chunks.push(part.value);
    size += part.value.length;
    if (size > bytesMax) {
      await reader.cancel();
      throw new Error(`decompresses to more than the limit of ${bytesMax} bytes`);
    }
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

export async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length > TEXT_BYTES_MAX) throw new Error(`has ${bytes.length} bytes; the limit is ${TEXT_BYTES_MAX}`);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? inflated(bytes) : bytes;
}


/** States in an arithmetic that browsers lack. */
interface CarriedStates {
  /** Their distance in ticks. */
  every: number;
  ticks: number[];
  sizes: number[];
  /** Concatenated, gzipped, in base64. */
  bytes: string;
}

/** The data that the program writes (apps/cli/reports/page.cpp). */
export interface Extras {
  /** By match and side; null for a survivor. */
  causes?: Pair<string | null>[];
  /** A letter per tick and side (L, S, R or -), if the recording has no commands. */
  commands?: Pair<string>;
  verdict?: NativeVerdict;
  /** Present only if the game is exact in referee arithmetic. */
  states?: CarriedStates;
}

export interface NativeVerdict {
  arithmetic: "strict" | "referee";
  mismatching: number;
  first: Difference | null;
  labels: LabelProblem[];
}

export async function statesOf(carried: CarriedStates): Promise<State[]> {
  const all = await inflated(fromBase64(carried.bytes));
  let at = 0;
  return carried.ticks.map((index, i) => {
    const bytes = all.slice(at, at + carried.sizes[i]);
    at += carried.sizes[i];
    return { index, bytes };
  });
}

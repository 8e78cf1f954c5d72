// SPDX-License-Identifier: MIT
// Decompresses files, and decodes data that are embedded in the page.

import type { Pair } from "../log/game";
import type { Verdict } from "./module";

/** Fifty times a long game, as in the program. A small gzip file could expand to far more. */
const TEXT_BYTES_MAX = 64 << 20;
/** The zeros at the end of an empty gzip member: two of the data, and its checksum and length. */
const MEMBER_ZEROS_MAX = 10;
/** The first bytes of a member occur by chance once in 16 MiB. */
const TRIES_MAX = 32;
/** They bound the text that a stream holds before it is counted. */
const CHUNK_BYTES = 64 << 10;

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Returns null if `bytes` are not one whole gzip member: a browser's stream fails at bytes after a member. */
async function textOfMember(bytes: Uint8Array<ArrayBuffer>, bytesMax: number, left: number): Promise<Uint8Array<ArrayBuffer> | null> {
  let at = 0;
  const chunk = (): Uint8Array<ArrayBuffer> => bytes.subarray(at, (at += CHUNK_BYTES));
  // A blob's own stream takes milliseconds for each member.
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (to) => (at < bytes.length ? to.enqueue(chunk()) : to.close()),
  });
  const reader = source.pipeThrough(new DecompressionStream("gzip")).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const part = await reader.read().catch(() => null);
    if (part === null) return null;
    if (part.done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    chunks.push(part.value);
    size += part.value.length;
    if (size > left) {
      await reader.cancel();
      throw new Error(`decompresses to more than the limit of ${bytesMax} bytes`);
    }
  }
}

/** Yields where the member at `from` can end: before another one, at the end, or in zeros that fill the file. */
function* possibleEnds(bytes: Uint8Array, from: number, zeros: number): Generator<number> {
  let tries = 0;
  for (let at = bytes.indexOf(0x1f, from + 1); at >= 0 && tries < TRIES_MAX; at = bytes.indexOf(0x1f, at + 1)) {
    if (bytes[at + 1] !== 0x8b || bytes[at + 2] !== 8) continue;
    yield at;
    ++tries;
  }
  yield bytes.length;
  for (let at = zeros; at < Math.min(zeros + MEMBER_ZEROS_MAX, bytes.length); ++at) yield at;
}

/** Decompresses one or more gzip members. Rejects data that are corrupt, truncated or too long. */
export async function inflated(bytes: Uint8Array<ArrayBuffer>, bytesMax = TEXT_BYTES_MAX): Promise<Uint8Array<ArrayBuffer>> {
  let zeros = bytes.length;
  while (zeros > 0 && bytes[zeros - 1] === 0) --zeros;
  const texts: Uint8Array<ArrayBuffer>[] = [];
  let from = 0, left = bytesMax;
  do {
    let text = null, end = from;
    for (end of possibleEnds(bytes, from, zeros)) {
      text = await textOfMember(bytes.subarray(from, end), bytesMax, left);
      if (text !== null) break;
    }
    if (text === null) throw new Error(`corrupt or truncated gzip data, or other data, from byte ${from} on; download or copy the file again`);
    texts.push(text);
    left -= text.length;
    from = end;
  } while (from < zeros);
  return new Uint8Array(await new Blob(texts).arrayBuffer());
}

export async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length > TEXT_BYTES_MAX) throw new Error(`has ${bytes.length} bytes; the limit is ${TEXT_BYTES_MAX}`);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? inflated(bytes) : bytes;
}

/** The data that the program writes (apps/cli/reports/page.cpp). */
export interface Extras {
  /** By match and side; null for a survivor. */
  causes?: Pair<string | null>[];
  /** A letter per tick and side (L, S, R or -), if the recording has no commands. */
  commands?: Pair<string>;
  verdict?: Verdict;
  /** States every so many ticks, gzipped, in base64: present only if the game is exact in referee arithmetic. */
  states?: { every: number; bytes: string };
}

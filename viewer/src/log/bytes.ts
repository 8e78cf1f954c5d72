// From a file's bytes to its text. Recordings are gzipped JSON; plain JSON is taken too.

import { LogError } from "./fields";

/** As in the program: fifty times what a long game has. A small file could hide far more. */
const TEXT_BYTES_MAX = 64 << 20;

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    let part: ReadableStreamReadResult<Uint8Array>;
    try {
      part = await reader.read();
    } catch {
      throw new LogError(
        `found gzip data that is damaged or cut off after ${size} bytes of text, expected a whole visio.gz: ` +
          "download or copy the file again",
      );
    }
    if (part.done) break;
    size += part.value.length;
    if (size > TEXT_BYTES_MAX) {
      await reader.cancel();
      throw new LogError(`found more than ${TEXT_BYTES_MAX} bytes of text, expected fewer: that is no game`);
    }
    chunks.push(part.value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** What the page itself carries; no check of its size. */
export async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** What the first bytes of a foreign file look like. */
function looksLike(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  if (start.startsWith("PK")) return "a zip archive";
  if (start.startsWith("\x89PNG")) return "a PNG picture";
  if (start.startsWith("\xff\xd8")) return "a JPEG picture";
  if (start.startsWith("%PDF")) return "a PDF document";
  if (start.startsWith("<")) return "HTML or XML text";
  const text = [...start].map((c) => (c >= " " && c <= "~" ? c : "·")).join("");
  return `a file that begins with "${text}"`;
}

/** The text of a recording. Rejects with a LogError. */
export async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.length === 0) throw new LogError("found an empty file, expected a recording (visio.gz)");
  if (bytes.length > TEXT_BYTES_MAX) {
    throw new LogError(`found ${bytes.length} bytes, expected at most ${TEXT_BYTES_MAX}: that is no game`);
  }
  const inflated = isGzip(bytes) ? await inflate(bytes) : bytes;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(inflated);
  } catch {
    throw new LogError(`found ${looksLike(inflated)}, expected a recording: gzipped JSON (visio.gz)`);
  }
  if (!/^\s*\{/.test(text)) {
    throw new LogError(`found ${looksLike(inflated)}, expected a recording: gzipped JSON (visio.gz)`);
  }
  return text;
}

/** JSON text as a value; the error says where it breaks. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const strange = /[[,:]\s*(-?Infinity|NaN)/.exec(text);
    if (strange !== null) {
      throw new LogError(`found ${strange[1]} at character ${strange.index + 1}, expected a number that JSON has`);
    }
    throw new LogError(`found broken JSON (${(error as Error).message}), expected a whole recording`);
  }
}

// From a file's bytes to its text, by the browser's own gzip; and what the page carries in base64.

/** As in the program: fifty times what a long game has. A small file could hide far more. */
const TEXT_BYTES_MAX = 64 << 20;

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Rejects data that are damaged, cut off, or too long. */
export async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const part = await reader.read().catch(() => {
      throw new Error(`found gzip data that are damaged or cut off after ${size} bytes of text, expected a whole visio.gz: download or copy the file again`);
    });
    if (part.done) break;
    chunks.push(part.value);
    size += part.value.length;
    if (size > TEXT_BYTES_MAX) {
      await reader.cancel();
      throw new Error(`found more than ${TEXT_BYTES_MAX} bytes of text, expected fewer`);
    }
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** A file's text: of gzip data what they hold, else the bytes themselves. */
export async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length > TEXT_BYTES_MAX) throw new Error(`found ${bytes.length} bytes, expected at most ${TEXT_BYTES_MAX}`);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? inflated(bytes) : bytes;
}

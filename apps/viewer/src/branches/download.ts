// Download of a branch as a visio.gz, which the engine writes.

/** Why a branch cannot be downloaded: no replay can reproduce a game with two arithmetics. */
export const MIXED = (ownFrom: number) =>
  `This branch cannot be downloaded as a recording: it is in referee arithmetic before tick ${ownFrom} of the game and in ` +
  "strict arithmetic after it, and no replay has both";

/** Downloads a recording's text as a file. */
export async function download(text: string, fileName: string): Promise<void> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const url = URL.createObjectURL(await new Response(stream).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = `${fileName.replace(/(\.visio)?(\.gz|\.json)?$/, "").replace(/[^\w.-]+/g, "_")}.visio.gz`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// SPDX-License-Identifier: MIT
// Calls of the worker.

import { byId } from "../page/dom";
import { fromBase64, inflated } from "./bytes";
import type { Desk, Reply, Request } from "./worker";

type Answer<Name extends keyof Desk> = Promise<Awaited<ReturnType<Desk[Name]>>>;

export class EngineClient {
  private readonly waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  private next = 1;

  private constructor(private readonly worker: Worker) {
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      const caller = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error !== undefined) caller?.reject(new Error(data.error));
      else caller?.resolve(data.value as never);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      for (const { reject } of this.waiting.values()) reject(new Error(event.message || "the engine's worker failed"));
      this.waiting.clear();
    });
  }

  /** Rejects if the browser lacks workers or WebAssembly. */
  static async start(): Promise<EngineClient> {
    const [script, wasm] = await Promise.all(["engine-worker", "engine-wasm"].map((id) => inflated(fromBase64(byId(id).textContent!.trim()))));
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const client = new EngineClient(new Worker(url));
    await client.send("start", [wasm]);
    URL.revokeObjectURL(url);
    return client;
  }

  private send(name: string, parameters: unknown[]): Promise<unknown> {
    const request: Request = { id: this.next++, name, parameters };
    return new Promise<never>((resolve, reject) => {
      this.waiting.set(request.id, { resolve, reject });
      this.worker.postMessage(request);
    });
  }

  call<Name extends keyof Desk>(name: Name, ...parameters: Parameters<Desk[Name]>): Answer<Name> {
    return this.send(name, parameters) as Answer<Name>;
  }
}

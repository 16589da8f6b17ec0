import { Worker } from "node:worker_threads";
import { PlatenError } from "../../plugin-api/index.js";
import type {
  RasterAnswer,
  RasterPage,
  RasterRequest,
} from "./raster-messages.js";

interface Job {
  take(page: RasterPage): void;
  resolve(): void;
  reject(error: PlatenError): void;
}

/** The thread that draws; one job at a time. It does not keep the process alive by itself. */
export class DrawingThread {
  readonly #worker = startWorker();
  #job: Job | null = null;

  constructor() {
    this.#worker.on("message", (answer: RasterAnswer) => this.#hear(answer));
    this.#worker.on("error", (error) => this.#end(drawError(error)));
    this.#worker.on("exit", () => this.#end(drawError("the thread ended")));
  }

  /** @throws PlatenError `render_failed`, or what the request itself is refused for. */
  draw(
    request: RasterRequest,
    take: (page: RasterPage) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#job = { take, resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage(request, []);
    });
  }

  /** Ends it at once, whatever it draws. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(answer: RasterAnswer): void {
    if (answer.kind === "page") this.#job?.take(answer);
    else if (answer.kind === "done") this.#end(null);
    else if (answer.kind === "failed") this.#end(drawError(answer.reason));
    else this.#end(new PlatenError(answer.code, answer.message));
  }

  #end(error: PlatenError | null): void {
    const job = this.#job;
    this.#job = null;
    this.#worker.unref();
    if (error) job?.reject(error);
    else job?.resolve();
  }
}

/** Beside this file, with its ending: `.js` when built, `.ts` when tests run the sources. */
function startWorker(): Worker {
  const ending = import.meta.url.slice(-3);
  return new Worker(new URL(`./rasterize-worker${ending}`, import.meta.url));
}

function drawError(cause: unknown): PlatenError {
  return new PlatenError(
    "render_failed",
    "The pictures of this document could not be drawn. Try again, with fewer pages or a smaller scale.",
    { cause },
  );
}

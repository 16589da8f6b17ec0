import { Worker } from "node:worker_threads";
import { clock, type Timer } from "../../lib/clock.js";
import { PlatenError } from "../../plugin-api/index.js";
import { FairSlots } from "../../lib/fair-slots.js";
import { RENDER_QUEUE } from "../page-pool.js";
import type { ImagesJob, PageImage } from "../jobs.js";
import { withinDeadline } from "../../lib/race-with-abort.js";
import { setDensity } from "./density.js";
import {
  DEFAULT_SCALE,
  assertPixelLimit,
  DEFAULT_QUALITY,
} from "./image-limits.js";
import type {
  RasterPage,
  RasterRequest,
  RasterResponse,
} from "./rasterize-worker.js";

/** Draws the requested pages; one page is encoded while the next is drawn. */
export async function drawPageImages(
  rasterizer: Rasterizer,
  job: ImagesJob,
): Promise<PageImage[]> {
  const { pdf, pages: choice, scale = DEFAULT_SCALE } = job;
  const { isSingle: isOne = false } = job;
  const request = { pdf, choice, scale, isOne };
  if (isOne) {
    const pages: RasterPage[] = [];
    await rasterizer.draw(request, job, (drawn) => pages.push(drawn));
    return [await encodePage(stackPages(pages), job)];
  }
  const images: Promise<PageImage>[] = [];
  await rasterizer.draw(request, job, (drawn) => {
    const image = encodePage(drawn, job);
    image.catch(() => null);
    images.push(image);
  });
  return Promise.all(images);
}

/** The thread's memory never shrinks, so the thread ends after this long without work. */
const IDLE_MS = 60_000;

/**
 * Draws pages of PDFs one job after the other in a worker thread, which the first job starts. Another thread draws for
 * organizations that would have to wait for another's job: see `FairSlots`.
 */
export class Rasterizer {
  readonly #queue: FairSlots;
  readonly #threads = new Map<number, RasterThread>();
  #idle: Timer | undefined;

  constructor(limit: number) {
    this.#queue = new FairSlots(1, { ...RENDER_QUEUE, maxWaiting: limit });
  }

  get queued(): number {
    return this.#queue.queued;
  }

  get busy(): number {
    return this.#queue.busy;
  }

  /**
   * Hands each page to `take` as soon as it is drawn.
   * @throws PlatenError `render_failed`, `busy` or `timeout`, or the error that rejects the request; any other
   * failure ends the thread.
   */
  draw(
    request: RasterRequest,
    job: Pick<ImagesJob, "deadline" | "owner">,
    take: (page: RasterPage) => void,
  ): Promise<void> {
    return this.#queue.run(job, async (slot) => {
      this.#idle?.cancel();
      const thread = this.#threads.get(slot) ?? new RasterThread();
      this.#threads.set(slot, thread);
      try {
        const drawn = thread.draw(request, take);
        await withinDeadline(drawn, job.deadline, "its pictures were drawn");
      } catch (error) {
        if (!isRefusal(error)) {
          this.#threads.delete(slot);
          await thread.stop();
        }
        throw error;
      } finally {
        this.#rest();
      }
    });
  }

  #rest(): void {
    this.#idle?.cancel();
    if (this.#threads.size === 0 || this.busy > 1) return;
    this.#idle = clock.limit(IDLE_MS, () => void this.stop()).unref();
  }

  async stop(): Promise<void> {
    this.#idle?.cancel();
    const threads = [...this.#threads.values()];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.stop()));
  }
}

/** Whether the thread rejected the request, and is still usable. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof PlatenError)) return false;
  return error.code === "invalid_request" || error.code === "too_large";
}

interface Job {
  take(page: RasterPage): void;
  resolve(): void;
  reject(error: PlatenError): void;
}

/** The drawing thread; one job at a time. It does not keep the process alive. */
class RasterThread {
  readonly #worker = startWorker();
  #job: Job | null = null;

  constructor() {
    this.#worker.on("message", (answer: RasterResponse) => this.#hear(answer));
    this.#worker.on("error", (error) => this.#end(createDrawError(error)));
    this.#worker.on("exit", () =>
      this.#end(createDrawError("the thread ended")),
    );
  }

  /** @throws PlatenError `render_failed`, or the error that rejects the request. */
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

  /** Ends the thread immediately. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(answer: RasterResponse): void {
    if (answer.kind === "page") this.#job?.take(answer);
    else if (answer.kind === "done") this.#end(null);
    else if (answer.kind === "failed")
      this.#end(createDrawError(answer.reason));
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

/** The worker's file has this file's extension: `.js` when built, `.ts` when tests run the sources. */
function startWorker(): Worker {
  const ending = import.meta.url.slice(-3);
  return new Worker(new URL(`./rasterize-worker${ending}`, import.meta.url));
}

function createDrawError(cause: unknown): PlatenError {
  return new PlatenError(
    "render_failed",
    "The images of this document could not be drawn. Try again with fewer pages or a smaller scale.",
    { cause },
  );
}

const CHANNELS = 4;
const WHITE = 255;

/** A jpg cannot be higher, and few programs open a png that is. */
const MAX_HEIGHT = 65_000;

/** Stacks pages vertically on white, as wide as the widest. @throws PlatenError `too_large`. */
function stackPages(pages: readonly RasterPage[]): RasterPage {
  const width = Math.max(...pages.map((page) => page.width));
  const height = pages.reduce((sum, page) => sum + page.height, 0);
  assertPixelLimit(width, height);
  if (height > MAX_HEIGHT)
    throw new PlatenError(
      "too_large",
      `The image would be ${height} pixels high, more than ${MAX_HEIGHT}. ` +
        "Choose fewer pages, a smaller deviceScaleFactor, or an image for each page.",
    );
  const pixels = Buffer.alloc(width * height * CHANNELS, WHITE);
  let top = 0;
  for (const page of pages) {
    const length = page.width * CHANNELS;
    for (let row = 0; row < page.height; row += 1) {
      const line = page.pixels.subarray(row * length, (row + 1) * length);
      pixels.set(line, (top + row) * width * CHANNELS);
    }
    top += page.height;
  }
  return { page: pages[0]?.page ?? 1, width, height, pixels };
}

/** PNG is lossless; `quality` (1 to 100) is for jpg. Works in the thread pool. */
async function encodePage(
  { page, pixels, width, height }: RasterPage,
  { type, scale = DEFAULT_SCALE, quality = DEFAULT_QUALITY }: ImagesJob,
): Promise<PageImage> {
  // Loaded for the first image: it loads slowly, and many services make no images.
  const { default: sharp } = await import("sharp");
  const image = sharp(pixels, {
    raw: { width, height, channels: 4 },
    limitInputPixels: false,
  }).removeAlpha();
  const encoded = type === "png" ? image.png() : image.jpeg({ quality });
  const bytes = setDensity(await encoded.toBuffer(), type, scale);
  return { page, widthPx: width, heightPx: height, bytes };
}

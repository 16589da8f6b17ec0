import { PlatenError } from "../../plugin-api/index.js";
import { FairQueue } from "../../lib/fair-queue.js";
import { Thread, ThreadPool } from "../../lib/threads.js";
import { RENDER_QUEUE } from "../page-pool.js";
import type { ImagesJob, PageImage } from "../jobs.js";
import { setDensity } from "./density.js";
import {
  DEFAULT_SCALE,
  assertPixelLimit,
  DEFAULT_QUALITY,
} from "./image-limits.js";
import type { RasterPage, RasterRequest } from "./rasterize-worker.js";

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

/**
 * Draws pages of PDFs one job after the other in a worker thread. Another thread draws for organizations that would have
 * to wait for another's job: see `FairQueue`.
 */
export class Rasterizer {
  readonly #pool: ThreadPool;

  constructor(limit: number) {
    this.#pool = new ThreadPool(
      () => new Thread("./rasterize-worker", import.meta.url),
      new FairQueue(1, { ...RENDER_QUEUE, maxWaiting: limit }),
    );
  }

  get queued(): number {
    return this.#pool.load.waiting;
  }

  get busy(): number {
    return this.#pool.load.running;
  }

  /**
   * Hands each page to `take` as soon as it is drawn.
   * @throws PlatenError `render_failed`, `busy` or `timeout`, or the error that rejects the request
   */
  async draw(
    request: RasterRequest,
    { deadline, owner }: Pick<ImagesJob, "deadline" | "owner">,
    take: (page: RasterPage) => void,
  ): Promise<void> {
    const job = { deadline, owner, doing: "its pictures were drawn" };
    try {
      await this.#pool.use(job, (thread) => thread.ask(request, take));
    } catch (error) {
      throw error instanceof PlatenError ? error : createDrawError(error);
    }
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }
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

import { LRUCache } from "lru-cache";
import { type Deadline, PlatenError } from "../../plugin-api/index.js";
import { FairQueue } from "../../lib/fair-queue.js";
import { Lifecycle, scoped } from "../../lib/injection.js";
import { Thread, ThreadPool } from "../../lib/threads.js";
import type { SubsetRequest } from "./subset-worker.js";

const CACHE_BYTES = 8 * 1024 * 1024;

/** Makes small copies of the shipped faces, one after the other in a worker thread, which the first one starts. */
@scoped(Lifecycle.ContainerScoped)
export class FontSubsetter {
  readonly #subsets = new LRUCache<string, string>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (url) => url.length,
  });
  readonly #pool = new ThreadPool(
    () => new Thread("./subset-worker", import.meta.url),
    new FairQueue(1, { what: "its fonts to be embedded" }),
  );

  /**
   * A WOFF2 file with these characters of a face, as a data URL.
   * @param file as `ShippedFace` names it
   * @throws PlatenError `timeout` or `render_failed`.
   */
  async subset(
    file: string,
    characters: string,
    deadline: Deadline,
  ): Promise<string> {
    const key = `${file} ${characters}`;
    const cached = this.#subsets.get(key);
    if (cached !== undefined) return cached;
    const bytes = await this.#run({ file, characters }, deadline);
    const url = `data:font/woff2;base64,${Buffer.from(bytes).toString("base64")}`;
    this.#subsets.set(key, url);
    return url;
  }

  /** Ends the thread; the font it is working on fails. */
  stop(): Promise<void> {
    return this.#pool.stop();
  }

  async #run(request: SubsetRequest, deadline: Deadline): Promise<Uint8Array> {
    const job = { deadline, doing: "embedding its fonts" };
    try {
      return await this.#pool.use(job, (thread) => thread.ask(request));
    } catch (cause) {
      if (cause instanceof PlatenError) throw cause;
      throw new PlatenError(
        "render_failed",
        "The fonts of this document could not be embedded. Try again; if it fails again, leave out renderOptions.html.embedFonts.",
        { cause },
      );
    }
  }
}

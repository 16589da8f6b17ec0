import { LRUCache } from "lru-cache";
import type { Piscina } from "piscina";
import { type Deadline, PlatenError } from "../../plugin-api/index.js";
import { Lifecycle, scoped } from "../../lib/injection.js";
import type { SubsetRequest } from "./subset-worker.js";

type SubsetPool = Piscina<SubsetRequest, Uint8Array>;

/** The thread ends after this long without work. */
const IDLE_MS = 60_000;
const CACHE_BYTES = 8 * 1024 * 1024;

/** Makes small copies of the shipped faces, one after the other in a worker thread, which the first one starts. */
@scoped(Lifecycle.ContainerScoped)
export class FontSubsetter {
  readonly #subsets = new LRUCache<string, string>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (url) => url.length,
  });
  #pool: Promise<SubsetPool> | null = null;

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
    const known = this.#subsets.get(key);
    if (known !== undefined) return known;
    deadline.check("embedding its fonts");
    const bytes = await this.#run({ file, characters }, deadline);
    const url = `data:font/woff2;base64,${Buffer.from(bytes).toString("base64")}`;
    this.#subsets.set(key, url);
    return url;
  }

  /** Ends the thread; the font it is working on fails. */
  async stop(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await (await pool)?.destroy();
  }

  async #run(request: SubsetRequest, deadline: Deadline): Promise<Uint8Array> {
    const pool = await (this.#pool ??= createPool());
    try {
      return await pool.run(request, { signal: deadline.signal });
    } catch (cause) {
      deadline.check("embedding its fonts");
      throw new PlatenError(
        "render_failed",
        "The fonts of this document could not be embedded. Try again; if it fails again, leave out renderOptions.html.embedFonts.",
        { cause },
      );
    }
  }
}

/** Piscina is loaded by the first document that needs it, since few do. */
async function createPool(): Promise<SubsetPool> {
  const { Piscina: Pool } = await import("piscina");
  // The worker's file has this file's extension: `.js` when built, `.ts` when tests run the sources.
  const extension = import.meta.url.slice(-3);
  return new Pool<SubsetRequest, Uint8Array>({
    filename: new URL(`./subset-worker${extension}`, import.meta.url).href,
    name: "subsetInThread",
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });
}

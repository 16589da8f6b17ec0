import type { Log } from "../plugin-api/index.js";

export interface RenderSettings {
  /** A browser to use instead of the bundled one. */
  executablePath?: string;
  /** Private folder for the unpacked browser, the fonts and the profiles of running browsers. */
  cacheFolder: string;
  /** Pages kept open, one job each; default: cores. */
  pages?: number;
  /** Maximum of waiting jobs; further ones fail with `busy`. */
  queueLimit?: number;
  /** Memory of the browser's process tree, in MB (PSS), at which a new browser takes over. */
  recyclePssMb?: number;
  /** Largest html that is printed, in bytes (PLATEN_MAX_PRINT_BYTES). */
  maxPrintBytes?: number;
  /** Pages in each piece of a long document; printing in pieces limits the browser's memory. */
  piecePages?: number;
  /** Chromium's sandbox: `on` or fail, `off`, or `auto`: on, except for root in a container that forbids it. */
  sandbox?: SandboxSetting;
  /** Memory limit of one page's process, in MB: a document that needs more fails alone. */
  pageMemoryMb?: number;
  /** Time limit for a browser's first response, in milliseconds. */
  startMs?: number;
  /** Which documents may share a page, default `shared`. */
  isolation?: Isolation;
  log: Log;
}

/**
 * Which documents one browser page prints: all of them (`shared`), those of one `organization`, or one `document`. Separate
 * pages have their own process, storage and caches, and cost time.
 */
export type Isolation = "shared" | "organization" | "document";

export type SandboxSetting = "auto" | "on" | "off";

export const RENDER_DEFAULTS = {
  queueLimit: 64,
  recyclePssMb: 600,
  maxPrintBytes: 8 * 1024 * 1024,
  pageMemoryMb: 4096,
  piecePages: 24,
  startMs: 20_000,
  isolation: "shared",
} as const;

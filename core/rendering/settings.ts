import type { Log } from "../plugin-api/index.js";

export interface RenderSettings {
  /** A browser of one's own instead of the shipped one. */
  executablePath?: string;
  /** Private folder for the unpacked browser, the fonts and the profiles of running browsers. */
  cacheFolder: string;
  /** Pages kept open, one job each; default: cores. */
  pages?: number;
  /** Jobs that may wait; one more is answered `busy`. */
  queueLimit?: number;
  /** Memory of the browser's process tree, in MB (PSS), at which a new browser takes over. */
  recyclePssMb?: number;
  /** Largest html that is printed, in bytes (PLATEN_MAX_PRINT_BYTES). */
  maxPrintBytes?: number;
  /** A long document is printed in pieces of about so many pages, which bounds the browser's memory. */
  piecePages?: number;
  /** Chromium's sandbox: `on` or fail, `off`, or `auto`: on, except for root in a container that forbids it. */
  sandbox?: SandboxSetting;
  /** The most that the process of one page may take, in MB: a document that needs more fails alone. */
  pageMemoryMb?: number;
  /** A browser that does not answer so long after its start is given up, in milliseconds. */
  startMs?: number;
  /** Which documents may share a page, default `shared`. */
  isolation?: Isolation;
  log: Log;
}

/**
 * Whose documents one page prints: everybody's one after the other (`shared`), those of one organization, or one
 * `document`. Pages of their own have their own process, storage and caches; they cost time.
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

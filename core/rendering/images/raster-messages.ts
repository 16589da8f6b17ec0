import type { ErrorCode } from "../../plugin-api/index.js";

/** To the thread that draws pages. */
export interface RasterRequest {
  pdf: Uint8Array;
  /** `1`, `all`, `1-3,5`. */
  choice: string;
  scale: number;
  /** Whether all of them become one picture, which together may not be larger than one. */
  isOne: boolean;
}

/** One page as RGBA rows. */
export interface RasterPage {
  page: number;
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** From the thread: pages in the order asked for, then one `done`, `refused` (the caller's fault) or `failed`. */
export type RasterAnswer =
  | ({ kind: "page" } & RasterPage)
  | { kind: "done" }
  | { kind: "refused"; code: ErrorCode; message: string }
  | { kind: "failed"; reason: string };

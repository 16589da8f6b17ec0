import type { ErrorCode, Problem } from "../../plugin-api/index.js";
import type { Finished, Finishing } from "./finishing.js";

/** To the thread. */
export interface FinishRequest {
  printed: Uint8Array;
  finishing: Finishing;
}

/** Bytes of the thread are no `Buffer` any more when they arrive. */
export interface FinishedBytes extends Omit<Finished, "bytes"> {
  bytes: Uint8Array;
}

/** From the thread: an error loses its class on the way, so a refusal is told as what it is made of. */
export type FinishAnswer =
  | FinishedBytes
  | { code: ErrorCode; message: string; problems: readonly Problem[] };

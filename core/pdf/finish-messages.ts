import type { ErrorCode, Problem } from "../contract/index.js";
import type { Finishing } from "./finishing.js";

/** To the thread. */
export interface FinishRequest {
  printed: Uint8Array;
  finishing: Finishing;
}

/** From the thread: an error loses its class on the way, so a refusal is told as what it is made of. */
export type FinishAnswer =
  | { bytes: Uint8Array }
  | { code: ErrorCode; message: string; problems: readonly Problem[] };

import type { KeyHolder } from "../account/index.js";
import type { Log } from "../contract/index.js";

/** In whose name a server acts. */
export interface Session {
  caller: KeyHolder;
  log: Log;
}

import type { Caller } from "../account/index.js";
import type { Log } from "../contract/index.js";

/** In whose name a server acts. */
export interface Session {
  caller: Caller;
  log: Log;
}

import type { KeyHolder } from "../accounts/index.js";
import type { Log } from "../plugin-api/index.js";

/** In whose name a server acts. */
export interface Session {
  caller: KeyHolder;
  log: Log;
}

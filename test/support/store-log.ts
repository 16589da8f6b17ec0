import type { Log } from "../../core/plugin-api/index.js";

const nothing = () => undefined;

/** Says nothing. */
export const silentLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => silentLog,
};

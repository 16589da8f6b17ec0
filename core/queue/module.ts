import { hostname } from "node:os";
import { type DependencyContainer, registerFactory } from "../lib/injection.js";
import { CONFIG, LOG } from "../lib/tokens.js";
import { STORE } from "../storage/database/tokens.js";
import { createQueue } from "./index.js";
import { QUEUE } from "./tokens.js";

/** A process that runs workers starts and stops the queue. */
export function registerQueue(container: DependencyContainer): void {
  registerFactory(container, QUEUE, (c) =>
    createQueue(
      { ...c.resolve(STORE), log: c.resolve(LOG) },
      { ...c.resolve(CONFIG).queue, node: `${hostname()}:${process.pid}` },
    ),
  );
}

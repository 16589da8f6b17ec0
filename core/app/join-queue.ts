import { hostname } from "node:os";
import type { DependencyContainer } from "tsyringe";
import { make } from "./make.js";
import { createQueue } from "../queue/index.js";
import * as t from "./tokens.js";

/** Wakes the workers of all rooms; whoever runs workers starts and stops it. */
export function joinQueue(container: DependencyContainer): void {
  make(container, t.QUEUE, (c) => {
    const { dialect, read, unitOfWork } = c.resolve(t.STORE);
    return createQueue(
      {
        dialect,
        read,
        write: (work) => unitOfWork.run(work),
        log: c.resolve(t.LOG),
      },
      { ...c.resolve(t.CONFIG).queue, node: `${hostname()}:${process.pid}` },
    );
  });
}

import type { DependencyContainer } from "tsyringe";
import { make } from "./make.js";
import {
  PlatformRecordSource,
  RecordBatches,
} from "../integrations/platforms/index.js";
import * as t from "./tokens.js";

/** Batches of platforms' records; who works on them is told in start-work.ts. */
export function joinPlatforms(container: DependencyContainer): void {
  make(
    container,
    t.RECORD_SOURCE,
    (c) => new PlatformRecordSource(c.resolve(t.QUEUE)),
  );
  make(
    container,
    t.RECORD_BATCHES,
    (c) =>
      new RecordBatches({
        store: c.resolve(t.STORE),
        queue: c.resolve(t.QUEUE),
        batches: c.resolve(t.BATCHES),
        connections: c.resolve(t.CONNECTIONS),
        records: c.resolve(t.RECORD_SOURCE),
      }),
  );
}

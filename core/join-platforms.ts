import type { DependencyContainer } from "tsyringe";
import { make } from "./make.js";
import { PlatformRecords } from "./platform/index.js";
import * as t from "./tokens.js";

/** Batches of platforms' records; who works on them is told in start-work.ts. */
export function joinPlatforms(container: DependencyContainer): void {
  make(
    container,
    t.RECORD_SOURCE,
    (c) => new PlatformRecords(c.resolve(t.QUEUE)),
  );
}

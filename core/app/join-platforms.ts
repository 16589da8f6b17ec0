import type { DependencyContainer } from "tsyringe";
import { PlatenError } from "../plugin-api/index.js";
import { make } from "./make.js";
import {
  type Connections,
  PlatformRecords,
  RecordBatches,
} from "../integrations/platforms/index.js";
import * as t from "./tokens.js";

/** Batches of platforms' records; who works on them is told in start-work.ts. */
export function joinPlatforms(container: DependencyContainer): void {
  make(
    container,
    t.RECORD_SOURCE,
    (c) => new PlatformRecords(c.resolve(t.QUEUE)),
  );
  make(container, t.PLATFORM_CONNECTIONS, connectionsOf);
  make(
    container,
    t.RECORD_BATCHES,
    (c) =>
      new RecordBatches({
        store: c.resolve(t.STORE),
        queue: c.resolve(t.QUEUE),
        batches: c.resolve(t.BATCHES),
        connections: c.resolve(t.PLATFORM_CONNECTIONS),
        records: c.resolve(t.RECORD_SOURCE),
      }),
  );
}

function connectionsOf(container: DependencyContainer): Connections {
  const connections = container.resolve(t.CONNECTIONS);
  const platforms = container.resolve(t.PLATFORMS);
  return {
    checkPlatform: async (id) => {
      if ((await platforms.status(id)) === null)
        throw new PlatenError("not_found", `There is no platform "${id}".`);
      const problem = await platforms.problemOf(id);
      if (problem !== null) throw new PlatenError("unavailable", problem);
    },
    ofPlatform: (organizationId, platform) =>
      connections.ofPlatform(organizationId, platform),
    open: (organizationId, id) => connections.open(organizationId, id),
  };
}

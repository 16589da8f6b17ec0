import { In } from "typeorm";
import { Connection } from "../store/index.js";
import type { ConnectionPorts } from "./ports.js";

export interface OrphanedConnection {
  id: string;
  organizationId: string;
  platform: string;
  name: string;
  /** Why it cannot be used, and how to mend it. */
  problem: string;
}

/** Of all organizations, those whose plugin is gone or broken. */
export async function orphanedConnections({
  store,
  platforms,
}: Pick<ConnectionPorts, "store" | "platforms">): Promise<
  OrphanedConnection[]
> {
  const used = await store.read
    .createQueryBuilder(Connection, "connection")
    .select("connection.plugin", "plugin")
    .distinct(true)
    .where({ kind: "platform" })
    .getRawMany<{ plugin: string }>();
  const problems = new Map<string, string>();
  for (const { plugin } of used) {
    const problem = await platforms.problemOf(plugin);
    if (problem !== null) problems.set(plugin, problem);
  }
  const rows = await store.read.find(Connection, {
    where: { kind: "platform", plugin: In([...problems.keys()]) },
    order: { createdAt: "ASC", id: "ASC" },
  });
  return rows.map(({ id, organizationId, plugin, name }) => ({
    id,
    organizationId,
    platform: plugin,
    name,
    problem: problems.get(plugin) ?? "",
  }));
}

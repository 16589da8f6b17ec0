import { In } from "typeorm";
import { Connection } from "../../storage/database/index.js";
import type { ConnectionPorts } from "./ports.js";

export interface OrphanedConnection {
  id: string;
  organizationId: string;
  kind: Connection["kind"];
  /** The id of the platform or provider. */
  plugin: string;
  name: string;
  /** Why it cannot be used, and how to mend it. */
  problem: string;
}

type Ports = Pick<ConnectionPorts, "store" | "hosts">;

/** Of all organizations, those whose plugin is gone or broken. */
export async function orphanedConnections(
  ports: Ports,
): Promise<OrphanedConnection[]> {
  const platforms = await orphanedOf("platform", ports);
  return [...platforms, ...(await orphanedOf("esign", ports))];
}

async function orphanedOf(
  kind: Connection["kind"],
  { store, hosts }: Ports,
): Promise<OrphanedConnection[]> {
  const used = await store.read
    .createQueryBuilder(Connection, "connection")
    .select("connection.plugin", "plugin")
    .distinct(true)
    .where({ kind })
    .getRawMany<{ plugin: string }>();
  const problems = new Map<string, string>();
  for (const { plugin } of used) {
    const problem = await hosts[kind].problemOf(plugin);
    if (problem !== null) problems.set(plugin, problem);
  }
  const rows = await store.read.find(Connection, {
    where: { kind, plugin: In([...problems.keys()]) },
    order: { createdAt: "ASC", id: "ASC" },
  });
  return rows.map(({ id, organizationId, plugin, name }) => ({
    id,
    organizationId,
    kind,
    plugin,
    name,
    problem: problems.get(plugin) ?? "",
  }));
}

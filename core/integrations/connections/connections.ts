import type { BaseInfo, TableInfo } from "../../plugin-api/index.js";
import {
  Connection,
  insertRow,
  isId,
  listPage,
  type PageRequest,
} from "../../storage/database/index.js";
import {
  type ConnectionInput,
  type ConnectionPatch,
  parseName,
} from "./connection-input.js";
import {
  type ConnectionTest,
  type ConnectionView,
  connectionView,
} from "./connection-view.js";
import { CredentialsVault } from "./credentials-vault.js";
import { findConnection, lockConnection } from "./find-connection.js";
import {
  type OrphanedConnection,
  orphanedConnections,
} from "./orphaned-connections.js";
import { newConnection, untested } from "./new-connection.js";
import { ConnectionDoor } from "./connection-door.js";
import type { OpenConnection, OpenEsignConnection } from "./open-connection.js";
import { checkAccess } from "./check-access.js";
import type {
  ConnectionActor,
  ConnectionNote,
  ConnectionPorts,
} from "./ports.js";
import { resealCredentials, type Resealed } from "./reseal-credentials.js";

export interface ConnectionList {
  data: ConnectionView[];
  pagination: PageRequest & { total: number };
}

/** An organization's saved connections to platforms and e-signature providers. */
export class Connections {
  private readonly vault: CredentialsVault;
  private readonly door: ConnectionDoor;

  constructor(private readonly ports: ConnectionPorts) {
    this.vault = new CredentialsVault(ports.hosts, ports.secrets);
    this.door = new ConnectionDoor(ports, this.vault);
  }

  /** The newest first; of one kind, or of all. */
  async list(
    organizationId: string,
    page: PageRequest,
    kind?: Connection["kind"],
  ): Promise<ConnectionList> {
    const { rows, ...pagination } = await this.ports.store.snapshot((read) =>
      listPage(read, Connection, {
        ...page,
        where: { organizationId, ...(kind && { kind }) },
        newestBy: "createdAt",
      }),
    );
    const data = await Promise.all(rows.map((row) => this.view(row)));
    return { data, pagination };
  }

  /** @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<ConnectionView> {
    return this.view(await this.find(organizationId, id));
  }

  /** @throws PlatenError `invalid_request` for a wrong name, plugin or credentials. */
  async create(
    { organizationId, userId }: { organizationId: string; userId: string },
    input: ConnectionInput,
    actor: ConnectionActor,
  ): Promise<ConnectionView> {
    const row = newConnection({ organizationId, userId }, input);
    await this.door.requirePlugin(row);
    Object.assign(row, await this.vault.close(row, input.credentials));
    await this.ports.store.unitOfWork.run(async (tx) => {
      await insertRow(tx, Connection, row);
      await this.note(tx, actor, row, "connection.created", led(row));
    });
    return this.view(row);
  }

  /** New credentials make it untested again. @throws PlatenError `not_found`; `invalid_request` as `create` does. */
  async change(
    organizationId: string,
    id: string,
    { name, credentials }: ConnectionPatch,
    actor: ConnectionActor,
  ): Promise<ConnectionView> {
    const before = await this.find(organizationId, id);
    const changes = {
      ...(name !== undefined && { name: parseName(name) }),
      ...(credentials !== undefined && {
        ...(await this.vault.close(before, credentials)),
        ...untested,
      }),
      updatedAt: new Date(),
    };
    const row = await this.ports.store.unitOfWork.run(async (tx) => {
      const locked = await lockConnection(tx, organizationId, id);
      await tx.update(Connection, { id, organizationId }, changes);
      const details = { name, hasNewCredentials: credentials !== undefined };
      await this.note(tx, actor, locked, "connection.changed", details);
      return Object.assign(locked, changes);
    });
    return this.view(row);
  }

  /** @returns it as it was. @throws PlatenError `not_found`. */
  async remove(
    organizationId: string,
    id: string,
    actor: ConnectionActor,
  ): Promise<ConnectionView> {
    const row = await this.ports.store.unitOfWork.run(async (tx) => {
      const locked = await lockConnection(tx, organizationId, id);
      await tx.delete(Connection, { id, organizationId });
      await this.note(tx, actor, locked, "connection.deleted", led(locked));
      return locked;
    });
    return this.view(row);
  }

  /** Asks the platform or provider, and remembers what it said. @throws PlatenError `not_found`; `unavailable` without the plugin. */
  async test(organizationId: string, id: string): Promise<ConnectionTest> {
    const row = await this.find(organizationId, id);
    const { error, ...answer } = await checkAccess(await this.door.open(row));
    const changes = {
      state: error === null ? ("working" as const) : ("failing" as const),
      lastError: error,
      lastCheckedAt: new Date(),
    };
    // Credentials that were changed meanwhile are still untested.
    const { credentials } = row;
    const same = { id, organizationId, credentials };
    await this.ports.store.unitOfWork.run((tx) =>
      tx.update(Connection, same, changes),
    );
    return { connection: await this.get(organizationId, id), ...answer };
  }

  /** Null: its platform has no bases. @throws PlatenError `not_found`, and as the platform does. */
  async bases(organizationId: string, id: string): Promise<BaseInfo[] | null> {
    const { platform } = await this.open(organizationId, id);
    return platform.listBases();
  }

  /** With their fields. @throws PlatenError `not_found`, and as the platform does. */
  async tables(
    organizationId: string,
    id: string,
    baseId?: string,
  ): Promise<TableInfo[]> {
    const { platform } = await this.open(organizationId, id);
    return platform.describe(baseId);
  }

  /** The oldest first. */
  ofPlatform(
    organizationId: string,
    platform: string,
  ): Promise<Pick<Connection, "id" | "name">[]> {
    return this.ports.store.read.find(Connection, {
      select: { id: true, name: true },
      where: { organizationId, kind: "platform", plugin: platform },
      order: { createdAt: "ASC", id: "ASC" },
    });
  }

  /** @throws PlatenError `not_found`; `invalid_request` for one that leads to a provider; `unavailable` when it cannot be used. */
  async open(organizationId: string, id: string): Promise<OpenConnection> {
    const row = await this.find(organizationId, id);
    const platform = await this.door.openPlatform(row);
    return { id: row.id, name: row.name, platform };
  }

  /** @throws PlatenError `not_found`; `invalid_request` for one that leads to a platform; `unavailable` when it cannot be used. */
  async openEsign(
    organizationId: string,
    id: string,
  ): Promise<OpenEsignConnection> {
    return this.esignOf(await this.find(organizationId, id));
  }

  /**
   * Of whichever organization: for a provider's notices and pages, which bring a proof of their own. Null: it leads to
   * no provider. @throws PlatenError `unavailable` when it cannot be used.
   */
  async findEsign(id: string): Promise<OpenEsignConnection | null> {
    if (!isId(id)) return null;
    const same = { id, kind: "esign" } as const;
    const row = await this.ports.store.read.findOneBy(Connection, same);
    return row && this.esignOf(row);
  }

  /** Those of all organizations whose plugin is gone or broken; for whoever runs the service. */
  orphaned(): Promise<OrphanedConnection[]> {
    return orphanedConnections(this.ports);
  }

  /** Encrypts all that is not yet under the service's secret of now; see `resealCredentials`. */
  reseal(actor: ConnectionActor): Promise<Resealed> {
    return resealCredentials(this.ports, actor);
  }

  private find(organizationId: string, id: string): Promise<Connection> {
    return findConnection(this.ports.store.read, organizationId, id);
  }

  private async esignOf(row: Connection): Promise<OpenEsignConnection> {
    const { id, organizationId, name } = row;
    const provider = await this.door.openEsign(row);
    return { id, organizationId, name, provider };
  }

  private async view(row: Connection): Promise<ConnectionView> {
    return connectionView(row, await this.vault.look(row));
  }

  private note(
    tx: Parameters<ConnectionPorts["noteAct"]>[0],
    actor: ConnectionActor,
    { id, organizationId }: Pick<Connection, "id" | "organizationId">,
    action: ConnectionNote["action"],
    details: Record<string, unknown>,
  ): Promise<void> {
    const note = { organizationId, action, subject: id, details };
    return this.ports.noteAct(tx, actor, note);
  }
}

/** To what a connection leads, for the trail. */
function led({ kind, plugin, name }: Connection): Record<string, unknown> {
  return kind === "esign"
    ? { provider: plugin, name }
    : { platform: plugin, name };
}

import { type EntityManager, In, MoreThan, Not } from "typeorm";
import { z } from "zod";
import { clock } from "../../lib/clock.js";
import { normalizeId } from "../../lib/ids.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../../lib/injection.js";
import { timestampSchema, toView } from "../../lib/schemas.js";
import { SecretBox } from "../../lib/secrets.js";
import {
  type BaseInfo,
  PlatenError,
  type TableInfo,
} from "../../plugin-api/index.js";
import {
  Connection,
  type CreatedCallback,
  findForUpdate,
  insertRow,
  isId,
  listPage,
  type PageRequest,
  type Store,
  newId,
  STORE,
} from "../../storage/database/index.js";
import { SECRETS } from "../../lib/process-values.js";
import { type Actor, recordAudit } from "../../accounts/index.js";
import {
  type CallableKind,
  type ConnectedAuthorization,
  type ConnectedDelivery,
  type ConnectedPlatform,
  type ConnectedPlugins,
  DeliveryHost,
  EsignHost,
  type ConnectedEsign,
  PlatformHost,
  type PluginHost,
} from "../host/index.js";

/** Implemented by what uses connections for work that may have failed. */
export const CREDENTIALS_OBSERVER = createToken<CredentialsObserver>(
  "CredentialsObserver",
);
export const CREDENTIAL_SECRETS = createToken<SecretBox>("credential secrets");
provide(
  CREDENTIAL_SECRETS,
  (c) => new SecretBox(c.resolve(SECRETS), "connection credentials"),
);

export const connectionSchema = z
  .strictObject({
    id: z.string(),
    organizationId: z.string(),
    kind: z.enum(["platform", "esign", "delivery"]).meta({
      description:
        "Whether it connects to a platform, an e-signature provider or a delivery method.",
    }),
    platform: z.string().nullable().meta({
      description: "The platform's id; null for other kinds.",
      example: "airtable",
    }),
    provider: z.string().nullable().meta({
      description: "The e-signature provider's id; null for other kinds.",
      example: null,
    }),
    delivery: z.string().nullable().meta({
      description: "The delivery method's id; null for other kinds.",
      example: null,
    }),
    name: z.string().max(255).meta({
      description: "The display name.",
      example: "Orders base",
    }),
    credentials: z.record(z.string(), z.unknown()).meta({
      description: "The credentials without their secrets.",
    }),
    state: z.enum(["untested", "working", "failing"]).meta({
      description: "The result of the last test of these credentials.",
    }),
    lastError: z.string().nullable(),
    lastCheckedAt: timestampSchema.nullable(),
    problem: z.string().nullable().meta({
      description:
        "Why it cannot be used, for example because its plugin is missing; null when it can.",
    }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: "Connection" });

export const connectionTestSchema = z
  .strictObject({
    connection: connectionSchema,
    account: z.string().nullable().meta({
      description:
        "The account that the credentials belong to, if the other side reports it.",
    }),
    warnings: z.array(z.string()).meta({
      description: "Problems to expect, such as a missing permission.",
    }),
  })
  .meta({ id: "ConnectionTest" });

export type ConnectionView = z.output<typeof connectionSchema>;
export type ConnectionTest = z.output<typeof connectionTestSchema>;

export interface PlatformConnection {
  id: string;
  name: string;
  platform: ConnectedPlatform;
}

export interface EsignConnection {
  id: string;
  organizationId: string;
  name: string;
  provider: ConnectedEsign;
}

export interface DeliveryConnection {
  /** Null: the mail server of the service. */
  id: string | null;
  name: string;
  method: ConnectedDelivery;
}

type PluginKey = Pick<Connection, "kind" | "plugin">;

/** Tries again what failed with a connection's former credentials. */
export interface CredentialsObserver {
  /** Runs in the transaction that saves the new ones. */
  changed(tx: EntityManager, connectionId: string): Promise<void>;
  /** Called after the commit. */
  nudge(): void;
}

interface OrphanedConnection extends Pick<
  Connection,
  "id" | "organizationId" | "kind" | "plugin" | "name"
> {
  /** Why it cannot be used, and how to fix it. */
  problem: string;
}

interface ResealResult {
  /** How many were encrypted again. */
  count: number;
  /** The ids of those that no secret of the service decrypts. */
  unreadable: string[];
}

const resealBatchSize = 100;
const maxCredentials = 64 * 1024;
const maxNameLength = 255;

/** The state of a connection whose credentials were never tested. */
const untested = {
  state: "untested",
  lastError: null,
  lastCheckedAt: null,
} as const satisfies Partial<Connection>;

/** Saved connections of organizations to platforms, e-signature providers and delivery methods. */
@scoped(Lifecycle.ContainerScoped)
export class ConnectionService {
  private readonly hosts: { [K in CallableKind]: PluginHost<K> };

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(PlatformHost) platform: PlatformHost,
    @inject(EsignHost) esign: EsignHost,
    @inject(DeliveryHost) delivery: DeliveryHost,
    @inject(CREDENTIAL_SECRETS) private readonly secrets: SecretBox,
    @inject(CREDENTIALS_OBSERVER)
    private readonly observer: CredentialsObserver,
  ) {
    this.hosts = { platform, esign, delivery };
  }

  /** Newest first; of one kind, or of all. */
  async list(
    organizationId: string,
    page: PageRequest,
    kind?: Connection["kind"],
  ) {
    const { rows, ...pagination } = await this.store.snapshot((read) =>
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

  /** @throws PlatenError `invalid_request` for an invalid name, plugin or credentials. */
  async create(
    owner: { organizationId: string; userId: string },
    input: ConnectionInput,
    actor: Actor,
    inTransaction?: CreatedCallback<ConnectionView>,
  ): Promise<ConnectionView> {
    const row = createConnectionRow(owner, input);
    await this.assertPluginExists(row);
    Object.assign(row, await this.encrypt(row, input.credentials));
    const view = await this.view(row);
    await this.store.unitOfWork.run(async (tx) => {
      await insertRow(tx, Connection, row);
      await this.note(tx, actor, row, "created", getAuditDetails(row));
      await inTransaction?.(tx, view);
    });
    return view;
  }

  /** New credentials reset the state to untested. @throws PlatenError `not_found`, or as `create` does. */
  async change(
    organizationId: string,
    id: string,
    { name, credentials }: ConnectionPatch,
    actor: Actor,
  ): Promise<ConnectionView> {
    const before = await this.find(organizationId, id);
    const changes = {
      ...(name !== undefined && { name: parseName(name) }),
      ...(credentials !== undefined && {
        ...(await this.encrypt(before, credentials)),
        ...untested,
      }),
      updatedAt: clock.date(),
    };
    const row = await this.store.unitOfWork.run(async (tx) => {
      const locked = await lockConnection(tx, organizationId, id);
      await tx.update(Connection, { id, organizationId }, changes);
      const details = { name, hasNewCredentials: credentials !== undefined };
      await this.note(tx, actor, locked, "changed", details);
      if (details.hasNewCredentials) await this.observer.changed(tx, locked.id);
      return Object.assign(locked, changes);
    });
    if (credentials !== undefined) this.observer.nudge();
    return this.view(row);
  }

  /** Adds to the saved credentials. @throws PlatenError as `change` does. */
  async addCredentials(
    organizationId: string,
    id: string,
    added: Readonly<Record<string, unknown>>,
    actor: Actor,
  ): Promise<ConnectionView> {
    const saved = await this.decrypt(await this.find(organizationId, id));
    const credentials = { ...saved, ...added };
    return this.change(organizationId, id, { credentials }, actor);
  }

  /** @returns the deleted connection. @throws PlatenError `not_found`. */
  async remove(
    organizationId: string,
    id: string,
    actor: Actor,
  ): Promise<ConnectionView> {
    const row = await this.store.unitOfWork.run(async (tx) => {
      const locked = await lockConnection(tx, organizationId, id);
      await tx.delete(Connection, { id, organizationId });
      const details = getAuditDetails(locked);
      await this.note(tx, actor, locked, "deleted", details);
      return locked;
    });
    return this.view(row);
  }

  /** Calls the platform or provider and saves the result. @throws PlatenError `not_found`; `unavailable` without the plugin. */
  async test(organizationId: string, id: string): Promise<ConnectionTest> {
    const row = await this.find(organizationId, id);
    const client = await this.connect(row.kind, row);
    const { account, warnings, error } = await checkAccess(client);
    const changes = {
      state: error === null ? ("working" as const) : ("failing" as const),
      lastError: error,
      lastCheckedAt: clock.date(),
    };
    // Credentials that were changed in the meantime stay untested.
    const tested = { id, organizationId, credentials: row.credentials };
    await this.store.unitOfWork.run((tx) =>
      tx.update(Connection, tested, changes),
    );
    const connection = await this.get(organizationId, id);
    return { connection, account, warnings };
  }

  /** Null when the platform has no bases. @throws PlatenError as `open` does. */
  async listBases(
    organizationId: string,
    id: string,
  ): Promise<BaseInfo[] | null> {
    const { platform } = await this.open(organizationId, id);
    return platform.listBases();
  }

  /** With their fields. @throws PlatenError as `open` does. */
  async listTables(
    organizationId: string,
    id: string,
    baseId?: string,
  ): Promise<TableInfo[]> {
    const { platform } = await this.open(organizationId, id);
    return platform.describe(baseId);
  }

  /** An organization's connections to a platform, oldest first. */
  listByPlatform(
    organizationId: string,
    platform: string,
  ): Promise<Pick<Connection, "id" | "name">[]> {
    return this.store.read.find(Connection, {
      select: { id: true, name: true },
      where: { organizationId, kind: "platform", plugin: platform },
      order: { createdAt: "ASC", id: "ASC" },
    });
  }

  /**
   * @throws PlatenError `invalid_request` with all that the plugin's schema rejects, never with a value; `unavailable`
   * when the plugin cannot be used.
   */
  async assertCredentialsValid(
    { kind, plugin }: PluginKey,
    credentials: object,
  ): Promise<void> {
    const schema = await this.hosts[kind].getCredentialsSchema(plugin);
    const problems = schema.validate(credentials, "$.credentials");
    if (problems.length > 0)
      throw new PlatenError(
        "invalid_request",
        "The credentials do not match the plugin's schema.",
        { problems },
      );
    if (JSON.stringify(credentials).length > maxCredentials)
      throw new PlatenError(
        "invalid_request",
        `$.credentials: must have at most ${maxCredentials} characters.`,
      );
  }

  /** @throws PlatenError `not_found` when no such plugin is installed, `unavailable` when it is broken. */
  async assertPluginUsable({ kind, plugin }: PluginKey): Promise<void> {
    const host = this.hosts[kind];
    if ((await host.status(plugin)) === null)
      throw new PlatenError(
        "not_found",
        `There is no ${kinds[kind].title} "${plugin}".`,
      );
    const problem = await host.findProblem(plugin);
    if (problem !== null) throw new PlatenError("unavailable", problem);
  }

  /** @throws PlatenError `not_found`; `invalid_request` for a connection to a provider; `unavailable` when it cannot be used. */
  async open(organizationId: string, id: string): Promise<PlatformConnection> {
    const row = await this.find(organizationId, id);
    const platform = await this.connect("platform", row);
    return { id: row.id, name: row.name, platform };
  }

  /**
   * The page that authorizes a saved connection, with its saved credentials.
   * @throws PlatenError `not_found`; `invalid_request` when it has none; `unavailable` when it cannot be used.
   */
  async openAuthorization(
    organizationId: string,
    id: string,
  ): Promise<ConnectedAuthorization> {
    const row = await this.find(organizationId, id);
    return (await this.connect(row.kind, row)).authorization;
  }

  /** @throws PlatenError `not_found`; `invalid_request` for a connection to a platform; `unavailable` when it cannot be used. */
  async openEsign(
    organizationId: string,
    id: string,
  ): Promise<EsignConnection> {
    return this.toEsignConnection(await this.find(organizationId, id));
  }

  /** @throws PlatenError `not_found`; `invalid_request` for a connection of another kind; `unavailable` when it cannot be used. */
  async openDelivery(
    organizationId: string,
    id: string,
  ): Promise<DeliveryConnection> {
    const row = await this.find(organizationId, id);
    const method = await this.connect("delivery", row);
    return { id: row.id, name: row.name, method };
  }

  /**
   * Finds a connection to a provider in any organization, for notices and pages, which contain their own proof.
   * @returns null when there is none. @throws PlatenError `unavailable` when it cannot be used.
   */
  async findEsign(id: string): Promise<EsignConnection | null> {
    if (!isId(id)) return null;
    const where = { id, kind: "esign" } as const;
    const row = await this.store.read.findOneBy(Connection, where);
    return row && this.toEsignConnection(row);
  }

  /** The connections of all organizations whose plugin is missing or broken. */
  async listOrphaned(): Promise<OrphanedConnection[]> {
    const platforms = await this.findOrphaned("platform");
    const esign = await this.findOrphaned("esign");
    return [...platforms, ...esign, ...(await this.findOrphaned("delivery"))];
  }

  /**
   * Encrypts the credentials of every connection with the service's current secret. Can be interrupted and run again:
   * each row is updated by itself, and only if it still has the credentials that were read.
   */
  async reseal(actor: Actor): Promise<ResealResult> {
    const { store, secrets } = this;
    const result: ResealResult = { count: 0, unreadable: [] };
    for (let after = ""; ;) {
      const rows = await store.read.find(Connection, {
        where: { secretKeyId: Not(secrets.keyId), id: MoreThan(after) },
        order: { id: "ASC" },
        take: resealBatchSize,
      });
      for (const row of rows) {
        const { id, credentials } = row;
        after = id;
        const sealed = await secrets.reseal(credentials, id).catch(() => "");
        if (sealed === "") result.unreadable.push(id);
        if (!sealed) continue;
        await store.unitOfWork.run(async (tx) => {
          const changes = { credentials: sealed, secretKeyId: secrets.keyId };
          const same = { id, credentials };
          const { affected } = await tx.update(Connection, same, changes);
          if (affected !== 0) await this.note(tx, actor, row, "resealed");
        });
        result.count += 1;
      }
      if (rows.length < resealBatchSize) return result;
    }
  }

  private find(organizationId: string, id: string): Promise<Connection> {
    return findConnection(this.store.read, organizationId, id);
  }

  private async view(row: Connection): Promise<ConnectionView> {
    const { kind, plugin } = row;
    return toView(connectionSchema, row, {
      platform: kind === "platform" ? plugin : null,
      provider: kind === "esign" ? plugin : null,
      delivery: kind === "delivery" ? plugin : null,
      // Replaces the credentials of the row, which contain the secrets.
      ...(await this.inspect(row)),
    });
  }

  private async inspect(
    row: Connection,
  ): Promise<Pick<ConnectionView, "credentials" | "problem">> {
    try {
      const value = await this.decrypt(row);
      const host = this.hosts[row.kind];
      const schema = await host.getCredentialsSchema(row.plugin);
      return { credentials: schema.pickPublic(value), problem: null };
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      return { credentials: {}, problem: error.message };
    }
  }

  private async assertPluginExists({ kind, plugin }: Connection) {
    const host = this.hosts[kind];
    const status = await host.status(plugin);
    if (status?.capabilities && "files" in status.capabilities)
      throw new PlatenError(
        "invalid_request",
        "$.platform: files need no connection. Send them to POST /api/export/batch/file.",
      );
    if (status !== null) return;
    const { field, title } = kinds[kind];
    const ids = (await host.listIds()).join(", ");
    throw new PlatenError(
      "invalid_request",
      `$.${field}: there is no ${title} "${plugin}". Installed: ${ids}.`,
    );
  }

  /** @throws PlatenError `invalid_request` for a connection of another kind; `unavailable` when it cannot be used. */
  private async connect<K extends CallableKind>(
    kind: K,
    row: Connection,
  ): Promise<ConnectedPlugins[K]> {
    assertKind(row, kind);
    const credentials = await this.decrypt(row);
    return this.hosts[kind].connect(row.plugin, credentials, row);
  }

  private async toEsignConnection(row: Connection): Promise<EsignConnection> {
    const { id, organizationId, name } = row;
    const provider = await this.connect("esign", row);
    return { id, organizationId, name, provider };
  }

  /** Encrypts credentials for this row. @throws PlatenError as `assertCredentialsValid` does. */
  private async encrypt(
    row: Connection,
    credentials: object,
  ): Promise<Pick<Connection, "credentials" | "secretKeyId">> {
    await this.assertCredentialsValid(row, credentials);
    const text = JSON.stringify(credentials);
    const encrypted = await this.secrets.seal(text, row.id);
    return { credentials: encrypted, secretKeyId: this.secrets.keyId };
  }

  /** @throws PlatenError `unavailable` when the plugin cannot be used, or the service's secret was changed. */
  private async decrypt(row: Connection): Promise<Record<string, unknown>> {
    const problem = await this.hosts[row.kind].findProblem(row.plugin);
    if (problem !== null) throw new PlatenError("unavailable", problem);
    const text = await this.secrets.open(row.credentials, row.id);
    const value: unknown = JSON.parse(text);
    return { ...Object(value) };
  }

  private async findOrphaned(
    kind: Connection["kind"],
  ): Promise<OrphanedConnection[]> {
    const { store, hosts } = this;
    const used = await store.read
      .createQueryBuilder(Connection, "connection")
      .select("connection.plugin", "plugin")
      .distinct(true)
      .where({ kind })
      .getRawMany<{ plugin: string }>();
    const problems = new Map<string, string>();
    for (const { plugin } of used) {
      const problem = await hosts[kind].findProblem(plugin);
      if (problem !== null) problems.set(plugin, problem);
    }
    const rows = await store.read.find(Connection, {
      where: { kind, plugin: In([...problems.keys()]) },
      order: { createdAt: "ASC", id: "ASC" },
    });
    return rows.map(({ id, organizationId, plugin, name }) => {
      const problem = problems.get(plugin) ?? "";
      return { id, organizationId, kind, plugin, name, problem };
    });
  }

  private note(
    tx: EntityManager,
    actor: Actor,
    { id: subject, organizationId }: Connection,
    act: "created" | "changed" | "deleted" | "resealed",
    details?: Record<string, unknown>,
  ): Promise<void> {
    return recordAudit(tx, actor, {
      organizationId,
      action: `connection.${act}`,
      subject,
      ...(details && { details }),
    });
  }
}

/** @throws PlatenError `not_found`, also for connections of other organizations. */
async function findConnection(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Connection> {
  const where = { id: normalizeId(id), organizationId };
  const row = isId(id) ? await read.findOneBy(Connection, where) : null;
  return row ?? throwNotFound();
}

/** Finds a connection as `findConnection` does, and locks its row. */
async function lockConnection(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Connection> {
  const where = { id, organizationId };
  const row = isId(id) ? await findForUpdate(tx, Connection, where) : null;
  return row ?? throwNotFound();
}

function throwNotFound(): never {
  throw new PlatenError("not_found", "There is no such connection.");
}

/** The field of requests that names the plugin, and what people call it. */
const kinds: Record<Connection["kind"], { field: string; title: string }> = {
  platform: { field: "platform", title: "platform" },
  esign: { field: "provider", title: "e-signature provider" },
  delivery: { field: "delivery", title: "delivery method" },
};

/** @throws PlatenError `invalid_request` for a connection of another kind. */
function assertKind(
  { kind, name, plugin }: Connection,
  expected: Connection["kind"],
): void {
  if (kind === expected) return;
  const { title } = kinds[kind];
  const { title: wanted } = kinds[expected];
  const other = `${/^[aeiou]/.test(wanted) ? "an" : "a"} ${wanted}`;
  throw new PlatenError(
    "invalid_request",
    `The connection "${name}" connects to the ${title} "${plugin}", not to ${other}. Use a connection to ${other}.`,
  );
}

/** Rejects only with unexpected errors; a refusal is a result. */
async function checkAccess(client: Pick<ConnectedPlatform, "check">): Promise<{
  account: string | null;
  warnings: string[];
  error: string | null;
}> {
  try {
    const { account = null, warnings } = await client.check();
    return { account, warnings, error: null };
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return { account: null, warnings: [], error: error.message };
  }
}

function getAuditDetails({ kind, plugin, name }: Connection) {
  return { [kinds[kind].field]: plugin, name };
}

/** A new connection: exactly one of `platform`, `provider` and `delivery` is set. */
interface ConnectionInput {
  platform?: string | undefined;
  provider?: string | undefined;
  delivery?: string | undefined;
  name: string;
  credentials: object;
}

/**
 * Omitted fields stay as they are. Credentials are complete: with a partial update, an old secret could be sent to a new
 * address.
 */
interface ConnectionPatch {
  name?: string | undefined;
  credentials?: object | undefined;
}

/** A new row, still without credentials. @throws PlatenError `invalid_request`. */
function createConnectionRow(
  { organizationId, userId }: { organizationId: string; userId: string },
  input: ConnectionInput,
): Connection {
  const now = clock.date();
  return {
    id: newId(),
    organizationId,
    ...parsePlugin(input),
    name: parseName(input.name),
    credentials: "",
    secretKeyId: "",
    settings: null,
    ...untested,
    createdById: userId,
    createdAt: now,
    updatedAt: now,
  };
}

function parsePlugin({
  platform,
  provider,
  delivery,
}: ConnectionInput): PluginKey {
  const set = [
    { kind: "platform" as const, plugin: platform },
    { kind: "esign" as const, plugin: provider },
    { kind: "delivery" as const, plugin: delivery },
  ].flatMap(({ kind, plugin }) =>
    plugin === undefined ? [] : [{ kind, plugin }],
  );
  const [first] = set;
  if (first && set.length === 1) return first;
  throw new PlatenError(
    "invalid_request",
    "Set exactly one of `platform`, to connect to a platform, `provider`, to connect to an e-signature provider, and `delivery`, to connect to a delivery method.",
  );
}

/** @throws PlatenError `invalid_request`. */
export function parseName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 0 && trimmed.length <= maxNameLength) return trimmed;
  throw new PlatenError(
    "invalid_request",
    `$.name: must have 1 to ${maxNameLength} characters.`,
  );
}

import { IsNull, type EntityManager, MoreThan } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  listPage,
  newId,
  type PageRequest,
  type Store,
  WebhookEndpoint,
  findForUpdate,
  isId,
} from "../storage/database/index.js";
import type { EventActor, EventPorts } from "./create-events.js";
import { EVENT_TYPES, type EventType } from "./events.js";
import { newSecret } from "./message.js";

/** Each event is sent to each of them: more would let one organization's batch crowd out another's. */
const mostEndpoints = 50;

interface EndpointList {
  data: EndpointView[];
  pagination: { page: number; pageSize: number; total: number };
}

type Ports = Pick<
  EventPorts,
  "store" | "outbound" | "secrets" | "noteAct" | "settings"
>;

/** The addresses that an organization wants told of its events; another's do not exist. */
export class WebhookEndpoints {
  constructor(private readonly ports: Ports) {}

  private get store(): Store {
    return this.ports.store;
  }

  /**
   * The answer alone holds the secret.
   * @throws PlatenError `invalid_request` for a url that is not called or an unknown event; `conflict` for one too many.
   */
  async create(
    organizationId: string,
    input: EndpointInput,
    actor: EventActor,
  ): Promise<EndpointWithSecret> {
    const row = this.rowOf(organizationId, input, actor);
    const secret = newSecret();
    row.secret = await this.ports.secrets.seal(secret, row.id);
    await this.store.unitOfWork.run(async (tx) => {
      const owned = { organizationId, deletedAt: IsNull() };
      const count = await tx.countBy(WebhookEndpoint, owned);
      if (count >= mostEndpoints) throw tooMany();
      await tx.insert(WebhookEndpoint, row);
      const { id, url, events } = row;
      await this.note(tx, actor, row, "webhook.created", { id, url, events });
    });
    return { ...endpointView(row), secret };
  }

  /** The newest first. */
  async list(organizationId: string, page: PageRequest): Promise<EndpointList> {
    const { rows, ...pagination } = await this.store.snapshot((read) =>
      listPage(read, WebhookEndpoint, {
        ...page,
        where: { organizationId, deletedAt: IsNull() },
        newestBy: "createdAt",
      }),
    );
    return { data: rows.map(endpointView), pagination };
  }

  /** @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<EndpointView> {
    return endpointView(
      await findEndpoint(this.store.read, organizationId, id),
    );
  }

  /**
   * What is left out stays. Enabling forgets why it was disabled; disabling ends what is on its way.
   * @throws PlatenError `not_found`; `invalid_request` as `create` does.
   */
  async change(
    organizationId: string,
    id: string,
    patch: EndpointPatch,
    actor: EventActor,
  ): Promise<EndpointView> {
    const changes = this.changesOf(patch);
    return this.store.unitOfWork.run(async (tx) => {
      const row = await lockEndpoint(tx, organizationId, id);
      const switched = patch.isEnabled ?? row.isEnabled;
      const all = {
        ...changes,
        ...(switched !== row.isEnabled && stateOf(switched)),
        updatedAt: new Date(),
      };
      await tx.update(WebhookEndpoint, { id }, all);
      await this.note(tx, actor, row, "webhook.changed", { ...patch });
      return endpointView(Object.assign(row, all));
    });
  }

  /** What is on its way to it is not sent any more. @throws PlatenError `not_found`. */
  async remove(
    organizationId: string,
    id: string,
    actor: EventActor,
  ): Promise<EndpointView> {
    return this.store.unitOfWork.run(async (tx) => {
      const row = await lockEndpoint(tx, organizationId, id);
      const now = new Date();
      const gone = { deletedAt: now, secret: "", previousSecret: null };
      await tx.update(WebhookEndpoint, { id }, { ...gone, updatedAt: now });
      await this.note(tx, actor, row, "webhook.deleted", { url: row.url });
      return endpointView(row);
    });
  }

  /**
   * The answer alone holds the new secret. The old one signs too for a day, unless it is to be revoked at once.
   * @throws PlatenError `not_found`.
   */
  async rotateSecret(
    organizationId: string,
    id: string,
    { revokeNow }: { revokeNow: boolean },
    actor: EventActor,
  ): Promise<EndpointWithSecret> {
    await findEndpoint(this.store.read, organizationId, id);
    const secret = newSecret();
    const sealed = await this.ports.secrets.seal(secret, id);
    const row = await this.store.unitOfWork.run(async (tx) => {
      const endpoint = await lockEndpoint(tx, organizationId, id);
      const { overlapMs } = this.ports.settings;
      const rotated = rotateSecret(endpoint, sealed, revokeNow ? 0 : overlapMs);
      await tx.update(WebhookEndpoint, { id }, rotated);
      const details = { revokeNow };
      await this.note(tx, actor, endpoint, "webhook.secret_rotated", details);
      return Object.assign(endpoint, rotated);
    });
    return { ...endpointView(row), secret };
  }

  /** Encrypts all that is not yet under the service's secret of now; see `resealSecrets`. */
  reseal(): ReturnType<typeof resealSecrets> {
    return resealSecrets(this.ports);
  }

  private rowOf(
    organizationId: string,
    { url, events, description }: EndpointInput,
    actor: EventActor,
  ): Omit<WebhookEndpoint, never> {
    const now = new Date();
    return {
      id: newId(),
      organizationId,
      url: this.parseUrl(url),
      description: description ?? null,
      events: parseEventTypes(events),
      secret: "",
      previousSecret: null,
      previousSecretUntil: null,
      ...stateOf(true),
      createdById: actor.userId,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    };
  }

  private changesOf({ url, events, description }: EndpointPatch) {
    return {
      ...(url !== undefined && { url: this.parseUrl(url) }),
      ...(events !== undefined && { events: parseEventTypes(events) }),
      ...(description !== undefined && { description }),
    };
  }

  private parseUrl(url: string): string {
    return parseEndpointUrl(url, (text) => this.ports.outbound.check(text));
  }

  private note(
    tx: Parameters<EventPorts["noteAct"]>[0],
    actor: EventActor,
    { id, organizationId }: Pick<WebhookEndpoint, "id" | "organizationId">,
    action: Parameters<EventPorts["noteAct"]>[2]["action"],
    details: Record<string, unknown>,
  ): Promise<void> {
    const note = { organizationId, action, subject: id, details };
    return this.ports.noteAct(tx, actor, note);
  }
}

/** An endpoint that is switched on starts with a clean record. */
function stateOf(isEnabled: boolean) {
  return {
    isEnabled,
    disabledReason: isEnabled ? null : "Disabled by its owner.",
    disabledAt: isEnabled ? null : new Date(),
    failingSince: null,
  };
}

function tooMany(): PlatenError {
  return new PlatenError(
    "conflict",
    `An organization has at most ${mostEndpoints} webhook endpoints. Delete one that is not used.`,
  );
}

/** An endpoint as its owner sees it: never its secret. Times are ISO 8601. */
export interface EndpointView {
  id: string;
  organizationId: string;
  url: string;
  description: string | null;
  events: string[];
  isEnabled: boolean;
  disabledReason: string | null;
  disabledAt: string | null;
  failingSince: string | null;
  /** Until when the secret before the last rotation signs too; null when it does not. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
}

/** With a new secret, which is shown this once. */
export interface EndpointWithSecret extends EndpointView {
  secret: string;
}

function endpointView(row: WebhookEndpoint): EndpointView {
  const { id, organizationId, url, description, events, isEnabled } = row;
  const until = row.previousSecret === null ? null : row.previousSecretUntil;
  const isPast = until !== null && until.getTime() <= Date.now();
  return {
    id,
    organizationId,
    url,
    description,
    events,
    isEnabled,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    failingSince: row.failingSince?.toISOString() ?? null,
    previousSecretUntil: isPast ? null : (until?.toISOString() ?? null),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What an owner may choose; what is left out stays as it is, or takes its default. */
export interface EndpointInput {
  url: string;
  /** Default: all. */
  events?: readonly string[] | undefined;
  description?: string | null | undefined;
}

export interface EndpointPatch {
  url?: string | undefined;
  events?: readonly string[] | undefined;
  description?: string | null | undefined;
  isEnabled?: boolean | undefined;
}

const longestUrl = 2048;

/** Each type once, in our order. @throws PlatenError `invalid_request` for a word that is no type, or none at all. */
function parseEventTypes(words: readonly string[] = EVENT_TYPES): EventType[] {
  const wrong = words.filter(
    (word) => !EVENT_TYPES.some((type) => type === word),
  );
  const types = EVENT_TYPES.filter((type) => words.includes(type));
  if (wrong.length === 0 && types.length > 0) return types;
  const what =
    wrong.length > 0
      ? `There is no event ${wrong.map((word) => `"${word}"`).join(", ")}.`
      : "An endpoint needs at least one event.";
  throw new PlatenError(
    "invalid_request",
    `${what} Events are: ${EVENT_TYPES.join(", ")}.`,
  );
}

/** @param check throws for an address that is never called. */
function parseEndpointUrl(url: string, check: (url: string) => URL): string {
  const { href, hash } = check(url);
  if (hash !== "")
    throw refusal(
      "A webhook's url has no part behind #: it would not be sent.",
    );
  if (href.length > longestUrl)
    throw refusal(`A webhook's url has at most ${longestUrl} characters.`);
  return href;
}

function refusal(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}

/** @throws PlatenError `not_found`: another organization's does not exist. */
export async function findEndpoint(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const where = { id, organizationId, deletedAt: IsNull() };
  return found(isId(id) ? await read.findOneBy(WebhookEndpoint, where) : null);
}

/** The same, and keeps others from changing it meanwhile. */
async function lockEndpoint(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const where = { id, organizationId, deletedAt: IsNull() };
  return found(
    isId(id) ? await findForUpdate(tx, WebhookEndpoint, where) : null,
  );
}

function found(endpoint: WebhookEndpoint | null): WebhookEndpoint {
  if (endpoint !== null) return endpoint;
  throw new PlatenError("not_found", "There is no such webhook endpoint.");
}

/** @throws PlatenError `conflict` for one to which nothing is sent. */
export function requireEnabled({ isEnabled, disabledReason }: WebhookEndpoint) {
  if (isEnabled) return;
  throw new PlatenError(
    "conflict",
    `The endpoint is disabled (${disabledReason ?? "by its owner"}). Enable it first.`,
  );
}

/**
 * The columns of a rotation: `sealed` becomes the secret, and the old one signs beside it for `overlapMs`. With 0 it
 * ends at once, and so does one of an earlier rotation.
 */
function rotateSecret(
  { secret }: Pick<WebhookEndpoint, "secret">,
  sealed: string,
  overlapMs: number,
) {
  const now = new Date();
  const hasOverlap = overlapMs > 0;
  return {
    secret: sealed,
    previousSecret: hasOverlap ? secret : null,
    previousSecretUntil: hasOverlap
      ? new Date(now.getTime() + overlapMs)
      : null,
    updatedAt: now,
  };
}

const perLook = 100;

type ResealPorts = Pick<EventPorts, "store" | "secrets">;

/**
 * Encrypts every endpoint's secrets with the service's secret of now. May be ended and run again at any time: each row
 * is changed by itself, and only while it still holds what was read.
 */
async function resealSecrets(
  ports: ResealPorts,
): Promise<{ count: number; unreadable: string[] }> {
  const done = { count: 0, unreadable: new Array<string>() };
  for (let after = ""; ;) {
    const rows = await ports.store.read.find(WebhookEndpoint, {
      where: { deletedAt: IsNull(), id: MoreThan(after) },
      order: { id: "ASC" },
      take: perLook,
    });
    for (const row of rows) {
      after = row.id;
      const sealed = await resealed(ports, row).catch(() => null);
      if (sealed === null) done.unreadable.push(row.id);
      else if (await write(ports, row, sealed)) done.count += 1;
    }
    if (rows.length < perLook) return done;
  }
}

/** Those of its secrets that were under an earlier one. */
async function resealed(
  { secrets }: ResealPorts,
  { id, secret, previousSecret }: WebhookEndpoint,
): Promise<Partial<WebhookEndpoint>> {
  const now = await secrets.reseal(secret, id);
  const before = previousSecret && (await secrets.reseal(previousSecret, id));
  return {
    ...(now !== null && { secret: now }),
    ...(before !== null && before !== "" && { previousSecret: before }),
  };
}

async function write(
  { store }: ResealPorts,
  { id, secret }: WebhookEndpoint,
  changes: Partial<WebhookEndpoint>,
): Promise<boolean> {
  if (Object.keys(changes).length === 0) return false;
  const { affected } = await store.unitOfWork.run((tx) =>
    tx.update(WebhookEndpoint, { id, secret }, changes),
  );
  return affected !== 0;
}

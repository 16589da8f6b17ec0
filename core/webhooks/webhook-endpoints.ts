import { type EntityManager, IsNull, MoreThan } from "typeorm";
import { z } from "zod";
import { type Actor, recordAudit } from "../accounts/index.js";
import { clock } from "../lib/clock.js";
import { timestampSchema, toView } from "../lib/schemas.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  findForUpdate,
  isId,
  listPage,
  newId,
  type PageRequest,
  WebhookEndpoint,
} from "../storage/database/index.js";
import {
  DEFAULT_EVENT_TYPES,
  EVENT_TYPES,
  type EventType,
  type EventPorts,
} from "./events.js";
import { createSecret } from "./send-message.js";

/** Each event is sent to each endpoint, so more of them would let one organization's batch delay another's. */
const maxEndpoints = 50;
const maxUrlLength = 2048;
const rowsPerRead = 100;

/** Fields that are left out take their default. */
export interface EndpointInput {
  url: string;
  /** Default: `DEFAULT_EVENT_TYPES`. */
  events?: readonly string[] | undefined;
  description?: string | null | undefined;
}

/** Fields that are left out stay as they are. */
interface EndpointPatch extends Omit<EndpointInput, "url"> {
  url?: string | undefined;
  isEnabled?: boolean | undefined;
}

const webhookFields = {
  id: z.string(),
  organizationId: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.string()),
  isEnabled: z.boolean(),
  disabledReason: z
    .string()
    .nullable()
    .meta({ description: "Why it is disabled." }),
  disabledAt: timestampSchema.nullable(),
  failingSince: timestampSchema.nullable().meta({
    description: "The first failed attempt since the last successful one.",
  }),
  previousSecretUntil: timestampSchema.nullable().meta({
    description:
      "Until then, deliveries are also signed with the previous secret.",
  }),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
};

export const webhookSchema = z
  .strictObject(webhookFields)
  .meta({ id: "Webhook" });

export const webhookWithSecretSchema = z
  .strictObject({
    ...webhookFields,
    secret: z.string().meta({
      description: "Signs every delivery. Only shown once.",
      example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazKiBHuIGvM=",
    }),
  })
  .meta({ id: "WebhookWithSecret" });

export type EndpointView = z.output<typeof webhookSchema>;
export type EndpointWithSecret = z.output<typeof webhookWithSecretSchema>;

/** Endpoints of other organizations are treated as missing. */
export class WebhookEndpoints {
  constructor(
    private readonly ports: Pick<
      EventPorts,
      "store" | "outbound" | "secrets" | "settings"
    >,
  ) {}

  /**
   * Only this result contains the secret.
   * @throws PlatenError `invalid_request` for a url that is not allowed or an unknown event; `conflict` for one too many.
   */
  async create(
    organizationId: string,
    { url, events, description }: EndpointInput,
    actor: Actor,
  ): Promise<EndpointWithSecret> {
    const { store, secrets } = this.ports;
    const now = clock.date();
    const id = newId();
    const secret = createSecret();
    const row: Omit<WebhookEndpoint, never> = {
      id,
      organizationId,
      url: await this.#parseUrl(organizationId, url),
      description: description ?? null,
      events: parseEventTypes(events),
      secret: await secrets.seal(secret, id),
      previousSecret: null,
      previousSecretUntil: null,
      ...getEnabledColumns(true),
      createdById: actor.userId,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    };
    await store.unitOfWork.run(async (tx) => {
      const owned = { organizationId, deletedAt: IsNull() };
      if ((await tx.countBy(WebhookEndpoint, owned)) >= maxEndpoints)
        throw new PlatenError(
          "conflict",
          `An organization can have at most ${maxEndpoints} webhook endpoints. Delete one that is not used.`,
        );
      await tx.insert(WebhookEndpoint, row);
      const details = { id, url: row.url, events: row.events };
      await audit(tx, actor, row, "webhook.created", details);
    });
    return { ...toEndpointView(row), secret };
  }

  /** The newest first. */
  async list(organizationId: string, page: PageRequest) {
    const { rows, ...pagination } = await this.ports.store.snapshot((read) =>
      listPage(read, WebhookEndpoint, {
        ...page,
        where: { organizationId, deletedAt: IsNull() },
        newestBy: "createdAt",
      }),
    );
    return { data: rows.map(toEndpointView), pagination };
  }

  /** @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<EndpointView> {
    const { read } = this.ports.store;
    return toEndpointView(await findEndpoint(read, organizationId, id));
  }

  /**
   * Enabling clears the reason why it was disabled; disabling ends its deliveries in progress.
   * @throws PlatenError `not_found`; `invalid_request` as `create` does.
   */
  async change(
    organizationId: string,
    id: string,
    patch: EndpointPatch,
    actor: Actor,
  ): Promise<EndpointView> {
    const { url, events, description, isEnabled } = patch;
    const changes = {
      ...(url !== undefined && {
        url: await this.#parseUrl(organizationId, url),
      }),
      ...(events !== undefined && { events: parseEventTypes(events) }),
      ...(description !== undefined && { description }),
    };
    return this.ports.store.unitOfWork.run(async (tx) => {
      const row = await lockEndpoint(tx, organizationId, id);
      const isSwitched = isEnabled !== undefined && isEnabled !== row.isEnabled;
      const all = {
        ...changes,
        ...(isSwitched && getEnabledColumns(isEnabled)),
        updatedAt: clock.date(),
      };
      await tx.update(WebhookEndpoint, { id }, all);
      await audit(tx, actor, row, "webhook.changed", { ...patch });
      return toEndpointView(Object.assign(row, all));
    });
  }

  /** Its deliveries in progress are not sent any more. @throws PlatenError `not_found`. */
  async remove(
    organizationId: string,
    id: string,
    actor: Actor,
  ): Promise<EndpointView> {
    return this.ports.store.unitOfWork.run(async (tx) => {
      const row = await lockEndpoint(tx, organizationId, id);
      const now = clock.date();
      const deleted = { deletedAt: now, secret: "", previousSecret: null };
      await tx.update(WebhookEndpoint, { id }, { ...deleted, updatedAt: now });
      await audit(tx, actor, row, "webhook.deleted", { url: row.url });
      return toEndpointView(row);
    });
  }

  /**
   * Only this result contains the new secret. The old one continues to sign for a day, unless `revokeNow` is set.
   * @throws PlatenError `not_found`.
   */
  async rotateSecret(
    organizationId: string,
    id: string,
    { revokeNow }: { revokeNow: boolean },
    actor: Actor,
  ): Promise<EndpointWithSecret> {
    const { store, secrets, settings } = this.ports;
    await findEndpoint(store.read, organizationId, id);
    const secret = createSecret();
    const sealed = await secrets.seal(secret, id);
    const row = await store.unitOfWork.run(async (tx) => {
      const endpoint = await lockEndpoint(tx, organizationId, id);
      const now = clock.date();
      const until = new Date(now.getTime() + settings.overlapMs);
      const hasOverlap = !revokeNow && settings.overlapMs > 0;
      const rotated = {
        secret: sealed,
        previousSecret: hasOverlap ? endpoint.secret : null,
        previousSecretUntil: hasOverlap ? until : null,
        updatedAt: now,
      };
      await tx.update(WebhookEndpoint, { id }, rotated);
      const details = { revokeNow };
      await audit(tx, actor, endpoint, "webhook.secret_rotated", details);
      return Object.assign(endpoint, rotated);
    });
    return { ...toEndpointView(row), secret };
  }

  /**
   * Encrypts every endpoint's secrets with the service's current secret. May be interrupted and repeated at any time:
   * each row is changed by itself, and only while its secret is the one that was read.
   */
  async reseal(): Promise<{ count: number; unreadable: string[] }> {
    const { store } = this.ports;
    const done = { count: 0, unreadable: new Array<string>() };
    for (let after = ""; ;) {
      const rows = await store.read.find(WebhookEndpoint, {
        where: { deletedAt: IsNull(), id: MoreThan(after) },
        order: { id: "ASC" },
        take: rowsPerRead,
      });
      for (const row of rows) {
        const { id, secret } = row;
        after = id;
        const changes = await this.#resealSecrets(row).catch(() => null);
        if (changes === null) done.unreadable.push(id);
        else if (Object.keys(changes).length > 0) {
          const { affected } = await store.unitOfWork.run((tx) =>
            tx.update(WebhookEndpoint, { id, secret }, changes),
          );
          if (affected !== 0) done.count += 1;
        }
      }
      if (rows.length < rowsPerRead) return done;
    }
  }

  /** Only those that are encrypted with an earlier secret of the service. */
  async #resealSecrets({
    id,
    secret,
    previousSecret,
  }: WebhookEndpoint): Promise<Partial<WebhookEndpoint>> {
    const { secrets } = this.ports;
    const current = await secrets.reseal(secret, id);
    const previous =
      previousSecret && (await secrets.reseal(previousSecret, id));
    return {
      ...(current !== null && { secret: current }),
      ...(previous && { previousSecret: previous }),
    };
  }

  async #parseUrl(organizationId: string, url: string): Promise<string> {
    const outbound = await this.ports.outbound.forOrganization(organizationId);
    const { href, hash } = outbound.check(url);
    if (hash !== "")
      throw new PlatenError(
        "invalid_request",
        "A webhook's url must not contain a fragment (#…), which is never sent. Remove it.",
      );
    if (href.length > maxUrlLength)
      throw new PlatenError(
        "invalid_request",
        `A webhook's url can have at most ${maxUrlLength} characters.`,
      );
    return href;
  }
}

function audit(
  tx: EntityManager,
  actor: Actor,
  { id, organizationId }: Pick<WebhookEndpoint, "id" | "organizationId">,
  action: `webhook.${"created" | "changed" | "deleted" | "secret_rotated"}`,
  details: Record<string, unknown>,
): Promise<void> {
  const note = { organizationId, action, subject: id, details };
  return recordAudit(tx, actor, note);
}

/** An endpoint that is enabled again starts without a history of failures. */
function getEnabledColumns(isEnabled: boolean) {
  return {
    isEnabled,
    disabledReason: isEnabled ? null : "Disabled by its owner.",
    disabledAt: isEnabled ? null : clock.date(),
    failingSince: null,
  };
}

/** Each type once, in the order of `EVENT_TYPES`. @throws PlatenError `invalid_request` for an unknown type or none. */
function parseEventTypes(
  names: readonly string[] = DEFAULT_EVENT_TYPES,
): EventType[] {
  const unknown = names.filter(
    (name) => !EVENT_TYPES.some((type) => type === name),
  );
  const types = EVENT_TYPES.filter((type) => names.includes(type));
  if (unknown.length === 0 && types.length > 0) return types;
  const what =
    unknown.length > 0
      ? `Unknown event: ${unknown.map((name) => `"${name}"`).join(", ")}.`
      : "An endpoint needs at least one event.";
  throw new PlatenError(
    "invalid_request",
    `${what} Valid events: ${EVENT_TYPES.join(", ")}.`,
  );
}

function toEndpointView(row: WebhookEndpoint): EndpointView {
  const until = row.previousSecret === null ? null : row.previousSecretUntil;
  const isPast = until !== null && until.getTime() <= clock.now();
  return toView(webhookSchema, row, {
    previousSecretUntil: isPast ? null : until,
  });
}

/** @throws PlatenError `not_found`, also for another organization's endpoint. */
export async function findEndpoint(
  read: EntityManager,
  organizationId: string,
  id: string,
  find: typeof findForUpdate<WebhookEndpoint> = (reader, entity, where) =>
    reader.findOneBy(entity, where),
): Promise<WebhookEndpoint> {
  const where = { id, organizationId, deletedAt: IsNull() };
  const endpoint = isId(id) ? await find(read, WebhookEndpoint, where) : null;
  if (endpoint !== null) return endpoint;
  throw new PlatenError("not_found", "There is no such webhook endpoint.");
}

/** The same, and no other transaction can change it until `tx` ends. */
function lockEndpoint(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<WebhookEndpoint> {
  return findEndpoint(tx, organizationId, id, findForUpdate);
}

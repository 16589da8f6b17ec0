import { IsNull } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  listPage,
  newId,
  type PageRequest,
  type Store,
  WebhookEndpoint,
} from "../storage/database/index.js";
import {
  type EndpointInput,
  type EndpointPatch,
  parseEndpointUrl,
  parseEventTypes,
} from "./endpoint-input.js";
import {
  endpointView,
  type EndpointView,
  type EndpointWithSecret,
} from "./endpoint-view.js";
import { findEndpoint, lockEndpoint } from "./find-endpoint.js";
import type { EventActor, EventPorts } from "./ports.js";
import { resealSecrets } from "./reseal-secrets.js";
import { rotateSecret } from "./rotate-secret.js";
import { newSecret } from "./signature.js";

/** Each event is sent to each of them: more would let one organization's batch crowd out another's. */
const mostEndpoints = 50;

export interface EndpointList {
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

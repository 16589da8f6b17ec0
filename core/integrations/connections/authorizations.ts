import { createHash, randomBytes } from "node:crypto";
import { LessThan, MoreThan } from "typeorm";
import { z } from "zod";
import type { AuthorizationTarget } from "./views.js";
import type { Visitor } from "../../accounts/index.js";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import type { SecretBox } from "../../lib/secrets.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  ConnectionAuthorization,
  insertRow,
  newId,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import { BASE_URL } from "../../lib/process-values.js";
import {
  type ConnectedAuthorization,
  DeliveryHost,
  PlatformHost,
  type AuthorizationOffer,
} from "../host/index.js";
import {
  ConnectionService,
  parseName,
  CREDENTIAL_SECRETS,
} from "./connection-service.js";

const lifeMs = 10 * 60_000;

/** What is kept, encrypted, while a person is on the page of the other side. */
const requestSchema = z.object({
  target: z.union([
    z.object({
      connectionId: z.string(),
      credentials: z.looseObject({}).nullable(),
    }),
    z.object({
      platform: z.string(),
      name: z.string(),
      credentials: z.looseObject({}),
    }),
    z.object({
      delivery: z.string(),
      name: z.string(),
      credentials: z.looseObject({}),
    }),
  ]),
  codeVerifier: z.string(),
});
type Request = z.output<typeof requestSchema>;

/**
 * Connections whose secret the other side issues when a person consents on its page: an OAuth 2.0 authorization code with
 * PKCE, for the client that the organization has registered. The secret goes from there into the connection.
 */
@scoped(Lifecycle.ContainerScoped)
export class Authorizations {
  private readonly hosts: { platform: PlatformHost; delivery: DeliveryHost };

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(PlatformHost) platform: PlatformHost,
    @inject(DeliveryHost) delivery: DeliveryHost,
    @inject(ConnectionService) private readonly connections: ConnectionService,
    @inject(CREDENTIAL_SECRETS) private readonly secrets: SecretBox,
    @inject(BASE_URL) private readonly baseUrl: string,
  ) {
    this.hosts = { platform, delivery };
  }

  async offers(): Promise<{
    redirectUri: string;
    offers: AuthorizationOffer[];
  }> {
    const { platform, delivery } = this.hosts;
    const offers = [
      ...(await platform.listAuthorizations()),
      ...(await delivery.listAuthorizations()),
    ];
    return { redirectUri: this.redirectUri, offers };
  }

  /** @returns the page where the browser goes now. @throws PlatenError. */
  async begin(
    { organizationId, sessionId }: Visitor,
    target: AuthorizationTarget,
  ): Promise<{ url: string }> {
    const { store, redirectUri } = this;
    if ("name" in target) parseName(target.name);
    const authorization = await this.connect(organizationId, target);
    const state = createRandomText();
    const codeVerifier = createRandomText();
    const url = await authorization.createUrl({
      redirectUri,
      state,
      codeChallenge: hash(codeVerifier, "base64url"),
    });
    const id = newId();
    const createdAt = clock.date();
    const request = JSON.stringify({ target, codeVerifier });
    const row: ConnectionAuthorization = {
      id,
      organizationId,
      sessionId,
      hash: hash(state, "hex"),
      request: await this.secrets.seal(request, id),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + lifeMs),
    };
    await store.unitOfWork.run(async (tx) => {
      await tx.delete(ConnectionAuthorization, {
        expiresAt: LessThan(createdAt),
      });
      await insertRow(tx, ConnectionAuthorization, row);
    });
    return { url };
  }

  /**
   * Saves the connection, once, for the session and organization that began within ten minutes.
   * @param answer the query with which the page sent the browser back.
   * @throws PlatenError `gone`, `conflict` when the person declined, or what the other side says against it.
   */
  async finish(
    visitor: Visitor,
    answer: URLSearchParams,
  ): Promise<{ connectionId: string }> {
    const { redirectUri } = this;
    const { target, codeVerifier } = await this.take(
      visitor,
      answer.get("state") ?? "",
    );
    const code = answer.get("code");
    if (code === null) throw createDeclined(answer.get("error") ?? "");
    const authorization = await this.connect(visitor.organizationId, target);
    const granted = await authorization.exchangeCode({
      code,
      codeVerifier,
      redirectUri,
    });
    return { connectionId: await this.save(visitor, target, granted) };
  }

  private get redirectUri(): string {
    return `${this.baseUrl}/studio/connections/return`;
  }

  /**
   * The plugin with the credentials that are there before the person consents.
   * @throws PlatenError for those that cannot become valid by the consent.
   */
  private async connect(
    organizationId: string,
    target: AuthorizationTarget,
  ): Promise<ConnectedAuthorization> {
    const { connections } = this;
    if ("connectionId" in target && target.credentials === null)
      return connections.openAuthorization(organizationId, target.connectionId);
    const credentials = target.credentials ?? {};
    const { kind, plugin } = await this.findPlugin(organizationId, target);
    await connections.assertPluginUsable({ kind, plugin });
    const host = this.hosts[kind];
    const offers = await host.listAuthorizations();
    const grants = offers.find(({ id }) => id === plugin)?.grants ?? [];
    const granted = grants.map((name) => [name, "granted by consent"]);
    await connections.assertCredentialsValid(
      { kind, plugin },
      { ...credentials, ...Object.fromEntries(granted) },
    );
    const client = await host.connect(plugin, credentials, { organizationId });
    return client.authorization;
  }

  private async findPlugin(
    organizationId: string,
    target: AuthorizationTarget,
  ): Promise<{ kind: AuthorizationOffer["kind"]; plugin: string }> {
    const { platform = null, delivery = null } =
      "connectionId" in target
        ? await this.connections.get(organizationId, target.connectionId)
        : { platform: null, delivery: null, ...target };
    if (platform !== null) return { kind: "platform", plugin: platform };
    if (delivery !== null) return { kind: "delivery", plugin: delivery };
    throw new PlatenError(
      "invalid_request",
      "Connections to e-signature providers have no page to authorize them.",
    );
  }

  /**
   * Takes what was begun in this session, so that nothing can take it again.
   * @throws PlatenError `gone`.
   */
  private async take(
    { organizationId, sessionId }: Visitor,
    state: string,
  ): Promise<Request> {
    const { store, secrets } = this;
    const row = await store.read.findOneBy(ConnectionAuthorization, {
      hash: hash(state, "hex"),
      sessionId,
      organizationId,
      expiresAt: MoreThan(clock.date()),
    });
    if (row === null) throw createGone();
    const { id } = row;
    const { affected } = await store.unitOfWork.run((tx) =>
      tx.delete(ConnectionAuthorization, { id }),
    );
    if (affected !== 1) throw createGone();
    return requestSchema.parse(JSON.parse(await secrets.open(row.request, id)));
  }

  /** @returns the id of the connection. */
  private async save(
    visitor: Visitor,
    target: AuthorizationTarget,
    granted: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { connections } = this;
    const { organizationId, userId } = visitor;
    const actor = { origin: "studio", userId, keyId: null } as const;
    if ("name" in target) {
      const credentials = { ...target.credentials, ...granted };
      const input = { ...target, credentials };
      return (await connections.create(visitor, input, actor)).id;
    }
    const { connectionId: id, credentials: replaced } = target;
    if (replaced === null)
      await connections.addCredentials(organizationId, id, granted, actor);
    else {
      const credentials = { ...replaced, ...granted };
      await connections.change(organizationId, id, { credentials }, actor);
    }
    return id;
  }
}

function createRandomText(): string {
  return randomBytes(32).toString("base64url");
}

function hash(text: string, encoding: "hex" | "base64url"): string {
  return createHash("sha256").update(text).digest(encoding);
}

function createGone(): PlatenError {
  return new PlatenError(
    "gone",
    "Nothing was saved. This authorization was used already, is older than ten minutes, or was started in another session " +
      "or organization. Start again from Connections, in this browser.",
  );
}

/** @param error the code that the page sent, which could be anything. */
function createDeclined(error: string): PlatenError {
  if (error === "access_denied")
    return new PlatenError(
      "conflict",
      "Nothing was saved, because you did not give your consent. Start again from Connections and allow access.",
    );
  const detail = /^[\w.-]{1,60}$/.test(error) ? ` (${error})` : "";
  return new PlatenError(
    "conflict",
    `Nothing was saved, because the authorization was refused${detail}. Check the settings of your client, then start again from Connections.`,
  );
}

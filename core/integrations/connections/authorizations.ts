import { createHash, randomBytes } from "node:crypto";
import { LessThan, MoreThan } from "typeorm";
import { z } from "zod";
import { inject, injectable } from "../../lib/injection.js";
import type { SecretBox } from "../../lib/secrets.js";
import { BASE_URL } from "../../lib/tokens.js";
import {
  type AppAuthorizations,
  type AppVisitor,
  type AuthorizationOffer,
  type AuthorizationTarget,
  PlatenError,
} from "../../plugin-api/index.js";
import {
  ConnectionAuthorization,
  insertRow,
  newId,
  type Store,
} from "../../storage/database/index.js";
import { STORE } from "../../storage/database/tokens.js";
import type { ConnectedPlatform, PlatformHost } from "../host/index.js";
import { PLATFORMS } from "../host/tokens.js";
import { type ConnectionService, parseName } from "./connection-service.js";
import { CONNECTIONS, CREDENTIAL_SECRETS } from "./tokens.js";

const lifeMs = 10 * 60_000;

/** What is kept, encrypted, while a person is at the platform. */
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
  ]),
  codeVerifier: z.string(),
});
type Request = z.output<typeof requestSchema>;

/**
 * Connections whose secret a platform issues when a person consents on its page: an OAuth 2.0 authorization code with
 * PKCE, for the client that the organization has registered. The secret goes from the platform into the connection.
 */
@injectable()
export class Authorizations implements AppAuthorizations {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(PLATFORMS) private readonly platforms: PlatformHost,
    @inject(CONNECTIONS) private readonly connections: ConnectionService,
    @inject(CREDENTIAL_SECRETS) private readonly secrets: SecretBox,
    @inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  async offers(): Promise<{
    redirectUri: string;
    offers: AuthorizationOffer[];
  }> {
    const offers = await this.platforms.listAuthorizations();
    return { redirectUri: this.redirectUri, offers };
  }

  async begin(
    { organizationId, sessionId }: AppVisitor,
    target: AuthorizationTarget,
  ): Promise<{ url: string }> {
    const { store, redirectUri } = this;
    if ("name" in target) parseName(target.name);
    const platform = await this.connect(organizationId, target);
    const state = createRandomText();
    const codeVerifier = createRandomText();
    const url = await platform.createAuthorizationUrl({
      redirectUri,
      state,
      codeChallenge: hash(codeVerifier, "base64url"),
    });
    const id = newId();
    const createdAt = new Date();
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

  async finish(
    visitor: AppVisitor,
    answer: URLSearchParams,
  ): Promise<{ connectionId: string }> {
    const { redirectUri } = this;
    const { target, codeVerifier } = await this.take(
      visitor,
      answer.get("state") ?? "",
    );
    const code = answer.get("code");
    if (code === null) throw createDeclined(answer.get("error") ?? "");
    const platform = await this.connect(visitor.organizationId, target);
    const granted = await platform.exchangeCode({
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
   * The platform with the credentials that are there before the person consents.
   * @throws PlatenError for those that cannot become valid by the consent.
   */
  private async connect(
    organizationId: string,
    target: AuthorizationTarget,
  ): Promise<ConnectedPlatform> {
    const { connections, platforms } = this;
    if (!("platform" in target) && target.credentials === null) {
      const { connectionId } = target;
      return (await connections.open(organizationId, connectionId)).platform;
    }
    const credentials = target.credentials ?? {};
    const plugin = await this.findPlatform(organizationId, target);
    await connections.assertPlatformUsable(plugin);
    const offers = await platforms.listAuthorizations();
    const grants = offers.find((one) => one.platform === plugin)?.grants ?? [];
    const granted = grants.map((name) => [name, "granted by consent"]);
    await connections.assertCredentialsValid(plugin, {
      ...credentials,
      ...Object.fromEntries(granted),
    });
    return platforms.connect(plugin, credentials, { organizationId });
  }

  private async findPlatform(
    organizationId: string,
    target: AuthorizationTarget,
  ): Promise<string> {
    if ("platform" in target) return target.platform;
    const { connectionId } = target;
    const { platform } = await this.connections.get(
      organizationId,
      connectionId,
    );
    if (platform !== null) return platform;
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
    { organizationId, sessionId }: AppVisitor,
    state: string,
  ): Promise<Request> {
    const { store, secrets } = this;
    const row = await store.read.findOneBy(ConnectionAuthorization, {
      hash: hash(state, "hex"),
      sessionId,
      organizationId,
      expiresAt: MoreThan(new Date()),
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
    visitor: AppVisitor,
    target: AuthorizationTarget,
    granted: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { connections } = this;
    const { organizationId, userId } = visitor;
    const actor = { origin: "studio", userId, keyId: null } as const;
    if ("platform" in target) {
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

/** @param error the code that the platform sent, which could be anything. */
function createDeclined(error: string): PlatenError {
  if (error === "access_denied")
    return new PlatenError(
      "conflict",
      "Nothing was saved, because you did not give your consent. Start again from Connections and allow access.",
    );
  const known = /^[\w.-]{1,60}$/.test(error) ? ` (${error})` : "";
  return new PlatenError(
    "conflict",
    `Nothing was saved, because the platform refused the authorization${known}. Check the client's settings there, then start again from Connections.`,
  );
}

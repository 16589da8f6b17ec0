import type { Visitor, ConsentQuestion } from "../views.js";
import { clock } from "../../lib/clock.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  insertRow,
  newId,
  OauthGrant,
  Organization,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import { Lifecycle, scoped, inject } from "../../lib/injection.js";
import { recordAudit, type Scope } from "../index.js";
import {
  findMembership,
  getRoleScopes,
  listMemberships,
  toStudioActor,
} from "../sessions/index.js";
import {
  type ClientDescription,
  describeRedirect,
  isRedirectUriOf,
  keepClient,
  Clients,
} from "./clients.js";
import { deleteEndedGrants, issueToken, lifeMs } from "./grants.js";
import {
  assertResource,
  getParameter,
  type OauthAddresses,
  OAuthError,
  parseScope,
  OAUTH_ADDRESSES,
} from "./protocol.js";

/** Asks signed-in people what a client may do, and gives the client a code for it. */
@scoped(Lifecycle.ContainerScoped)
export class Consent {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(Clients) private readonly clients: Pick<Clients, "describe">,
    @inject(OAUTH_ADDRESSES) private readonly addresses: OauthAddresses,
  ) {}

  /**
   * @param query of the authorization request.
   * @throws OAuthError when it does not prove whose request it is: nothing may be sent to where it points then.
   */
  async ask(
    visitor: Visitor,
    query: URLSearchParams,
  ): Promise<ConsentQuestion> {
    const target = await this.#findTarget(query);
    const { client, redirectUri } = target;
    const { name, verifiedHost } = client;
    const description = {
      client: { name, verifiedHost },
      ...describeRedirect(redirectUri),
    };
    try {
      const { scopes } = parseRequest(query, this.addresses);
      const organizations = await this.#listOrganizations(visitor, scopes);
      return { ...description, organizations, problem: null };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const redirect = this.#redirect(target, {
        error: error.error,
        error_description: error.message,
      });
      const problem = { message: error.message, redirect };
      return { ...description, organizations: [], problem };
    }
  }

  /**
   * Notes what the person has decided.
   * @param query of the authorization request, as it was asked.
   * @returns where the browser goes now.
   * @throws OAuthError; PlatenError `not_found` for an organization that the person does not belong to, `forbidden` where
   * their role permits nothing of it.
   */
  async answer(
    visitor: Visitor,
    query: URLSearchParams,
    { organizationId }: { organizationId: string | null },
  ): Promise<{ redirect: string }> {
    const target = await this.#findTarget(query);
    const request = parseRequest(query, this.addresses);
    const answer: Record<string, string> =
      organizationId === null
        ? { error: "access_denied", error_description: "The person declined." }
        : { code: await this.#grant(visitor, organizationId, target, request) };
    return { redirect: this.#redirect(target, answer) };
  }

  #grant(
    visitor: Visitor,
    organizationId: string,
    { client, redirectUri }: Target,
    { scopes: requestedScopes, codeChallenge }: ReturnType<typeof parseRequest>,
  ): Promise<string> {
    const { userId } = visitor;
    const { name } = client;
    const { redirectHost } = describeRedirect(redirectUri);
    return this.store.unitOfWork.run(async (tx) => {
      const member = await findMembership(tx, userId, organizationId);
      if (member === null)
        throw new PlatenError(
          "not_found",
          `You do not belong to an organization ${organizationId}.`,
        );
      const scopes = requestedScopes.filter((scope) =>
        getRoleScopes(member.role).includes(scope),
      );
      if (scopes.length === 0)
        throw new PlatenError(
          "forbidden",
          `Your role allows none of the permissions that ${name} requests. Ask an owner of the organization for another role.`,
        );
      const now = clock.date();
      await deleteEndedGrants(tx, now);
      const { id: clientId } = await keepClient(tx, client);
      const grant: OauthGrant = {
        id: newId(),
        organizationId,
        userId,
        clientId,
        name,
        redirectHost,
        scopes,
        createdAt: now,
        lastUsedAt: null,
        // Until the client redeems the code: what it never fetches is not listed for long.
        expiresAt: new Date(now.getTime() + lifeMs.code),
        revokedAt: null,
      };
      await insertRow(tx, OauthGrant, grant);
      await recordAudit(tx, toStudioActor(visitor), {
        organizationId,
        action: "assistant.connected",
        subject: grant.id,
        details: { name, redirectHost, scopes },
      });
      return issueToken(tx, grant, "code", { redirectUri, codeChallenge });
    });
  }

  /** Whom a request comes from, and where its answer may be sent. @throws OAuthError `invalid_client`, `invalid_request`. */
  async #findTarget(query: URLSearchParams): Promise<Target> {
    const client = await this.clients.describe(
      getParameter(query, "client_id") ?? "",
    );
    const redirectUri = getParameter(query, "redirect_uri");
    if (redirectUri === null || !isRedirectUriOf(client, redirectUri))
      throw new OAuthError(
        "invalid_request",
        `${client.name} did not register the address to which it wants you to be sent.`,
      );
    return { client, redirectUri, state: query.get("state") };
  }

  async #listOrganizations(
    { userId, organizationId }: Visitor,
    requestedScopes: readonly Scope[],
  ): Promise<ConsentQuestion["organizations"]> {
    const { read } = this.store;
    const places = await listMemberships(read, userId);
    return Promise.all(
      places.map(async ({ organizationId: id, role }) => {
        const { name } = await read.findOneByOrFail(Organization, { id });
        const permitted = getRoleScopes(role);
        return {
          id,
          name,
          scopes: requestedScopes.filter((scope) => permitted.includes(scope)),
          isCurrent: id === organizationId,
        };
      }),
    );
  }

  /** RFC 9207: `iss` says who answers. */
  #redirect(
    { redirectUri, state }: Target,
    answer: Record<string, string>,
  ): string {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries(answer))
      url.searchParams.set(name, value);
    if (state !== null) url.searchParams.set("state", state);
    url.searchParams.set("iss", this.addresses.issuer);
    return url.href;
  }
}

interface Target {
  client: ClientDescription;
  redirectUri: string;
  state: string | null;
}

/** @throws OAuthError. */
function parseRequest(query: URLSearchParams, addresses: OauthAddresses) {
  if (getParameter(query, "response_type") !== "code")
    throw new OAuthError(
      "unsupported_response_type",
      "response_type must be code.",
    );
  const codeChallenge = getParameter(query, "code_challenge");
  if (
    codeChallenge === null ||
    getParameter(query, "code_challenge_method") !== "S256" ||
    !/^[\w-]{43}$/.test(codeChallenge)
  )
    throw new OAuthError(
      "invalid_request",
      "PKCE is required: a code_challenge with the code_challenge_method S256.",
    );
  assertResource(query.getAll("resource"), addresses);
  getParameter(query, "state");
  return { scopes: parseScope(getParameter(query, "scope")), codeChallenge };
}

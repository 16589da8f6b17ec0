import { expect } from "chai";
import { describe, it } from "mocha";
import { operator, hashOf, Users } from "../../../core/accounts/index.js";
import {
  AccessTokens,
  Clients,
  Consent,
  Grants,
} from "../../../core/accounts/oauth/index.js";
import {
  OauthGrant,
  OauthToken,
  OauthClient,
  type Store,
} from "../../../core/storage/database/index.js";
import { Members } from "../../../core/accounts/sessions/index.js";
import {
  authorizationQuery,
  callback,
  connectAssistant,
  consent,
  newVerifier,
  readOAuthError,
  postForm,
  refresh,
  registerClient,
  tokensSchema,
} from "../../support/oauth.js";
import { silentLog } from "../../support/recording-log.js";
import { type TestService, useService } from "../../support/service.js";
import { eachDatabase, newOwner } from "../../support/store.js";
import { newVisitor } from "../../support/studio.js";
import { postMessage, rpc } from "../../support/tool-client.js";

const ended = {
  code: "400 invalid_grant This code is unknown, has expired, or its connection was ended. Connect again.",
  refresh:
    "400 invalid_grant This refresh token is unknown, has expired, or its connection was ended. Connect again.",
};
const used = {
  code: "400 invalid_grant This code was used already, so the connection was ended. Connect again.",
  refresh:
    "400 invalid_grant This refresh token was used already, so the connection was ended. Connect again.",
};
const otherVerifier =
  "400 invalid_grant code_verifier does not belong to the code_challenge of the authorization request.";
const grantTypes = "grant_type must be authorization_code or refresh_token.";

const missing = (name: string) => `400 invalid_request ${name} is missing.`;
const otherResource = ({ url }: TestService) =>
  `400 invalid_target This server gives access to ${url}/mcp alone; the parameter resource names another.`;

const read = async (response: Response) => {
  expect(response.status).to.equal(200);
  return tokensSchema.parse(await response.json());
};

describe("the tokens of OAuth", () => {
  const service = useService();

  const listWith = (token: string, header = "authorization") =>
    postMessage(service.url, {
      [header]: header === "authorization" ? `Bearer ${token}` : token,
    });
  /** The names of the tools that the token shows. */
  const listTools = async (token: string) => {
    const answer = await listWith(token);
    expect(answer.status).to.equal(200);
    return [...(await answer.text()).matchAll(/"name":"(\w+)","title"/g)].map(
      ([, name]) => name,
    );
  };

  /** A person who has said yes; what the client redeems the code with can be changed. */
  async function redeem(changes: Record<string, string | null> = {}) {
    const visitor = await newVisitor(service);
    const clientId = await registerClient(service);
    const verifier = newVerifier();
    const redirect = await consent(
      visitor,
      authorizationQuery(clientId, verifier),
    );
    const form = {
      grant_type: "authorization_code",
      client_id: clientId,
      code: redirect.searchParams.get("code") ?? "",
      redirect_uri: callback,
      code_verifier: verifier,
      ...changes,
    };
    const fields = Object.fromEntries(
      Object.entries(form).filter(([, value]) => value !== null),
    ) as Record<string, string>;
    const send = (more = {}) =>
      postForm(service, "/oauth/token", { ...fields, ...more });
    return { send, verifier, visitor };
  }

  it("give access to /mcp for an hour, and are stored as hashes alone", async () => {
    const { tokens: issued } = await connectAssistant(service);
    expect(issued.expires_in).to.equal(3600);
    expect(await listTools(issued.access_token)).to.include("create_template");
    const { read: database } = service.store;
    const rows = await database.find(OauthToken, {});
    const text = JSON.stringify(rows);
    expect(text).to.include(hashOf(issued.access_token));
    expect(text).not.to.include(issued.access_token);
    expect(text).not.to.include(issued.refresh_token);
  });

  it("are refused after their time", async () => {
    const { tokens: issued } = await connectAssistant(service);
    await service.store.unitOfWork.run((tx) =>
      tx.update(
        OauthToken,
        { hash: hashOf(issued.access_token) },
        { expiresAt: new Date(Date.now() - 1) },
      ),
    );
    expect((await listWith(issued.access_token)).status).to.equal(401);
  });

  it("are refused by everything but /mcp", async () => {
    const { tokens: issued } = await connectAssistant(service);
    const authorization = `Bearer ${issued.access_token}`;
    expect(await listTools(issued.access_token)).to.include("list_templates");
    for (const headers of [
      { "x-api-key": issued.access_token },
      { authorization },
    ]) {
      const rest = await fetch(`${service.url}/api/templates`, { headers });
      expect(rest.status).to.equal(401);
      const stream = await fetch(`${service.url}/sse`, { headers });
      expect(stream.status).to.equal(401);
    }
    const inQuery = await fetch(
      `${service.url}/sse?apiKey=${issued.access_token}`,
    );
    expect(inQuery.status).to.equal(401);
  });

  it("are not refresh tokens, nor the other way round", async () => {
    const { tokens: issued, clientId } = await connectAssistant(service);
    expect((await listWith(issued.refresh_token)).status).to.equal(401);
    const answer = await refresh(service, clientId, issued.access_token);
    expect(await readOAuthError(answer)).to.equal(ended.refresh);
  });

  it("show and allow the tools of their scopes alone", async () => {
    const { tokens: issued } = await connectAssistant(service, {
      scope: "templates:read openid offline_access",
    });
    expect(issued.scope).to.equal("templates:read");
    const listed = await listTools(issued.access_token);
    expect(listed).to.include("list_templates");
    expect(listed).not.to.include("create_template");
    const call = rpc("tools/call", {
      name: "create_template",
      arguments: { name: "x" },
    });
    const answer = await postMessage(
      service.url,
      { authorization: `Bearer ${issued.access_token}` },
      call,
    );
    expect(await answer.text()).to.include("Connect the assistant again");
  });

  it("never allow more than the person's role, also when it is changed later", async () => {
    const { tokens: issued } = await connectAssistant(service, {
      role: "viewer",
    });
    expect(issued.scope).to.equal("templates:read documents:read");
    const editor = await connectAssistant(service, { role: "editor" });
    expect(editor.tokens.scope).to.include("templates:write");
    const members = service.container.resolve(Members);
    const member = await members.find(editor.visitor.email);
    await members.changeRole(member, "viewer", operator);
    const { access_token: later } = await read(
      await refresh(service, editor.clientId, editor.tokens.refresh_token),
    );
    expect(await listTools(later)).not.to.include("create_template");
  });

  it("end with the membership of their person", async () => {
    const {
      visitor,
      tokens: issued,
      clientId,
    } = await connectAssistant(service, {
      visitor: await newVisitor(service, "editor"),
    });
    const members = service.container.resolve(Members);
    const member = await members.find(visitor.email);
    await members.remove(member, operator);
    expect((await listWith(issued.access_token)).status).to.equal(401);
    const answer = await refresh(service, clientId, issued.refresh_token);
    expect(await readOAuthError(answer)).to.equal(ended.refresh);
    const { read: database } = service.store;
    const grants = await database.findBy(OauthGrant, {
      userId: visitor.userId,
    });
    expect(grants.map(({ revokedAt }) => revokedAt === null)).to.deep.equal([
      false,
    ]);
  });

  describe("by a refresh token", () => {
    it("are issued anew, and the refresh token with them", async () => {
      const { tokens: first, clientId } = await connectAssistant(service);
      const next = await read(
        await refresh(service, clientId, first.refresh_token),
      );
      expect(next.refresh_token).not.to.equal(first.refresh_token);
      expect(await listTools(next.access_token)).to.include("list_templates");
    });

    it("end with all others of the connection when it is used a second time", async () => {
      const { tokens: first, clientId } = await connectAssistant(service);
      const next = await read(
        await refresh(service, clientId, first.refresh_token),
      );
      expect(await listTools(next.access_token)).to.include("list_templates");
      const again = await refresh(service, clientId, first.refresh_token);
      expect(await readOAuthError(again)).to.equal(used.refresh);
      expect((await listWith(next.access_token)).status).to.equal(401);
      const last = await refresh(service, clientId, next.refresh_token);
      expect(await readOAuthError(last)).to.equal(ended.refresh);
    });

    it("are refused to another client, to which it says nothing", async () => {
      const { tokens: first, clientId } = await connectAssistant(service);
      const other = await registerClient(service);
      const answer = await refresh(service, other, first.refresh_token);
      expect(await readOAuthError(answer)).to.equal(ended.refresh);
      await read(await refresh(service, clientId, first.refresh_token));
    });

    it("can be narrowed, but not widened", async () => {
      const { tokens: first, clientId } = await connectAssistant(service, {
        scope: "templates:read documents:read",
      });
      const more = await refresh(service, clientId, first.refresh_token, {
        scope: "templates:read templates:write",
      });
      expect(await readOAuthError(more)).to.equal(
        "400 invalid_scope The person has not allowed templates:write. Ask them anew at the authorization endpoint.",
      );
      const less = await read(
        await refresh(service, clientId, first.refresh_token, {
          scope: "templates:read",
        }),
      );
      expect(less.scope).to.equal("templates:read");
      expect(await listTools(less.access_token)).not.to.include(
        "list_documents",
      );
      const all = await read(
        await refresh(service, clientId, less.refresh_token),
      );
      expect(all.scope).to.equal("templates:read documents:read");
    });

    it("are refused for another resource", async () => {
      const { tokens: first, clientId } = await connectAssistant(service);
      const answer = await refresh(service, clientId, first.refresh_token, {
        resource: "https://other.example.com/mcp",
      });
      expect(await readOAuthError(answer)).to.equal(otherResource(service));
    });
  });

  describe("by a code", () => {
    it("are issued for the client, its address and its verifier", async () => {
      const { send } = await redeem({ resource: `${service.url}/mcp` });
      await read(await send());
    });

    for (const [description, changes, error] of [
      ["another verifier", { code_verifier: newVerifier() }, otherVerifier],
      ["a short verifier", { code_verifier: "x".repeat(42) }, otherVerifier],
      ["no verifier", { code_verifier: null }, missing("code_verifier")],
      [
        "another address",
        { redirect_uri: "http://127.0.0.1:33418/other" },
        "400 invalid_grant redirect_uri is not the one of the authorization request.",
      ],
      ["another resource", { resource: "https://other.example.com/mcp" }, ""],
      [
        "another grant type",
        { grant_type: "password" },
        `400 unsupported_grant_type ${grantTypes}`,
      ],
      [
        "no grant type",
        { grant_type: null },
        `400 invalid_request ${grantTypes}`,
      ],
      ["an unknown code", { code: "plc_unknown" }, ended.code],
      ["no code", { code: null }, missing("code")],
      ["no client", { client_id: null }, missing("client_id")],
    ] as const)
      it(`are refused for ${description}`, async () => {
        const { send } = await redeem(changes);
        expect(await readOAuthError(await send())).to.equal(
          error || otherResource(service),
        );
      });

    it("are refused to an unknown client with 401", async () => {
      const { send } = await redeem({ client_id: "unknown" });
      expect(await readOAuthError(await send())).to.equal(
        "401 invalid_client Unknown client_id. Remove the connection in the assistant and add it again, so that it registers anew.",
      );
    });

    it("are refused to another client", async () => {
      const { send } = await redeem({
        client_id: await registerClient(service),
      });
      expect(await readOAuthError(await send())).to.equal(ended.code);
    });

    it("are refused the second time, and the first ones end", async () => {
      const { send } = await redeem();
      const first = await read(await send());
      expect(await listTools(first.access_token)).to.include("list_templates");
      expect(await readOAuthError(await send())).to.equal(used.code);
      expect((await listWith(first.access_token)).status).to.equal(401);
    });

    it("are issued after a wrong verifier was refused", async () => {
      const { send, verifier } = await redeem({ code_verifier: newVerifier() });
      expect(await readOAuthError(await send())).to.equal(otherVerifier);
      await read(await send({ code_verifier: verifier }));
    });
  });

  it("are requested by forms alone, with each parameter once", async () => {
    const url = `${service.url}/oauth/token`;
    const asJson = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "refresh_token" }),
    });
    expect(await readOAuthError(asJson)).to.equal(
      '400 invalid_request The body must be a form, sent with "Content-Type: application/x-www-form-urlencoded".',
    );
    const twice = await fetch(url, {
      method: "POST",
      body: new URLSearchParams([
        ["grant_type", "refresh_token"],
        ["grant_type", "refresh_token"],
      ]),
    });
    expect(await readOAuthError(twice)).to.equal(
      "400 invalid_request grant_type was sent twice.",
    );
    expect((await fetch(url)).status).to.equal(405);
  });
});

describe("the revocation endpoint of OAuth", () => {
  const service = useService();
  const fetchStatus = async (token: string) => {
    const authorization = `Bearer ${token}`;
    return (await postMessage(service.url, { authorization })).status;
  };
  const revoke = (token: string, more = {}) =>
    postForm(service, "/oauth/revoke", { token, ...more });

  it("ends the connection by its refresh token, and notes it", async () => {
    const { tokens: issued, clientId } = await connectAssistant(service);
    expect(await fetchStatus(issued.access_token)).to.equal(200);
    const answer = await revoke(issued.refresh_token, {
      client_id: clientId,
    });
    expect(answer.status).to.equal(200);
    expect(await fetchStatus(issued.access_token)).to.equal(401);
    const later = await refresh(service, clientId, issued.refresh_token);
    expect(await readOAuthError(later)).to.equal(ended.refresh);
  });

  it("ends one access token by itself", async () => {
    const { tokens: issued, clientId } = await connectAssistant(service);
    expect(await fetchStatus(issued.access_token)).to.equal(200);
    expect((await revoke(issued.access_token)).status).to.equal(200);
    expect(await fetchStatus(issued.access_token)).to.equal(401);
    const next = await refresh(service, clientId, issued.refresh_token);
    expect(next.status).to.equal(200);
  });

  it("ends nothing for another client, and returns success for an unknown token", async () => {
    const { tokens: issued } = await connectAssistant(service);
    const other = await registerClient(service);
    const answer = await revoke(issued.refresh_token, { client_id: other });
    expect(await readOAuthError(answer)).to.equal(
      "400 invalid_grant The token was issued to another client.",
    );
    expect(await fetchStatus(issued.access_token)).to.equal(200);
    expect((await revoke("unknown")).status).to.equal(200);
    expect(await readOAuthError(await revoke(""))).to.equal(
      "400 invalid_request token is missing.",
    );
  });
});

const addresses = {
  issuer: "https://platen.example.com",
  resource: "https://platen.example.com/mcp",
};

/** The services as one process has them. */
function open(store: Store) {
  const clients = new Clients(store, {
    fetch: async (url) => ({
      url,
      status: 200,
      headers: {},
      body: Buffer.from(
        JSON.stringify({
          client_id: url,
          client_name: "Example",
          redirect_uris: [callback],
        }),
      ),
      isCut: false,
      isPrivate: false,
    }),
  });
  return {
    clients,
    consents: new Consent(store, clients, addresses),
    grants: new Grants(store, addresses),
    accessTokens: new AccessTokens(store, silentLog),
  };
}

/** Someone in the studio. */
async function newMember(store: Store) {
  const { organizationId } = await newOwner(store);
  const email = `${crypto.randomUUID()}@example.com`;
  const person = { name: "Ada", email, role: "owner" } as const;
  const users = new Users(store);
  const { id: userId } = await users.create(organizationId, person, operator);
  return { sessionId: "s", userId, organizationId, role: "owner" } as const;
}

/** A code that waits to be redeemed, and the form that does. */
async function prepare(store: Store, clientId: string) {
  const visitor = await newMember(store);
  const verifier = newVerifier();
  const query = new URLSearchParams(authorizationQuery(clientId, verifier));
  const { redirect } = await open(store).consents.answer(
    visitor,
    query,
    visitor,
  );
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: clientId,
    code: new URL(redirect).searchParams.get("code") ?? "",
    code_verifier: verifier,
  });
  return { visitor, form };
}

const refreshForm = (clientId: string, token: string) =>
  new URLSearchParams({
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: token,
  });

describe("the grants of OAuth", () => {
  eachDatabase((openStore) => {
    it("give each code and refresh token to one of several that bring it at once", async () => {
      const store = await openStore();
      const { clients, accessTokens } = open(store);
      const { client_id: clientId } = await clients.register({
        redirect_uris: [callback],
      });
      const { form } = await prepare(store, clientId);
      const { grants } = open(store);
      const first = await grants.exchange(form);
      const caller = await accessTokens.authenticate(first.access_token);
      expect(caller.scopes).to.have.length(4);
      const redeemCode = () =>
        open(store)
          .grants.exchange(refreshForm(clientId, first.refresh_token))
          .then(
            () => "good",
            (error: unknown) => String(error),
          );
      const answers = await Promise.all([
        redeemCode(),
        redeemCode(),
        redeemCode(),
        redeemCode(),
      ]);
      expect(answers.filter((one) => one === "good")).to.have.length.at.most(1);
      for (const answer of answers)
        expect(answer).to.match(/^good$|used already|connection was ended/);
      const later = open(store).accessTokens.authenticate(first.access_token);
      expect(await later.catch(String)).to.include("revoked");
    });

    it("store one client for the URL of its description, no matter who allows it first", async () => {
      const store = await openStore();
      const clientId = `https://example.com/${crypto.randomUUID()}`;
      const both = await Promise.all([
        prepare(store, clientId),
        prepare(store, clientId),
      ]);
      const rows = await store.read.findBy(OauthClient, { clientId });
      expect(rows.map(({ name }) => name)).to.deep.equal(["Example"]);
      for (const { form } of both) {
        const { grants } = open(store);
        expect((await grants.exchange(form)).scope).to.include(
          "documents:write",
        );
      }
    });

    it("are refreshed at most 120 times in an hour", async () => {
      const store = await openStore();
      const { clients, grants } = open(store);
      const { client_id: clientId } = await clients.register({
        redirect_uris: [callback],
      });
      const { form } = await prepare(store, clientId);
      let { refresh_token: token } = await grants.exchange(form);
      let count = 1;
      let problem: unknown = null;
      while (problem === null && count < 130)
        try {
          const next = await grants.exchange(refreshForm(clientId, token));
          token = next.refresh_token;
          count += 1;
        } catch (error) {
          problem = error;
        }
      expect(String(problem)).to.include("refreshes in an hour");
      expect(count).to.equal(120);
    });

    it("are listed, revoked and found ended", async () => {
      const store = await openStore();
      const { clients, grants } = open(store);
      const { client_id: clientId } = await clients.register({
        redirect_uris: [callback],
        client_name: "One",
      });
      const { form, visitor } = await prepare(store, clientId);
      await grants.exchange(form);
      const [grant] = await grants.list(visitor.organizationId);
      const id = grant?.id ?? "";
      expect(await grants.findEnded([id])).to.deep.equal(new Set());
      await grants.revoke(id, operator);
      expect(await grants.findEnded([id, "x"])).to.deep.equal(
        new Set([id, "x"]),
      );
      expect(await grants.list(visitor.organizationId)).to.deep.equal([]);
    });
  });
});

import { expect } from "chai";
import { In } from "typeorm";
import {
  AuditLog,
  hashOf,
  type MemberRole,
  operator,
} from "../../../core/accounts/index.js";
import { Members } from "../../../core/accounts/sessions/index.js";
import {
  OauthClient,
  OauthGrant,
  OauthToken,
  type Store,
} from "../../../core/storage/database/index.js";
import { useFixedTime } from "../../support/clock.js";
import {
  authorizationQuery,
  callback,
  connectAssistant,
  getOAuthError,
  newMember,
  newVerifier,
  openOauth,
  postForm,
  readOAuthError,
  refresh,
} from "../../support/oauth.js";
import { useService } from "../../support/service.js";
import { anyDatabase, eachDatabase, getRefusal } from "../../support/store.js";
import { postMessage, rpc } from "../../support/tool-client.js";

const ended = (what: string) =>
  `invalid_grant This ${what} is unknown, has expired, or its connection was ended. Connect again.`;
const used = (what: string) =>
  `invalid_grant This ${what} was used already, so the connection was ended. Connect again.`;
const invalid =
  "invalid_token The access token is unknown, has expired or was revoked. Refresh it, or connect again.";
const otherVerifier =
  "invalid_grant code_verifier does not belong to the code_challenge of the authorization request.";
const otherClient = "invalid_grant The token was issued to another client.";
const otherResource =
  "invalid_target This server gives access to https://platen.example.com/mcp alone; the parameter resource names another.";
const unknownClient =
  "invalid_client Unknown client_id. Remove the connection in the assistant and add it again, so that it registers anew.";
const grantTypes = "grant_type must be authorization_code or refresh_token.";
const minute = 60_000;
const day = 24 * 60 * minute;

type Fields = Record<string, string | null>;

const toForm = (fields: Fields) => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== null) form.set(name, value);
  return form;
};

/** Clients, people and what they do, at a store. */
function createActors(store: Store) {
  const oauth = openOauth(store, (url) => ({
    client_id: url,
    client_name: "Example",
    redirect_uris: [callback],
  }));
  const register = async () =>
    (await oauth.clients.register({ redirect_uris: [callback] })).client_id;
  /** A person who has said yes, and the form by which the client redeems the code. */
  const allow = async ({
    role = "owner",
    scope = null,
    clientId,
  }: { role?: MemberRole; scope?: string | null; clientId?: string } = {}) => {
    const client = clientId ?? (await register());
    const visitor = await newMember(store, role);
    const verifier = newVerifier();
    const query = authorizationQuery(client, verifier, { scope });
    const { redirect } = await oauth.consents.answer(
      visitor,
      new URLSearchParams(query),
      visitor,
    );
    const fields: Fields = {
      grant_type: "authorization_code",
      client_id: client,
      code: new URL(redirect).searchParams.get("code"),
      redirect_uri: callback,
      code_verifier: verifier,
    };
    const redeem = (changes: Fields = {}) =>
      oauth.grants.exchange(toForm({ ...fields, ...changes }));
    return { visitor, clientId: client, redeem, code: fields.code ?? "" };
  };
  const renew = (clientId: string, token: string, more: Fields = {}) =>
    oauth.grants.exchange(
      toForm({
        grant_type: "refresh_token",
        client_id: clientId,
        refresh_token: token,
        ...more,
      }),
    );
  const connect = async (changes: Parameters<typeof allow>[0] = {}) => {
    const { redeem, ...allowed } = await allow(changes);
    const tokens = await redeem();
    return {
      ...allowed,
      redeem,
      access: tokens.access_token,
      refresh: tokens.refresh_token,
      tokens,
    };
  };
  /** What the token allows, or why it is refused. */
  const use = (token: string) =>
    oauth.grants.authenticate(token).then(
      ({ scopes }) => scopes.join(" "),
      () => getOAuthError(oauth.grants.authenticate(token)),
    );
  return { ...oauth, register, allow, renew, connect, use };
}

const all = "templates:read templates:write documents:read documents:write";

anyDatabase((open) => {
  describe("the tokens of OAuth", () => {
    const time = useFixedTime();
    let store: Store;
    let actors: ReturnType<typeof createActors>;
    before(async () => {
      store = await open();
      actors = createActors(store);
    });

    it("are good for an hour and a refresh within 30 days, and are stored as hashes alone", async () => {
      const { connect, use, renew } = actors;
      const { access, refresh: token, clientId, tokens } = await connect();
      expect(tokens).to.include({ token_type: "Bearer", expires_in: 3600 });
      const text = JSON.stringify(await store.read.find(OauthToken, {}));
      expect(text).to.include(hashOf(access));
      expect(text).not.to.include(access).and.not.include(token);
      time.advance(60 * minute - 1);
      expect(await use(access)).to.equal(all);
      time.advance(1);
      expect(await use(access)).to.equal(invalid);
      time.advance(30 * day - 60 * minute - 1);
      const next = await renew(clientId, token);
      expect(await use(next.access_token)).to.equal(all);
      time.advance(30 * day);
      expect(await getOAuthError(renew(clientId, next.refresh_token))).to.equal(
        ended("refresh token"),
      );
    });

    it("are deleted when somebody connects after their end, and the connection 30 days after that", async () => {
      const { clientId } = await actors.connect();
      const kept = async () => {
        await actors.connect();
        const grants = await store.read.findBy(OauthGrant, { clientId });
        const ids = grants.map(({ id }) => id);
        const tokens = await store.read.findBy(OauthToken, {
          grantId: In(ids),
        });
        return [grants.length, tokens.map(({ kind }) => kind).toSorted()];
      };
      const kinds = ["access", "code", "refresh"];
      expect(await kept()).to.deep.equal([1, kinds]);
      time.advance(5 * minute + 1);
      expect(await kept()).to.deep.equal([1, ["access", "refresh"]]);
      time.advance(55 * minute);
      expect(await kept()).to.deep.equal([1, ["refresh"]]);
      time.advance(30 * day);
      expect(await kept()).to.deep.equal([1, []]);
      time.advance(30 * day);
      expect(await kept()).to.deep.equal([0, []]);
    });

    it("are not refresh tokens, nor the other way round", async () => {
      const { connect, use, renew } = actors;
      const { access, refresh: token, clientId } = await connect();
      expect(await use(token)).to.equal(invalid);
      expect(await getOAuthError(renew(clientId, access))).to.equal(
        ended("refresh token"),
      );
    });

    it("never allow more than the person's role, also when it is changed later, and end with the membership", async () => {
      const { connect, use, renew, grants } = actors;
      const viewer = await connect({ role: "viewer" });
      expect(viewer.tokens.scope).to.equal("templates:read documents:read");
      const editor = await connect({ role: "editor" });
      expect(editor.tokens.scope).to.equal(all);
      const members = new Members(store);
      const member = await members.find(editor.visitor.email);
      await members.changeRole(member, "viewer", operator);
      const { access_token: later, refresh_token: last } = await renew(
        editor.clientId,
        editor.refresh,
      );
      expect(await use(later)).to.equal("templates:read documents:read");
      const demoted = await members.find(editor.visitor.email);
      await members.remove(demoted, operator);
      expect(await use(later)).to.equal(invalid);
      expect(await getOAuthError(renew(editor.clientId, last))).to.equal(
        ended("refresh token"),
      );
      const { organizationId } = editor.visitor;
      expect(await grants.list({ organizationId })).to.deep.equal([]);
    });

    it("are issued by a refresh token once; a second time, all of the connection end", async () => {
      const { connect, use, renew, register } = actors;
      const { refresh: first, clientId, visitor } = await connect();
      const stranger = await register();
      expect(await getOAuthError(renew(stranger, first))).to.equal(
        ended("refresh token"),
      );
      const next = await renew(clientId, first);
      expect(next.refresh_token).not.to.equal(first);
      expect(await use(next.access_token)).to.equal(all);
      expect(await getOAuthError(renew(clientId, first))).to.equal(
        used("refresh token"),
      );
      expect(await use(next.access_token)).to.equal(invalid);
      expect(await getOAuthError(renew(clientId, next.refresh_token))).to.equal(
        ended("refresh token"),
      );
      const { data } = await new AuditLog(store).list(visitor.organizationId, {
        action: "assistant.revoked",
        userId: null,
        from: null,
        until: null,
        page: 1,
        pageSize: 10,
      });
      expect(data.map(({ details }) => details)).to.deep.equal([
        { name: "127.0.0.1", reused: "refresh" },
      ]);
    });

    it("can be narrowed by a refresh, but not widened, and not for another resource", async () => {
      const { connect, use, renew } = actors;
      const { refresh: first, clientId } = await connect({
        scope: "templates:read documents:read openid offline_access",
      });
      const fail = (more: Fields) =>
        getOAuthError(renew(clientId, first, more));
      expect(await fail({ scope: "templates:read templates:write" })).to.equal(
        "invalid_scope The person has not allowed templates:write. Ask them anew at the authorization endpoint.",
      );
      expect(await fail({ resource: "https://other.example.com" })).to.equal(
        otherResource,
      );
      const less = await renew(clientId, first, { scope: "templates:read" });
      expect(less.scope).to.equal("templates:read");
      expect(await use(less.access_token)).to.equal("templates:read");
      const { scope } = await renew(clientId, less.refresh_token);
      expect(scope).to.equal("templates:read documents:read");
    });

    it("are issued by a code to the client, its address and its verifier", async () => {
      for (const [changes, expected] of [
        [{ resource: "https://platen.example.com/mcp" }, "done"],
        [{ redirect_uri: null }, "done"],
        [{ code_verifier: newVerifier() }, otherVerifier],
        [{ code_verifier: "x".repeat(42) }, otherVerifier],
        [{ code_verifier: null }, "invalid_request code_verifier is missing."],
        [
          { redirect_uri: "http://127.0.0.1:33418/other" },
          "invalid_grant redirect_uri is not the one of the authorization request.",
        ],
        [{ resource: "https://other.example.com/mcp" }, otherResource],
        [{ grant_type: "password" }, `unsupported_grant_type ${grantTypes}`],
        [{ grant_type: null }, `invalid_request ${grantTypes}`],
        [{ code: "plc_unknown" }, ended("code")],
        [{ code: null }, "invalid_request code is missing."],
        [{ client_id: null }, "invalid_request client_id is missing."],
        [{ client_id: "unknown" }, unknownClient],
        [{ client_id: await actors.register() }, ended("code")],
      ] as [Fields, string][]) {
        const { redeem } = await actors.allow();
        expect(await getOAuthError(redeem(changes))).to.equal(expected);
        if (expected === otherVerifier) await redeem();
      }
    });

    it("are issued by a code once and within five minutes; a second time, the first ones end", async () => {
      const { access, redeem } = await actors.connect();
      expect(await actors.use(access)).to.equal(all);
      expect(await getOAuthError(redeem())).to.equal(used("code"));
      expect(await actors.use(access)).to.equal(invalid);
      const { redeem: redeemLate, visitor } = await actors.allow();
      const { organizationId } = visitor;
      const count = async () =>
        (await actors.grants.list({ organizationId })).length;
      time.advance(5 * minute - 1);
      expect(await count()).to.equal(1);
      time.advance(1);
      expect(await getOAuthError(redeemLate())).to.equal(ended("code"));
      expect(await count(), "not listed for long").to.equal(0);
    });

    it("are revoked one by one, and with their connection by the refresh token", async () => {
      const { connect, use, renew, grants, register } = actors;
      const revoke = (token: string, more: Fields = {}) =>
        getOAuthError(grants.revokeToken(toForm({ token, ...more })));
      const { access, refresh: first, clientId } = await connect();
      const stranger = { client_id: await register() };
      expect(await revoke(first, stranger)).to.equal(otherClient);
      expect(await revoke("")).to.equal("invalid_request token is missing.");
      expect(await revoke("unknown")).to.equal("done");
      expect(await use(access)).to.equal(all);
      expect(await revoke(access)).to.equal("done");
      expect(await use(access)).to.equal(invalid);
      const waiting = await actors.allow();
      expect(await revoke(waiting.code), "a code is not").to.equal("done");
      await waiting.redeem();
      const next = await renew(clientId, first);
      const ours = { client_id: clientId };
      expect(await revoke(next.refresh_token, ours)).to.equal("done");
      expect(await use(next.access_token)).to.equal(invalid);
      expect(await getOAuthError(renew(clientId, next.refresh_token))).to.equal(
        ended("refresh token"),
      );
    });

    it("are refreshed at most 120 times in an hour", async () => {
      const { refresh: first, clientId } = await actors.connect();
      let token = first;
      for (let count = 1; count < 120; count += 1)
        token = (await actors.renew(clientId, token)).refresh_token;
      expect(await getRefusal(actors.renew(clientId, token))).to.equal(
        "busy More than 120 refreshes in an hour. An access token is valid for an hour: use it until then.",
      );
      time.advance(60 * minute);
      await actors.renew(clientId, token);
    });

    it("belong to connections that are listed, the newest first, revoked and found ended", async () => {
      const { grants, consents, clients, use } = actors;
      const { visitor, access } = await actors.connect();
      time.advance(1000);
      await use(access);
      // Behind the write that notes the use.
      await store.unitOfWork.run(async () => undefined);
      const lastUsedAt = new Date(time.now()).toISOString();
      const { client_id: second } = await clients.register({
        redirect_uris: [callback],
        client_name: "Second",
      });
      const query = authorizationQuery(second, newVerifier());
      await consents.answer(visitor, new URLSearchParams(query), visitor);
      const { organizationId } = visitor;
      const list = () => grants.list({ organizationId });
      const listed = await list();
      expect(
        listed.map(({ name, lastUsedAt: at }) => [name, at]),
      ).to.deep.equal([
        ["Second", null],
        ["127.0.0.1", lastUsedAt],
      ]);
      const [, { id } = { id: "" }] = listed;
      expect(await grants.findEnded([id])).to.deep.equal(new Set());
      await grants.revoke(id, operator);
      expect(await grants.findEnded([id, "x"])).to.deep.equal(
        new Set([id, "x"]),
      );
      expect((await list()).map(({ name }) => name)).to.deep.equal(["Second"]);
    });
  });
});

describe("the token and revocation endpoints of OAuth", () => {
  const service = useService();
  const fetchStatus = async (token: string) => {
    const authorization = `Bearer ${token}`;
    return (await postMessage(service.url, { authorization })).status;
  };

  it("take forms alone, with each parameter once, and answer an unknown client with 401", async () => {
    const url = `${service.url}/oauth/token`;
    const post = async (body: URLSearchParams | string) => {
      const headers = { "content-type": "application/json" };
      const isForm = typeof body !== "string";
      return readOAuthError(
        await fetch(url, { method: "POST", body, ...(!isForm && { headers }) }),
      );
    };
    expect(await post("{}")).to.equal(
      '400 invalid_request The body must be a form, sent with "Content-Type: application/x-www-form-urlencoded".',
    );
    const type = "grant_type=refresh_token";
    expect(await post(new URLSearchParams(`${type}&${type}`))).to.equal(
      "400 invalid_request grant_type was sent twice.",
    );
    expect(await post(new URLSearchParams(`${type}&client_id=x`))).to.equal(
      `401 ${unknownClient}`,
    );
    expect((await fetch(url)).status).to.equal(405);
  });

  it("issue tokens that /mcp alone accepts, with the tools of their scopes", async () => {
    const { tokens } = await connectAssistant(service, {
      scope: "templates:read",
    });
    const authorization = `Bearer ${tokens.access_token}`;
    const listed = await (
      await postMessage(service.url, { authorization })
    ).text();
    expect(listed).to.include('"list_templates"');
    expect(listed).not.to.include('"create_template"');
    const call = rpc("tools/call", {
      name: "create_template",
      arguments: { name: "x" },
    });
    const rejected = await postMessage(service.url, { authorization }, call);
    expect(await rejected.text()).to.include("Connect the assistant again");
    for (const [path, headers] of [
      ["/api/templates", { "x-api-key": tokens.access_token }],
      ["/api/templates", { authorization }],
      ["/sse", { "x-api-key": tokens.access_token }],
      ["/sse", { authorization }],
      [`/sse?apiKey=${tokens.access_token}`, {}],
    ] as const)
      expect((await fetch(service.url + path, { headers })).status).to.equal(
        401,
      );
  });

  it("revoke a connection by its refresh token", async () => {
    const { tokens, clientId } = await connectAssistant(service);
    expect(await fetchStatus(tokens.access_token)).to.equal(200);
    const fields = { token: tokens.refresh_token, client_id: clientId };
    const answer = await postForm(service, "/oauth/revoke", fields);
    expect(answer.status).to.equal(200);
    expect(await fetchStatus(tokens.access_token)).to.equal(401);
    const later = await refresh(service, clientId, tokens.refresh_token);
    expect(await readOAuthError(later)).to.equal(
      `400 ${ended("refresh token")}`,
    );
  });
});

eachDatabase((open) => {
  describe("several processes with OAuth", () => {
    it("give a refresh token to one of several clients that bring it at once", async () => {
      const store = await open();
      const { connect, use } = createActors(store);
      const { refresh: token, access, clientId } = await connect();
      const answers = await Promise.all(
        Array.from({ length: 4 }, () =>
          getOAuthError(createActors(store).renew(clientId, token)),
        ),
      );
      const good = answers.filter((one) => one === "done");
      expect(good).to.have.length.at.most(1);
      for (const answer of answers)
        expect(answer).to.be.oneOf([
          "done",
          used("refresh token"),
          ended("refresh token"),
        ]);
      expect(await use(access)).to.equal(invalid);
    });

    it("store one client for the URL of its description, no matter who allows it first", async () => {
      const store = await open();
      const clientId = `https://example.com/${crypto.randomUUID()}`;
      const both = await Promise.all(
        [1, 2].map(() => createActors(store).allow({ clientId })),
      );
      const rows = await store.read.findBy(OauthClient, { clientId });
      expect(rows.map(({ name }) => name)).to.deep.equal(["Example"]);
      for (const { redeem } of both)
        expect((await redeem()).scope).to.equal(all);
    });
  });
});

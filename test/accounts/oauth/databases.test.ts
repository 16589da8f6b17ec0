import { expect } from "chai";
import { describe, it } from "mocha";
import { operator, Users } from "../../../core/accounts/index.js";
import {
  AccessTokens,
  Clients,
  Consent,
  Grants,
} from "../../../core/accounts/oauth/index.js";
import {
  OauthClient,
  type Store,
} from "../../../core/storage/database/index.js";
import {
  authorizationQuery,
  callback,
  newVerifier,
} from "../../support/oauth.js";
import { silentLog } from "../../support/recording-log.js";
import { eachDatabase, newOwner } from "../../support/store.js";

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
  const consent = new Consent(store, clients, addresses);
  const grants = new Grants(store, addresses);
  const accessTokens = new AccessTokens(store, silentLog);
  return { clients, consent, grants, accessTokens };
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
  const { consent } = open(store);
  const visitor = await newMember(store);
  const verifier = newVerifier();
  const query = new URLSearchParams(authorizationQuery(clientId, verifier));
  const { redirect } = await consent.answer(visitor, query, visitor);
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

import { expect } from "chai";
import { Users, operator } from "../../../core/accounts/index.js";
import type { Store } from "../../../core/storage/database/index.js";
import { useFixedTime } from "../../support/clock.js";
import {
  authorizationQuery,
  callback,
  createChallenge,
  getOAuthError,
  newMember,
  newVerifier,
  openOauth,
  registerClient,
} from "../../support/oauth.js";
import { listWords, withRows } from "../../support/rows.js";
import { useService } from "../../support/service.js";
import { anyDatabase, getRefusal } from "../../support/store.js";
import { newVisitor } from "../../support/studio.js";

type Changes = Record<string, string | null>;

const toQuery = (clientId: string, changes: Changes = {}) =>
  new URLSearchParams(authorizationQuery(clientId, newVerifier(), changes));

/** Where the browser is sent, and with what. */
const read = ({ redirect }: { redirect: string }) => {
  const { origin, pathname, searchParams } = new URL(redirect);
  const given = Object.fromEntries(searchParams);
  return { to: origin + pathname, ...given };
};

const unregistered =
  "invalid_request Test assistant did not register the address to which it wants you to be sent.";
const pkce =
  "invalid_request PKCE is required: a code_challenge with the code_challenge_method S256.";

anyDatabase((open) => {
  describe("the question that OAuth clients ask people", () => {
    useFixedTime();
    /** What other hosts answer, by URL. */
    const documents = new Map<string, object | string>();
    const fetched: string[] = [];
    let store: Store;
    let oauth: ReturnType<typeof openOauth>;
    let visitor: Awaited<ReturnType<typeof newMember>>;
    before(async () => {
      store = await open();
      oauth = openOauth(store, (url) => {
        fetched.push(url);
        return documents.get(url);
      });
      visitor = await newMember(store);
    });

    const register = async (metadata: object = {}) => {
      const { client_id: id } = await oauth.clients.register({
        client_name: "Test assistant",
        redirect_uris: [callback],
        ...metadata,
      });
      return id;
    };
    const ask = (query: URLSearchParams) => oauth.consents.ask(visitor, query);
    const answer = (
      query: URLSearchParams,
      organizationId: string | null = visitor.organizationId,
    ) => oauth.consents.answer(visitor, query, { organizationId });
    it("names the client, where it leads, and what it may do in each organization", async () => {
      const person = await newMember(store, "viewer");
      const other = await newMember(store);
      const users = new Users(store);
      const place = {
        name: "Ada",
        email: person.email,
        role: "owner",
      } as const;
      await users.create(other.organizationId, place, operator);
      const redirect_uri = "https://claude.ai/api/mcp/auth_callback";
      const clientId = await register({
        client_name: "Claude",
        redirect_uris: [redirect_uri],
      });
      const scope = "templates:read templates:write";
      const { organizations, ...asked } = await oauth.consents.ask(
        person,
        toQuery(clientId, { redirect_uri, scope }),
      );
      expect(asked).to.deep.equal({
        client: { name: "Claude", verifiedHost: null },
        redirectHost: "claude.ai",
        isLocal: false,
        problem: null,
      });
      expect(organizations).to.have.deep.members([
        {
          id: person.organizationId,
          name: "Acme",
          isCurrent: true,
          scopes: ["templates:read"],
        },
        {
          id: other.organizationId,
          name: "Acme",
          isCurrent: false,
          scopes: ["templates:read", "templates:write"],
        },
      ]);
    });

    it("is answered with a code, or declined with access_denied, and the state and the issuer", async () => {
      const redirect_uri = `${callback}?kept=1`;
      const clientId = await register({ redirect_uris: [redirect_uri] });
      const query = toQuery(clientId, { redirect_uri, state: "a&b=c#d" });
      const shared = {
        to: callback,
        kept: "1",
        state: "a&b=c#d",
        iss: "https://platen.example.com",
      };
      const accepted = read(await answer(query));
      const code = /^plc_[\w-]{43}$/;
      expect(accepted).to.have.property("code").that.matches(code);
      expect(accepted).to.deep.equal({
        ...shared,
        code: Reflect.get(accepted, "code"),
      });
      expect(read(await answer(query, null))).to.deep.equal({
        ...shared,
        error: "access_denied",
        error_description: "The person declined.",
      });
      const stateless = toQuery(clientId, { redirect_uri, state: null });
      expect(read(await answer(stateless))).to.have.all.keys(
        "to",
        "kept",
        "code",
        "iss",
      );
    });

    it("is not asked where it does not prove whose question it is, and nothing leads there", async () => {
      const clientId = await register();
      const good = toQuery(clientId);
      const twice = (name: string) =>
        new URLSearchParams(
          `${good.toString()}&${name}=https%3A%2F%2Fevil.example`,
        );
      for (const [query, error] of [
        ...[
          "https://evil.example/callback",
          "http://127.0.0.1:33418/callback/../evil",
          "http://127.0.0.1:33418/callback?x=1",
          "http://127.0.0.1:33418/Callback",
          "http://127.0.0.1@evil.example/callback",
          "http://127.0.0.1:33418@evil.example/callback",
          "http://localhost:33418/callback",
          "https://127.0.0.1:33418/callback",
          "javascript:alert(1)",
          "",
          null,
        ].map(
          (redirect_uri) =>
            [toQuery(clientId, { redirect_uri }), unregistered] as const,
        ),
        [
          toQuery("unknown"),
          "invalid_client Unknown client_id. Remove the connection in the assistant and add it again, so that it registers anew.",
        ],
        [twice("client_id"), "invalid_request client_id was sent twice."],
        [twice("redirect_uri"), "invalid_request redirect_uri was sent twice."],
      ] as const) {
        expect(await getOAuthError(ask(query))).to.equal(error);
        expect(await getOAuthError(answer(query))).to.equal(error);
      }
    });

    it("says to which host or app an answer leads, and whether that is on the person's machine, where any port is good", async () => {
      for (const [registered, redirect_uri, redirectHost, isLocal] of [
        ["https://claude.ai/callback", "", "claude.ai", false],
        ["https://localhost/callback", "", "localhost", true],
        ["http://127.0.0.1:8080/callback", "", "127.0.0.1", true],
        [callback, "http://127.0.0.1:50000/callback", "127.0.0.1", true],
        ["http://[::1]/callback", "", "[::1]", true],
        ["cursor://mcp/callback", "", "cursor", true],
      ] as const) {
        const clientId = await register({ redirect_uris: [registered] });
        const to = redirect_uri || registered;
        const query = toQuery(clientId, { redirect_uri: to });
        const { redirectHost: host, isLocal: local } = await ask(query);
        expect([host, local]).to.deep.equal([redirectHost, isLocal]);
        expect((await answer(query)).redirect.startsWith(to)).to.equal(true);
      }
    });

    const changed: Record<string, Changes> = {
      "without PKCE": { code_challenge: null },
      "with plain PKCE": { code_challenge_method: "plain" },
      "with PKCE by default": { code_challenge_method: null },
      "with a short challenge": { code_challenge: "x".repeat(42) },
      "with a long challenge": { code_challenge: "x".repeat(44) },
      "for a token": { response_type: "token" },
      "for other scopes alone": { scope: "openid admin" },
      "for another resource": { resource: "https://other.example.com/mcp" },
      "with a parameter twice": { twice: "code_challenge" },
    };
    for (const [description, changes, expected = ""] of withRows(
      changed,
      `
      without PKCE | ${pkce}
      with plain PKCE | ${pkce}
      with PKCE by default | ${pkce}
      with a short challenge | ${pkce}
      with a long challenge | ${pkce}
      for a token | unsupported_response_type response_type must be code.
      for other scopes alone | invalid_scope None of the scopes that were asked for exists here. Valid scopes: templates:read, templates:write, documents:read, documents:write.
      for another resource | invalid_target This server gives access to https://platen.example.com/mcp alone; the parameter resource names another.
      with a parameter twice | invalid_request code_challenge was sent twice.`,
    ))
      it(`is not asked ${description}, and the client learns why when the person goes back`, async () => {
        const { twice, ...others } = changes;
        const query = toQuery(await register(), others);
        if (twice) query.append(twice, createChallenge("x"));
        const { problem, organizations } = await ask(query);
        expect(organizations).to.deep.equal([]);
        const [error = ""] = expected.split(" ");
        const message = expected.slice(error.length + 1);
        expect(problem?.message).to.equal(message);
        expect(read(problem ?? { redirect: "" })).to.deep.equal({
          to: callback,
          error,
          error_description: message,
          state: "the-state",
          iss: "https://platen.example.com",
        });
        expect(await getOAuthError(answer(query))).to.equal(expected);
      });

    it("is answered for an organization of the person where their role allows something", async () => {
      const clientId = await register();
      const { organizationId } = await newMember(store);
      expect(
        await getRefusal(answer(toQuery(clientId), organizationId)),
      ).to.equal(
        `not_found You do not belong to an organization ${organizationId}.`,
      );
      const viewer = await newMember(store, "viewer");
      const query = toQuery(clientId, { scope: "documents:write" });
      expect(
        await getRefusal(oauth.consents.answer(viewer, query, viewer)),
      ).to.equal(
        "forbidden Your role allows none of the permissions that Test assistant requests. Ask an owner of the organization for another role.",
      );
    });

    describe("by a client whose id is the URL of its description", () => {
      const clientId = "https://assistant.example.com/oauth/client.json";
      const redirect_uri = "https://assistant.example.com/callback";
      const description = {
        client_id: clientId,
        client_name: "Example Assistant",
        redirect_uris: [redirect_uri],
        token_endpoint_auth_method: "none",
      };

      it("names the host that has proven to be the client's, and reads the description once", async () => {
        documents.set(clientId, description);
        const query = toQuery(clientId, { redirect_uri });
        expect((await ask(query)).client).to.deep.equal({
          name: "Example Assistant",
          verifiedHost: "assistant.example.com",
        });
        for (let count = 0; count < 2; count += 1)
          expect((await answer(query)).redirect).to.contain("code=plc_");
        expect(fetched.filter((url) => url === clientId)).to.have.length(1);
      });

      const unnamed = "it does not name itself as client_id";
      const descriptions: Record<string, string | object> = {
        "is no JSON": "<html>",
        "is a list": "[]",
        "names another": { ...description, client_id: "https://x.com/y" },
        "has a secret": { ...description, client_secret: "s" },
        "signs its requests": {
          ...description,
          token_endpoint_auth_method: "private_key_jwt",
        },
        "has no redirect URI": { ...description, redirect_uris: ["app:x"] },
        "is not there": "",
      };
      for (const [caseName, document, why] of withRows(
        descriptions,
        `
        is no JSON | it is not JSON
        is a list | ${unnamed}
        names another | ${unnamed}
        has a secret | ${unnamed}
        signs its requests | it asks for token_endpoint_auth_method "private_key_jwt", and only "none" is supported
        has no redirect URI | "app:x" cannot be a redirect URI: use https, http on localhost, or a scheme of the app's own, without a fragment, user or password
        is not there | its status is 404`,
      ))
        it(`is not asked when the description ${caseName}`, async () => {
          const url = `https://assistant.example.com/${crypto.randomUUID()}.json`;
          const text =
            typeof document === "string" ? document : JSON.stringify(document);
          if (text !== "") documents.set(url, text.replace(clientId, url));
          expect(
            await getOAuthError(ask(toQuery(url, { redirect_uri }))),
          ).to.equal(
            `invalid_client The description of this client at assistant.example.com cannot be used: ${why}.`,
          );
        });

      it("is fetched from an https address with a path alone", async () => {
        const count = fetched.length;
        for (const url of listWords(`
          http://assistant.example.com/client.json https://assistant.example.com https://assistant.example.com/
          https://assistant.example.com/a/../client.json https://user@assistant.example.com/client.json
          https://assistant.example.com/client.json#x https://ASSISTANT.example.com/client.json
        `))
          expect(
            await getOAuthError(ask(toQuery(url, { redirect_uri }))),
          ).to.match(/^invalid_client /);
        expect(fetched).to.have.length(count);
      });
    });
  });
});

describe("the page of the question", () => {
  const service = useService();

  it("is where the authorization endpoint leads whatever it is asked, and no other page can frame it", async () => {
    for (const query of [
      "",
      "?client_id=x&redirect_uri=https%3A%2F%2Fevil.example",
      "?response_type=token&redirect_uri=//evil.example",
    ]) {
      const url = `${service.url}/oauth/authorize${query}`;
      const answer = await fetch(url, { redirect: "manual" });
      expect(answer.status).to.equal(303);
      expect(answer.headers.get("location")).to.equal(
        `${service.url}/studio/connect${query}`,
      );
    }
    const page = await fetch(`${service.url}/studio/connect?client_id=x`);
    expect(page.headers.get("content-security-policy")).to.include(
      "frame-ancestors 'none'",
    );
  });

  it("asks and answers for signed-in people, and not by a page of another site", async () => {
    const { cookie, organizationId } = await newVisitor(service);
    const query = authorizationQuery(
      await registerClient(service),
      newVerifier(),
    );
    const url = `${service.url}/studio/api/consent`;
    expect((await fetch(`${url}?${query}`)).status).to.equal(401);
    const ours = { "x-platen-app": "studio" };
    for (const [headers, status] of [
      [ours, 401],
      [{ cookie, ...ours, "sec-fetch-site": "cross-site" }, 409],
      [{ cookie, ...ours, "sec-fetch-site": "same-site" }, 409],
      [{ cookie, ...ours, origin: "https://evil.example" }, 409],
      [{ cookie, "sec-fetch-site": "same-origin" }, 409],
      [{ cookie, ...ours, "sec-fetch-site": "same-origin" }, 200],
    ] as const) {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ query, organizationId }),
      });
      expect(answer.status).to.equal(status);
    }
  });
});

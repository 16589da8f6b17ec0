import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import {
  Users,
  operator,
  type ConsentQuestion,
} from "../../../core/accounts/index.js";
import { Outbound } from "../../../core/lib/outbound/index.js";
import { readError, refusal } from "../../support/caller.js";
import { useFixedTime } from "../../support/clock.js";
import {
  authorizationQuery,
  callback,
  createChallenge,
  consent,
  newVerifier,
  registerClient,
} from "../../support/oauth.js";
import { useService } from "../../support/service.js";
import { newOwner } from "../../support/store.js";
import {
  newPerson,
  newVisitor,
  signInAs,
  type TestVisitor,
} from "../../support/studio.js";

const ask = (who: TestVisitor, query: string) =>
  who.get(`/studio/api/consent?${query}`);
const question = async (who: TestVisitor, query: string) => {
  const response = await ask(who, query);
  expect(response.status).to.equal(200);
  const body: ConsentQuestion = JSON.parse(await response.text());
  return body;
};

describe("the question that OAuth clients ask people", () => {
  /** What other hosts answer, by URL. */
  const documents = new Map<string, object | string>();
  let fetched = 0;
  const outbound: Pick<Outbound, "fetch"> = {
    fetch: async (url) => {
      fetched += 1;
      const document = documents.get(url);
      const text =
        typeof document === "string" ? document : JSON.stringify(document);
      return {
        url,
        status: document === undefined ? 404 : 200,
        headers: {},
        body: Buffer.from(document === undefined ? "" : text),
        isCut: false,
        isPrivate: false,
      };
    },
  };
  const service = useService({
    replace: (container) =>
      container.register(Outbound, {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        useValue: outbound as Outbound,
      }),
  });

  let visitor: TestVisitor;

  // A person may ask a number of times a minute.
  const time = useFixedTime();
  before(async () => {
    visitor = await newVisitor(service);
  });
  beforeEach(() => time.advance(60_000));

  it("names the client, where it leads, and what it may do in each organization", async () => {
    const person = await newPerson(service, "viewer");
    const { organizationId } = await newOwner(service.store);
    const users = new Users(service.store);
    const place = { name: "Ada", email: person.email, role: "owner" } as const;
    await users.create(organizationId, place, operator);
    const twice = await signInAs(service, person);
    const clientId = await registerClient(service, {
      client_name: "Claude",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
    });
    const query = authorizationQuery(clientId, newVerifier(), {
      redirect_uri: "https://claude.ai/api/mcp/auth_callback",
      scope: "templates:read templates:write",
    });
    const asked = await question(twice, query);
    expect(asked).to.deep.include({
      client: { name: "Claude", verifiedHost: null },
      redirectHost: "claude.ai",
      isLocal: false,
      problem: null,
    });
    expect(
      asked.organizations.map(({ id, scopes, isCurrent }) => [
        id,
        isCurrent,
        scopes,
      ]),
    ).to.have.deep.members([
      [person.organizationId, true, ["templates:read"]],
      [organizationId, false, ["templates:read", "templates:write"]],
    ]);
  });

  it("is asked of signed-in people alone", async () => {
    const clientId = await registerClient(service);
    const query = authorizationQuery(clientId, newVerifier());
    const url = `${service.url}/studio/api/consent`;
    expect((await fetch(`${url}?${query}`)).status).to.equal(401);
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-platen-app": "x" },
      body: JSON.stringify({ query, organizationId: "x" }),
    });
    expect(answer.status).to.equal(401);
  });

  it("is not answered by a page of another site", async () => {
    const clientId = await registerClient(service);
    const query = authorizationQuery(clientId, newVerifier());
    for (const headers of [
      { "sec-fetch-site": "cross-site", "x-platen-app": "studio" },
      { "sec-fetch-site": "same-site", "x-platen-app": "studio" },
      { origin: "https://evil.example", "x-platen-app": "studio" },
      { "sec-fetch-site": "same-origin" },
    ]) {
      const answer = await fetch(`${service.url}/studio/api/consent`, {
        method: "POST",
        headers: {
          cookie: visitor.cookie,
          "content-type": "application/json",
          ...headers,
        },
        body: JSON.stringify({
          query,
          organizationId: visitor.organizationId,
        }),
      });
      expect(answer.status).to.equal(409);
    }
  });

  it("is shown by a page that no other page can frame", async () => {
    const page = await fetch(`${service.url}/studio/connect?client_id=x`);
    expect(page.headers.get("content-security-policy")).to.include(
      "frame-ancestors 'none'",
    );
  });

  it("is declined with access_denied, which the client reads", async () => {
    const clientId = await registerClient(service);
    const query = authorizationQuery(clientId, newVerifier());
    const { searchParams, href } = await consent(visitor, query, null);
    expect(href.startsWith(callback)).to.equal(true);
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      error: "access_denied",
      error_description: "The person declined.",
      state: "the-state",
      iss: service.url,
    });
  });

  it("is answered with a code, the state and the issuer", async () => {
    const clientId = await registerClient(service, {
      redirect_uris: [`${callback}?kept=1`],
    });
    const query = authorizationQuery(clientId, newVerifier(), {
      redirect_uri: `${callback}?kept=1`,
      state: "a&b=c#d",
    });
    const { searchParams } = await consent(visitor, query);
    expect(searchParams.get("kept")).to.equal("1");
    expect(searchParams.get("state")).to.equal("a&b=c#d");
    expect(searchParams.get("iss")).to.equal(service.url);
    expect(searchParams.get("code")).to.match(/^plc_[\w-]{43}$/);
  });

  for (const uri of [
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
  ])
    it(`is not asked for the foreign address ${JSON.stringify(uri)}, to which nothing leads`, async () => {
      const clientId = await registerClient(service);
      const query = authorizationQuery(clientId, newVerifier(), {
        redirect_uri: uri,
      });
      const rejected = await ask(visitor, query);
      expect(rejected.status).to.equal(400);
      const answer = await visitor.send("POST", "/studio/api/consent", {
        query,
        organizationId: visitor.organizationId,
      });
      expect(answer.status).to.equal(400);
      expect(await readError(answer)).to.equal(
        "Test assistant did not register the address to which it wants you to be sent.",
      );
    });

  it("says to which host or app an answer leads, and whether that is on the person's machine", async () => {
    for (const [uri, redirectHost, isLocal] of [
      ["https://claude.ai/callback", "claude.ai", false],
      ["https://localhost/callback", "localhost", true],
      ["http://127.0.0.1:8080/callback", "127.0.0.1", true],
      ["http://[::1]/callback", "[::1]", true],
      ["cursor://mcp/callback", "cursor", true],
    ] as const) {
      const clientId = await registerClient(service, { redirect_uris: [uri] });
      const query = authorizationQuery(clientId, newVerifier(), {
        redirect_uri: uri,
      });
      const asked = await question(visitor, query);
      expect(asked).to.deep.include({ redirectHost, isLocal });
    }
  });

  it("allows another port of the person's own machine", async () => {
    const clientId = await registerClient(service);
    const query = authorizationQuery(clientId, newVerifier(), {
      redirect_uri: "http://127.0.0.1:50000/callback",
    });
    const { host } = await consent(visitor, query);
    expect(host).to.equal("127.0.0.1:50000");
  });

  it("is never skipped: the authorization endpoint leads to the page whatever it is asked", async () => {
    for (const query of [
      "",
      "?client_id=x&redirect_uri=https%3A%2F%2Fevil.example",
      "?response_type=token&redirect_uri=//evil.example",
    ]) {
      const answer = await fetch(`${service.url}/oauth/authorize${query}`, {
        redirect: "manual",
      });
      expect(answer.status).to.equal(303);
      expect(answer.headers.get("location")).to.equal(
        `${service.url}/studio/connect${query}`,
      );
    }
  });

  const pkce =
    "invalid_request PKCE is required: a code_challenge with the code_challenge_method S256.";
  const noSuchScope =
    "invalid_scope None of the scopes that were asked for exists here. Valid scopes: templates:read, templates:write, documents:read, documents:write.";
  for (const [description, changes, expected] of [
    ["without PKCE", { code_challenge: null }, pkce],
    ["with plain PKCE", { code_challenge_method: "plain" }, pkce],
    ["with PKCE by default", { code_challenge_method: null }, pkce],
    ["with a short challenge", { code_challenge: "x".repeat(42) }, pkce],
    ["with a long challenge", { code_challenge: "x".repeat(44) }, pkce],
    [
      "for a token",
      { response_type: "token" },
      "unsupported_response_type response_type must be code.",
    ],
    ["for other scopes alone", { scope: "openid admin" }, noSuchScope],
    [
      "for another resource",
      { resource: "https://other.example.com/mcp" },
      "invalid_target This server gives access to URL/mcp alone; the parameter resource names another.",
    ],
  ] as const)
    it(`is not asked ${description}, and the client learns why when the person goes back`, async () => {
      const clientId = await registerClient(service);
      const query = authorizationQuery(clientId, newVerifier(), changes);
      const { problem, organizations } = await question(visitor, query);
      expect(organizations).to.deep.equal([]);
      const [error = ""] = expected.split(" ");
      const message = expected
        .slice(error.length + 1)
        .replace("URL", service.url);
      expect(problem?.message).to.equal(message);
      const { searchParams } = new URL(problem?.redirect ?? "");
      expect(Object.fromEntries(searchParams)).to.deep.equal({
        error,
        error_description: message,
        state: "the-state",
        iss: service.url,
      });
      const answer = await visitor.send("POST", "/studio/api/consent", {
        query,
        organizationId: visitor.organizationId,
      });
      expect(answer.status).to.equal(400);
      expect(await readError(answer)).to.equal(message);
    });

  it("is not asked with a parameter twice", async () => {
    const clientId = await registerClient(service);
    const query = authorizationQuery(clientId, newVerifier());
    for (const name of ["client_id", "redirect_uri"]) {
      const twice = `${query}&${name}=https%3A%2F%2Fevil.example`;
      expect((await ask(visitor, twice)).status).to.equal(400);
    }
    const { problem } = await question(
      visitor,
      `${query}&code_challenge=${createChallenge("x")}`,
    );
    expect(problem?.message).to.equal("code_challenge was sent twice.");
  });

  it("is not asked for an unknown client", async () => {
    const query = authorizationQuery("unknown", newVerifier());
    expect(await refusal(ask(visitor, query))).to.equal(
      "400 Unknown client_id. Remove the connection in the assistant and add it again, so that it registers anew.",
    );
  });

  it("is answered for the person's own organizations alone", async () => {
    const { organizationId } = await newPerson(service);
    const clientId = await registerClient(service);
    const query = authorizationQuery(clientId, newVerifier());
    const answer = await visitor.send("POST", "/studio/api/consent", {
      query,
      organizationId,
    });
    expect(answer.status).to.equal(404);
  });

  describe("by a client whose id is the URL of its description", () => {
    const clientId = "https://assistant.example.com/oauth/client.json";
    const description = {
      client_id: clientId,
      client_name: "Example Assistant",
      redirect_uris: ["https://assistant.example.com/callback"],
      token_endpoint_auth_method: "none",
    };
    const changes = { redirect_uri: "https://assistant.example.com/callback" };

    it("names the host that has proven to be the client's", async () => {
      documents.set(clientId, description);
      const query = authorizationQuery(clientId, newVerifier(), changes);
      const asked = await question(visitor, query);
      expect(asked.client).to.deep.equal({
        name: "Example Assistant",
        verifiedHost: "assistant.example.com",
      });
      const { searchParams } = await consent(visitor, query);
      expect(searchParams.get("code")).to.match(/^plc_/);
      const count = fetched;
      await consent(visitor, query);
      expect(fetched, "it is kept for a while").to.equal(count);
    });

    for (const [caseName, document, why] of [
      ["is not there", undefined, "its status is 404"],
      ["is no JSON", "<html>", "it is not JSON"],
      ["is a list", "[]", "it does not name itself as client_id"],
      [
        "names another client",
        { ...description, client_id: "https://x.com/y" },
        "it does not name itself as client_id",
      ],
      [
        "has a secret",
        { ...description, client_secret: "s" },
        "it does not name itself as client_id",
      ],
      [
        "wants to sign its requests",
        { ...description, token_endpoint_auth_method: "private_key_jwt" },
        'it asks for token_endpoint_auth_method "private_key_jwt", and only "none" is supported',
      ],
      [
        "has a redirect URI that is none",
        { ...description, redirect_uris: ["app:x"] },
        `"app:x" cannot be a redirect URI: use https, http on localhost, or a scheme of the app's own, without a fragment, user or password`,
      ],
    ] as const)
      it(`is not asked when the description ${caseName}`, async () => {
        const url = `https://assistant.example.com/${crypto.randomUUID()}.json`;
        if (typeof document === "object")
          documents.set(url, {
            ...document,
            ...(document.client_id === clientId && { client_id: url }),
          });
        else if (document !== undefined) documents.set(url, document);
        const query = authorizationQuery(url, newVerifier(), changes);
        expect(await refusal(ask(visitor, query))).to.equal(
          `400 The description of this client at assistant.example.com cannot be used: ${why}.`,
        );
      });

    for (const url of [
      "http://assistant.example.com/client.json",
      "https://assistant.example.com",
      "https://assistant.example.com/",
      "https://assistant.example.com/a/../client.json",
      "https://user@assistant.example.com/client.json",
      "https://assistant.example.com/client.json#x",
      "https://ASSISTANT.example.com/client.json",
    ])
      it(`fetches nothing for ${url}`, async () => {
        const count = fetched;
        const query = authorizationQuery(url, newVerifier(), changes);
        expect((await ask(visitor, query)).status).to.equal(400);
        expect(fetched).to.equal(count);
      });
  });
});

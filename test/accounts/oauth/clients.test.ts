import { discoverOAuthServerInfo } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { z } from "zod";
import { parseConfig } from "../../../config/index.js";
import { OAuthError, Clients } from "../../../core/accounts/oauth/index.js";
import {
  OauthClient,
  insertRows,
} from "../../../core/storage/database/index.js";
import { json as readJson } from "../../support/caller.js";
import { useFixedTime } from "../../support/clock.js";
import { freePort } from "../../support/free-port.js";
import {
  connectAssistant,
  readOAuthError,
  register,
  registerClient,
} from "../../support/oauth.js";
import { useService, TestService } from "../../support/service.js";
import { getRejection } from "../../support/store.js";
import { suiteFolder } from "../../support/store-folder.js";
import { postMessage } from "../../support/tool-client.js";

describe("the registration of OAuth clients", () => {
  const service = useService();
  const time = useFixedTime();

  it("returns what was registered, as a public client", async () => {
    const redirect_uris = [
      "https://claude.ai/api/mcp/auth_callback",
      "http://localhost:8080/callback",
    ];
    const response = await register(service, {
      client_name: "Claude Desktop",
      redirect_uris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
      logo_uri: "https://example.com/logo.png",
      scope: "templates:read",
    });
    expect(response.headers.get("cache-control")).to.equal("no-store");
    const { client_id, ...others } = await readJson(response, 201);
    expect(client_id).to.match(/^[\da-f-]{36}$/);
    expect(others).to.deep.equal({
      client_id_issued_at: Math.floor(time.now() / 1000),
      client_name: "Claude Desktop",
      redirect_uris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    });
  });

  const registerDirectly = (metadata: unknown) =>
    service.container.resolve(Clients).register(metadata);
  const rejection = async (metadata: unknown) => {
    const error = await getRejection(registerDirectly(metadata));
    if (!(error instanceof OAuthError)) throw error;
    return `${error.error} ${error.message}`;
  };
  const foreignSchemes =
    "about blob chrome data file filesystem ftp intent mailto vbscript view-source ws wss".split(
      " ",
    );
  const long = `https://example.com/${"x".repeat(980)}`;

  it("takes redirect URIs that lead to a host, to the person's machine or to an app, and refuses all others", async () => {
    for (const uri of [
      "https://example.com/callback",
      "http://localhost:8080/callback",
      "http://127.0.0.1/",
      "http://[::1]:8080/",
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "com.example.app:/callback",
      long,
    ]) {
      const { redirect_uris } = await registerDirectly({
        redirect_uris: [uri],
      });
      expect(redirect_uris).to.deep.equal([uri]);
    }
    for (const uri of [
      "http://evil.example/callback",
      "https://user@example.com/",
      "https://:password@example.com/",
      "https://example.com/callback#fragment",
      "javascript:alert(1)",
      "javascript://example.com/%0aalert(1)",
      "data:text/html,hello",
      "file:///etc/passwd",
      "//example.com/callback",
      "/callback",
      "app:callback",
      "app:///callback",
      "https://exam\nple.com/",
      "https://ex\u00e4mple.com/",
      'https://example.com/"onload=',
      `${long}x`,
      ...foreignSchemes.map((scheme) => `${scheme}://example.com/callback`),
    ])
      expect(await rejection({ redirect_uris: [uri] })).to.equal(
        `invalid_redirect_uri ${JSON.stringify(uri.slice(0, 200))} cannot be a redirect URI: use https, http on ` +
          "localhost, or a scheme of the app's own, without a fragment, user or password.",
      );
  });

  it("refuses a client whose metadata it cannot read", async () => {
    const redirect_uris = ["https://example.com/"];
    for (const [metadata, error] of [
      [{}, "redirect_uri redirect_uris must be a list of URLs"],
      [
        { redirect_uris: [] },
        "redirect_uri redirect_uris must contain at least one URL",
      ],
      [
        { redirect_uris: Array(21).fill("https://example.com/") },
        "redirect_uri redirect_uris must contain at most 20 URLs",
      ],
      [[], "client_metadata The client's metadata must be a JSON object"],
      [
        { redirect_uris, client_name: 1 },
        "client_metadata client_name must be a string",
      ],
      [
        { redirect_uris, grant_types: ["client_credentials"] },
        "client_metadata grant_types must include authorization_code",
      ],
      [
        { redirect_uris, response_types: ["token"] },
        "client_metadata response_types must include code",
      ],
    ] as const)
      expect(await rejection(metadata)).to.equal(`invalid_${error}.`);
  });

  const name = async (client_name: string | undefined, uri: string) => {
    const metadata = { client_name, redirect_uris: [uri] };
    return (await registerDirectly(metadata)).client_name;
  };

  it("shows a client's name without what would disguise it, or else the host or app it leads to", async () => {
    const host = "https://example.com/callback";
    expect(await name("Claude\u202e \u0000 Desktop", host)).to.equal(
      "Claude Desktop",
    );
    expect(await name(`${"x".repeat(99)}😀`, host)).to.equal("x".repeat(99));
    expect(await name("x".repeat(101), host)).to.equal("x".repeat(100));
    for (const nothing of [undefined, "", "\u200b"]) {
      expect(await name(nothing, host)).to.equal("example.com");
      expect(await name(nothing, "cursor://x/")).to.equal("cursor");
    }
  });

  it("rejects bodies that are not JSON or too large", async () => {
    const broken = await fetch(`${service.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(await readOAuthError(broken)).to.equal(
      "400 invalid_request The body is not valid JSON: close brace expected at line 1, column 2.",
    );
    const large = await register(service, { x: "x".repeat(70_000) });
    expect(await readOAuthError(large)).to.equal(
      "413 invalid_request The body is over the limit of 65536 bytes. Send less, or raise PLATEN_MAX_BODY_BYTES.",
    );
  });

  it("keeps at most 1000 clients that nobody has allowed anything", async () => {
    const { clientId } = await connectAssistant(service);
    await service.store.unitOfWork.run(async (tx) => {
      const rows = Array.from({ length: 1100 }, (_, index) => ({
        id: crypto.randomUUID(),
        clientId: crypto.randomUUID(),
        name: "x",
        redirectUris: ["https://example.com/"],
        createdAt: new Date(time.now() - 1000 - index),
      }));
      await tx.update(
        OauthClient,
        { clientId },
        { createdAt: new Date(time.now() - 86_400_000) },
      );
      await insertRows(tx, OauthClient, rows);
    });
    const last = await registerClient(service);
    const { read } = service.store;
    expect(await read.count(OauthClient)).to.equal(1001);
    for (const known of [clientId, last])
      expect(await read.countBy(OauthClient, { clientId: known })).to.equal(1);
  });

  it("is limited to 60 a minute for each address", async () => {
    time.advance(60_000);
    const answers: string[] = [];
    for (let count = 0; count < 61; count += 1)
      answers.push(await readOAuthError(await register(service, {})));
    expect(new Set(answers.slice(0, 60)).size).to.equal(1);
    expect(answers[60]).to.match(
      /^429 temporarily_unavailable More than 60 requests in a minute\. Wait \d+ seconds, then continue\.$/,
    );
    time.advance(60_000);
    const later = await register(service, {});
    expect(later.status).to.equal(400);
  });
});

const json = async (response: Response) => {
  expect(response.status).to.equal(200);
  expect(response.headers.get("access-control-allow-origin")).to.equal("*");
  expect(response.headers.get("content-type")).to.match(/^application\/json/);
  return z.record(z.string(), z.unknown()).parse(await response.json());
};

describe("the OAuth metadata", () => {
  const service = useService();

  for (const path of ["", "/mcp"])
    it(`describes the protected resource at /.well-known/oauth-protected-resource${path}`, async () => {
      const url = `${service.url}/.well-known/oauth-protected-resource${path}`;
      expect(await json(await fetch(url))).to.include({
        resource: `${service.url}/mcp`,
        resource_name: "Platen",
      });
      expect(
        (await json(await fetch(url)))["authorization_servers"],
      ).to.deep.equal([service.url]);
    });

  it("describes the authorization server, with addresses that answer", async () => {
    const url = `${service.url}/.well-known/oauth-authorization-server`;
    const metadata = await json(await fetch(url));
    expect(metadata).to.deep.include({
      issuer: service.url,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: [
        "templates:read",
        "templates:write",
        "documents:read",
        "documents:write",
      ],
    });
    for (const name of [
      "token_endpoint",
      "registration_endpoint",
      "revocation_endpoint",
    ]) {
      const { status } = await fetch(String(metadata[name]), {
        method: "POST",
      });
      expect(status, name).to.equal(400);
    }
  });

  it("is named by every 401 of /mcp, with the scopes", async () => {
    for (const headers of [{}, { authorization: "Bearer plk_unknown" }]) {
      const answer = await postMessage(service.url, headers);
      expect(answer.status).to.equal(401);
      const challenge = answer.headers.get("www-authenticate");
      expect(challenge).to.equal(
        `Bearer realm="platen", resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp", ` +
          'scope="templates:read templates:write documents:read documents:write"',
      );
    }
  });

  it("is named with invalid_token for an access token that is not good", async () => {
    const answer = await postMessage(service.url, {
      authorization: "Bearer plo_unknown",
    });
    expect(answer.status).to.equal(401);
    expect(answer.headers.get("www-authenticate")).to.include(
      'error="invalid_token"',
    );
  });

  it("is not named by /sse, which takes keys alone", async () => {
    const rejected = await fetch(`${service.url}/sse`);
    expect(rejected.headers.get("www-authenticate")).to.equal(
      'Bearer realm="platen"',
    );
    await rejected.body?.cancel();
  });
});

const { mcp } = parseConfig({});

for (const [description, basePath, mcpPath] of [
  ["a base URL with a path", "/platen", null],
  ["a PLATEN_MCP_URL with a path", "", "/assist"],
  ["both with paths", "/platen", "/platen/ai"],
] as const)
  describe(`the OAuth metadata under ${description}`, () => {
    const folder = suiteFolder();
    let service: TestService;
    let baseUrl = "";
    let resource = "";

    before(async () => {
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const url = mcpPath === null ? null : origin + mcpPath;
      baseUrl = origin + basePath;
      resource = `${url ?? baseUrl}/mcp`;
      const config = { port, baseUrl, mcp: { ...mcp, url } };
      service = new TestService(folder, { config });
      await service.start();
    });
    after(() => service.stop());

    it("is found by the SDK, by the challenge of /mcp and without it", async () => {
      const rejected = await fetch(resource, { method: "POST" });
      const challenge = rejected.headers.get("www-authenticate") ?? "";
      const named = /resource_metadata="([^"]+)"/.exec(challenge)?.[1];
      const resourceMetadataUrl = new URL(named ?? "");
      for (const options of [{ resourceMetadataUrl }, {}]) {
        const found = await discoverOAuthServerInfo(resource, options);
        expect(found.authorizationServerUrl).to.equal(baseUrl);
        expect(found.resourceMetadata?.resource).to.equal(resource);
        expect(found.authorizationServerMetadata?.issuer).to.equal(baseUrl);
      }
    });
  });

import { discoverOAuthServerInfo } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { describe, it, after, before } from "mocha";
import { z } from "zod";
import { parseConfig } from "../../../config/index.js";
import {
  OauthClient,
  insertRows,
} from "../../../core/storage/database/index.js";
import { freePort } from "../../support/free-port.js";
import {
  connectAssistant,
  readOAuthError,
  register,
  registerClient,
} from "../../support/oauth.js";
import { useService, TestService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { postMessage } from "../../support/tool-client.js";

describe("the registration of OAuth clients", () => {
  const service = useService();

  it("returns what was registered, as a public client", async () => {
    const response = await register(service, {
      client_name: "Claude\u202e \u0000 Desktop",
      redirect_uris: [
        "https://claude.ai/api/mcp/auth_callback",
        "http://localhost:8080/callback",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "com.example.app:/callback",
      ],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
      logo_uri: "https://example.com/logo.png",
      scope: "templates:read",
    });
    expect(response.status).to.equal(201);
    expect(response.headers.get("cache-control")).to.equal("no-store");
    const body = z
      .strictObject({
        client_id: z.uuid(),
        client_id_issued_at: z.int(),
        client_name: z.literal("Claude Desktop"),
        redirect_uris: z.array(z.string()).length(4),
        grant_types: z.tuple([
          z.literal("authorization_code"),
          z.literal("refresh_token"),
        ]),
        response_types: z.tuple([z.literal("code")]),
        token_endpoint_auth_method: z.literal("none"),
      })
      .safeParse(await response.json());
    expect(body.error).to.equal(undefined);
  });

  for (const uri of [
    "http://evil.example/callback",
    "https://user:password@example.com/",
    "https://example.com/callback#fragment",
    "javascript:alert(1)",
    "javascript://example.com/%0aalert(1)",
    "data:text/html,hello",
    "file:///etc/passwd",
    "//example.com/callback",
    "/callback",
    "app:callback",
    "https://exam\nple.com/",
    'https://example.com/"onload=',
    `https://example.com/${"x".repeat(1000)}`,
  ])
    it(`refuses the redirect URI ${JSON.stringify(uri.slice(0, 40))}`, async () => {
      const answer = await register(service, { redirect_uris: [uri] });
      expect(await readOAuthError(answer)).to.equal("400 invalid_redirect_uri");
    });

  for (const [description, metadata, error] of [
    ["without redirect URIs", {}, "invalid_redirect_uri"],
    ["with an empty list", { redirect_uris: [] }, "invalid_redirect_uri"],
    [
      "with too many",
      { redirect_uris: Array(21).fill("https://example.com/") },
      "invalid_redirect_uri",
    ],
    ["that is no object", [], "invalid_client_metadata"],
    [
      "with a name that is no text",
      { redirect_uris: ["https://example.com/"], client_name: 1 },
      "invalid_client_metadata",
    ],
    [
      "for other grants alone",
      {
        redirect_uris: ["https://example.com/"],
        grant_types: ["client_credentials"],
      },
      "invalid_client_metadata",
    ],
  ] as const)
    it(`refuses a client ${description}`, async () => {
      const answer = await register(service, metadata);
      expect(await readOAuthError(answer)).to.equal(`400 ${error}`);
    });

  it("rejects bodies that are not JSON or too large", async () => {
    const broken = await fetch(`${service.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(await readOAuthError(broken)).to.equal("400 invalid_request");
    const large = await register(service, { x: "x".repeat(70_000) });
    expect(await readOAuthError(large)).to.equal("413 invalid_request");
  });

  it("keeps at most 1000 clients that nobody has allowed anything", async () => {
    const { clientId } = await connectAssistant(service);
    await service.store.unitOfWork.run(async (tx) => {
      const rows = Array.from({ length: 1100 }, (_, index) => ({
        id: crypto.randomUUID(),
        clientId: crypto.randomUUID(),
        name: "x",
        redirectUris: ["https://example.com/"],
        createdAt: new Date(Date.now() - 1000 - index),
      }));
      await tx.update(
        OauthClient,
        { clientId },
        { createdAt: new Date(Date.now() - 86_400_000) },
      );
      await insertRows(tx, OauthClient, rows);
    });
    const last = await registerClient(service);
    const { read } = service.store;
    expect(await read.count(OauthClient)).to.equal(1001);
    for (const known of [clientId, last])
      expect(await read.countBy(OauthClient, { clientId: known })).to.equal(1);
  });

  it("is limited for each address", async () => {
    const answers: number[] = [];
    // Twice as many as a minute allows: a new minute may begin meanwhile.
    for (let count = 0; count < 121 && answers.at(-1) !== 429; count += 1) {
      const answer = await register(service, {});
      answers.push(answer.status);
      if (answer.status === 429) {
        expect(await readOAuthError(answer)).to.equal(
          "429 temporarily_unavailable",
        );
        expect(Number(answer.headers.get("retry-after"))).to.be.above(0);
      }
    }
    expect(answers.at(-1)).to.equal(429);
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

import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import {
  OauthClient,
  insertRows,
} from "../../../core/storage/database/index.js";
import {
  connectAssistant,
  readOAuthError,
  register,
  registerClient,
} from "../../support/oauth.js";
import { useService } from "../../support/service.js";

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

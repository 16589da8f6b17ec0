import { discoverOAuthServerInfo } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { z } from "zod";
import { parseConfig } from "../../../config/index.js";
import { freePort } from "../../support/free-port.js";
import { TestService, useService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { postMessage } from "../../support/tool-client.js";

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

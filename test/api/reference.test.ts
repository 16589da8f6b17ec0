import { readdirSync, readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { COMPONENT_TYPES } from "../../core/definition/schema/component-schema.js";
import { blueprints } from "../../core/templates/blueprints/index.js";
import { EVENT_TYPES } from "../../core/webhooks/index.js";
import { useService } from "../support/service.js";

const openApi = z.looseObject({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        summary: z.string(),
        description: z.string(),
        responses: z.record(z.string(), z.looseObject({})),
      }),
    ),
  ),
});

/** A path whatever its parameters are called. */
function toPathShape(path: string): string {
  return path.replaceAll(/\{\w+\}|:\w+/g, ":");
}

/** Those of the public API, such as `GET /api/batches/:batchId`, in README.md and docs/. */
function namedEndpoints(): string[] {
  const pages = readdirSync("docs", {
    recursive: true,
    encoding: "utf8",
  }).filter((name) => name.endsWith(".md"));
  const text = ["README.md", ...pages.map((name) => `docs/${name}`)]
    .map((page) => readFileSync(page, "utf8"))
    .join("\n");
  const named = text.matchAll(
    /\b(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/:{}-]+)/g,
  );
  const shapes = [...named].map(
    ([, method = "", path = ""]) =>
      `${method.toLowerCase()} ${toPathShape(path)}`,
  );
  return [...new Set(shapes)];
}

describe("the API reference", () => {
  const service = useService();
  let document: z.output<typeof openApi>;

  before(async () => {
    const response = await fetch(`${service.url}/openapi.json`);
    document = openApi.parse(await response.json());
  });

  it("is a valid OpenAPI 3.1 document", async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).to.deep.equal([]);
    expect(result.valid).to.equal(true);
    expect(document.openapi).to.match(/^3\.1\./);
  });

  it("describes every endpoint with its possible errors", () => {
    const documented = Object.entries(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(
          ([method, { responses }]) =>
            `${method} ${path} ${Object.keys(responses).join(" ")}`,
        ),
    );
    expect(documented).to.have.members([
      "post /api/export 200 400 401 403 404 409 410 413 415 429 500 503",
      "post /api/export/batch 202 400 401 403 404 409 413 415 429 500 503",
      "post /api/export/batch/file 202 400 401 403 404 409 413 415 429 500 503",
      "post /api/export/batch/file/inspect 200 400 401 403 404 413 415 429 500 503",
      "post /api/export/batch/{platform} 202 400 401 403 404 409 413 415 429 500 503",
      "post /api/batches/{batchId}/write-back 202 400 401 403 404 409 410 429 500 503",
      "get /api/batches 200 400 401 403 429 500 503",
      "get /api/batches/{batchId} 200 400 401 403 404 429 500 503",
      "post /api/batches/{batchId}/cancel 200 400 401 403 404 409 429 500 503",
      "post /api/batches/{batchId}/retry 202 400 401 403 404 409 429 500 503",
      "post /api/batches/{batchId}/deliveries/retry 202 400 401 403 404 409 410 413 415 429 500 503",
      "post /api/deliveries/{deliveryId}/retry 202 400 401 403 404 409 410 429 500 503",
      "post /api/batches/{batchId}/merged 202 400 401 403 404 409 413 415 429 500 503",
      "get /api/batches/{batchId}/merged 200 400 401 403 404 409 410 429 500 503",
      "get /api/batches/{batchId}/archive 200 400 401 403 404 409 410 429 500 503",
      "get /api/batches/{batchId}/table 200 400 401 403 404 409 410 429 500 503",
      "post /api/links 201 400 401 403 404 409 413 415 429 500 503",
      "get /api/links 200 400 401 403 429 500 503",
      "get /api/links/{linkId} 200 400 401 403 404 429 500 503",
      "patch /api/links/{linkId} 200 400 401 403 404 409 413 415 429 500 503",
      "delete /api/links/{linkId} 200 400 401 403 404 429 500 503",
      "post /api/automations 201 400 401 403 404 409 413 415 429 500 503",
      "get /api/automations 200 400 401 403 429 500 503",
      "get /api/automations/{automationId} 200 400 401 403 404 429 500 503",
      "patch /api/automations/{automationId} 200 400 401 403 404 413 415 429 500 503",
      "delete /api/automations/{automationId} 200 400 401 403 404 429 500 503",
      "post /api/automations/{automationId}/runs 202 400 401 403 404 409 429 500 503",
      "get /api/automations/{automationId}/runs 200 400 401 403 404 429 500 503",
      "get /api/brand 200 400 401 403 429 500 503",
      "post /api/brand/uses 200 400 401 403 413 415 429 500 503",
      "put /api/brand 200 400 401 403 409 413 415 429 500 503",
      "get /api/sequences 200 400 401 403 429 500 503",
      "put /api/sequences/{name} 200 400 401 403 409 413 415 429 500 503",
      "get /api/signing-certificate 200 400 401 403 404 429 500 503",
      "put /api/signing-certificate 200 400 401 403 413 415 429 500 503",
      "delete /api/signing-certificate 200 400 401 403 404 429 500 503",
      "get /api/partials 200 400 401 403 429 500 503",
      "post /api/partials 201 400 401 403 409 413 415 429 500 503",
      "get /api/partials/{name} 200 400 401 403 404 429 500 503",
      "patch /api/partials/{name} 200 400 401 403 404 409 413 415 429 500 503",
      "delete /api/partials/{name} 200 400 401 403 404 409 429 500 503",
      "get /api/assets 200 400 401 403 429 500 503",
      "post /api/assets 201 400 401 403 409 413 415 429 500 503",
      "post /api/assets/upload-link 201 400 401 403 413 415 429 500 503",
      "get /api/assets/{assetId} 200 400 401 403 404 429 500 503",
      "patch /api/assets/{assetId} 200 400 401 403 404 413 415 429 500 503",
      "delete /api/assets/{assetId} 200 400 401 403 404 409 429 500 503",
      "post /api/assets/{assetId}/restore 200 400 401 403 404 429 500 503",
      "get /api/folders 200 400 401 403 429 500 503",
      "post /api/folders 201 400 401 403 409 413 415 429 500 503",
      "patch /api/folders/{folderId} 200 400 401 403 404 413 415 429 500 503",
      "delete /api/folders/{folderId} 200 400 401 403 404 409 429 500 503",
      "get /api/usage 200 400 401 403 429 500 503",
      "get /api/documents 200 400 401 403 429 500 503",
      "get /api/documents/{documentId} 200 400 401 403 404 429 500 503",
      "get /api/webhooks 200 400 401 403 429 500 503",
      "post /api/webhooks 201 400 401 403 409 413 415 429 500 503",
      "get /api/webhooks/{webhookId} 200 400 401 403 404 429 500 503",
      "patch /api/webhooks/{webhookId} 200 400 401 403 404 413 415 429 500 503",
      "delete /api/webhooks/{webhookId} 200 400 401 403 404 429 500 503",
      "post /api/webhooks/{webhookId}/rotate-secret 200 400 401 403 404 413 415 429 500 503",
      "post /api/webhooks/{webhookId}/test 200 400 401 403 404 429 500 503",
      "post /api/webhooks/{webhookId}/replay 202 400 401 403 404 409 413 415 429 500 503",
      "get /api/webhooks/{webhookId}/deliveries 200 400 401 403 404 429 500 503",
      "get /api/webhooks/{webhookId}/deliveries/{deliveryId} 200 400 401 403 404 429 500 503",
      "post /api/webhooks/{webhookId}/deliveries/{deliveryId}/replay 202 400 401 403 404 409 429 500 503",
      "get /api/platforms 200 400 401 403 429 500 503",
      "get /api/platforms/{platformId} 200 400 401 403 404 429 500 503",
      "get /api/delivery-methods 200 400 401 403 429 500 503",
      "get /api/delivery-methods/{methodId} 200 400 401 403 404 429 500 503",
      "get /api/esign-providers 200 400 401 403 429 500 503",
      "get /api/esign-providers/{providerId} 200 400 401 403 404 429 500 503",
      "get /api/signatures 200 400 401 403 429 500 503",
      "get /api/signatures/{signatureId} 200 400 401 403 404 429 500 503",
      "post /api/signatures/{signatureId}/cancel 200 400 401 403 404 409 429 500 503",
      "post /api/signatures/{signatureId}/resend 200 400 401 403 404 409 429 500 503",
      "get /api/connections 200 400 401 403 429 500 503",
      "post /api/connections 201 400 401 403 409 413 415 429 500 503",
      "get /api/connections/{connectionId} 200 400 401 403 404 429 500 503",
      "patch /api/connections/{connectionId} 200 400 401 403 404 413 415 429 500 503",
      "delete /api/connections/{connectionId} 200 400 401 403 404 429 500 503",
      "post /api/connections/{connectionId}/test 200 400 401 403 404 429 500 503",
      "get /api/connections/{connectionId}/bases 200 400 401 403 404 429 500 503",
      "get /api/connections/{connectionId}/tables 200 400 401 403 404 429 500 503",
      "get /api/templates 200 400 401 403 429 500 503",
      "get /api/templates/{templateId} 200 400 401 403 404 429 500 503",
      "patch /api/templates/{templateId} 200 400 401 403 404 413 415 429 500 503",
      "post /api/templates 201 400 401 403 404 409 413 415 429 500 503",
      "post /api/templates/{templateId}/validate 200 400 401 403 404 413 415 429 500 503",
      "put /api/templates/{templateId}/definition 200 400 401 403 404 409 413 415 429 500 503",
      "delete /api/templates/{templateId} 200 400 401 403 404 429 500 503",
      "post /api/templates/{templateId}/duplicate 201 400 401 403 404 409 429 500 503",
      "post /api/templates/{templateId}/restore 200 400 401 403 404 429 500 503",
      "get /api/templates/{templateId}/versions 200 400 401 403 404 429 500 503",
      "get /api/templates/{templateId}/{versionId} 200 400 401 403 404 429 500 503",
    ]);
  });

  /** A part of the document, with its references followed. */
  const find = (...path: string[]): Record<string, unknown> => {
    let part: unknown = document;
    for (const name of path) {
      part = Object(part)[name];
      const { $ref }: { $ref?: unknown } = Object(part);
      if (typeof $ref === "string") part = find(...$ref.split("/").slice(1));
    }
    return Object(part);
  };
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [path, method] as const),
    );

  it("describes Retry-After for every 429, and the rate limit headers for every response", () => {
    for (const [path, method] of operations()) {
      const answers = find("paths", path, method, "responses");
      expect(answers).to.include.keys("429");
      for (const status of Object.keys(answers)) {
        const headers = find(
          "paths",
          path,
          method,
          "responses",
          status,
          "headers",
        );
        expect(headers, `${path} ${status}`).to.include.keys(
          "x-request-id",
          "ratelimit-limit",
          "ratelimit-remaining",
          "ratelimit-reset",
        );
        expect(Object(headers["x-request-id"]).required).to.equal(true);
        expect(Object(headers["ratelimit-limit"]).required).to.equal(undefined);
        if (status === "429")
          expect(Object(headers["retry-after"]).required).to.equal(true);
      }
    }
  });

  it("has Idempotency-Key as an optional header wherever its replay is announced", () => {
    const found = operations().filter(([path, method]) => {
      const { parameters = [] } = find("paths", path, method);
      const names = Object.keys(Object(parameters)).map((index) => {
        const one = find("paths", path, method, "parameters", index);
        expect(one["required"] ?? one["in"] === "path").to.equal(
          one["in"] === "path",
        );
        return one["name"];
      });
      const success = Object.keys(
        find("paths", path, method, "responses"),
      ).find((status) => status.startsWith("2"));
      const headers = find(
        "paths",
        path,
        method,
        "responses",
        success ?? "",
        "headers",
      );
      const isIdempotent = names.includes("Idempotency-Key");
      expect("idempotency-replayed" in headers, path).to.equal(isIdempotent);
      expect(Object(headers["idempotency-replayed"] ?? {}).required).to.equal(
        undefined,
      );
      return isIdempotent;
    });
    expect(found.map(([path]) => path)).to.include.members([
      "/api/export",
      "/api/export/batch",
      "/api/export/batch/{platform}",
    ]);
  });

  it("requires of an export only what the service requires", () => {
    const request = find("components", "schemas", "ExportRequest");
    // Either `templateId` or `definition` beside it.
    expect(request["required"]).to.deep.equal(["formats"]);
    expect(JSON.stringify(document)).to.not.include('"default":');
  });

  it("describes definitions by the schema that accepts every blueprint", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "https://platen.example/openapi", ...document });
    const validate = ajv.compile({
      $ref: "https://platen.example/openapi#/components/schemas/Definition",
    });
    for (const { id, definition } of blueprints())
      expect(validate(structuredClone(definition)), id).to.equal(true);
    const wrong = { schema: [], components: [{ type: "text" }] };
    expect(validate(wrong)).to.equal(false);
    for (const owner of ["Template", "TemplateVersion", "TemplateOrder"])
      expect(find("components", "schemas", owner, "properties"))
        .to.have.property("definition")
        .that.deep.equals({ $ref: "#/components/schemas/Definition" });
  });

  it("names a schema for every component, told apart by its type", () => {
    const { discriminator } = find("components", "schemas", "Component");
    const { propertyName, mapping } = Object(discriminator);
    expect(propertyName).to.equal("type");
    expect(Object.keys(mapping)).to.have.members([...COMPONENT_TYPES]);
    for (const [type, ref] of Object.entries(mapping))
      expect(
        find(...String(ref).split("/").slice(1), "properties", "type"),
      ).to.have.property("const", type);
  });

  it("describes every webhook message, told apart by its type", () => {
    const types = [...EVENT_TYPES, "webhook.test"];
    expect(Object.keys(find("webhooks"))).to.have.members(types);
    const { discriminator } = find("components", "schemas", "WebhookEvent");
    for (const type of types) {
      const message = find(
        "webhooks",
        type,
        "post",
        "requestBody",
        "content",
        "application/json",
        "schema",
      );
      const ref: unknown = Object(discriminator).mapping[type];
      expect(find(...String(ref).split("/").slice(1))).to.equal(message);
      expect(message).to.have.nested.property("properties.type.const", type);
    }
  });

  it("contains every endpoint that the documentation names", () => {
    const known = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${toPathShape(path)}`),
    );
    const wrong = namedEndpoints().filter((one) => !known.includes(one));
    // Providers alone call it, without a key.
    expect(wrong).to.deep.equal(["post /api/esign/notices/:"]);
  });

  it("is a page at /docs/api that loads everything from the service", async () => {
    const page = await fetch(`${service.url}/docs/api`);
    const html = await page.text();
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, address = ""]) => address)
      // Links lead to other parts of the service.
      .filter((address) => !/^data:|^\.\/|studio/.test(address));
    expect(addresses).to.include("api/swagger-ui-bundle.js");
    for (const address of addresses) {
      const response = await fetch(new URL(address, page.url));
      expect(response.status, address).to.equal(200);
      expect(new URL(response.url).origin).to.equal(service.url);
      await response.arrayBuffer();
    }
    expect(page.headers.get("content-security-policy")).to.contain(
      "script-src 'self';",
    );
  });
});

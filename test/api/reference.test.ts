import { readdirSync, readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { z } from "zod";
import { COMPONENT_TYPES } from "../../core/definition/schema/component-schema.js";
import { blueprints } from "../../core/templates/blueprints/index.js";
import { EVENT_TYPES } from "../../core/webhooks/index.js";
import { json } from "../support/caller.js";
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

  it("announces a replay exactly where an optional header Idempotency-Key is", () => {
    for (const [path, method] of operations()) {
      const { parameters = [], responses } = find("paths", path, method);
      const places = Object.keys(Object(parameters)).map((index) => {
        const one = find("paths", path, method, "parameters", index);
        const isInPath = one["in"] === "path";
        expect(one["required"] ?? isInPath).to.equal(isInPath);
        return one["name"];
      });
      const [success = ""] = Object.keys(Object(responses));
      const place = ["paths", path, method, "responses", success, "headers"];
      const headers = find(...place);
      const isIdempotent = places.includes("Idempotency-Key");
      expect("idempotency-replayed" in headers, path).to.equal(isIdempotent);
      if (isIdempotent)
        expect(find(...place, "idempotency-replayed")["required"]).to.equal(
          undefined,
        );
    }
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

  it("has the JSON Schema of a definition, which is served without a key", async () => {
    const response = await fetch(`${service.url}/schemas/definition-v1.json`);
    expect(response.headers.get("content-type")).to.contain("application/json");
    const schema = await json(response);
    expect(schema["$id"]).to.equal(response.url);
    expect(schema["$schema"]).to.contain("2020-12");
    expect(schema).to.include.keys("$defs");
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

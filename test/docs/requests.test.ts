import { expect } from "chai";
import { z } from "zod";
import { batchWhen, newBatchCaller } from "../support/batches.js";
import type { TestCaller } from "../support/caller.js";
import { readBlocks } from "../support/doc-blocks.js";
import { OpenApiDocument } from "../support/openapi.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

// Pages for tools that cannot run here show the requests that their steps send, as ```http blocks. Each is compared with the
// OpenAPI document and sent.

const pages = ["connect-make", "connect-zapier", "connect-power-automate"].map(
  (name) => `docs/how-to/${name}.md`,
);

interface PageRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** A block: the method and the address, headers, an empty line, and the body. Values take the place of `{{name}}`. */
function readRequest(
  code: string,
  values: ReadonlyMap<string, string>,
): PageRequest {
  const filled = code.replaceAll(/\{\{(.+?)\}\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`no value for {{${name}}}`);
    return value;
  });
  const [head = "", ...rest] = filled.split("\n\n");
  const [first = "", ...lines] = head.trim().split("\n");
  const [method = "", url = ""] = first.split(" ");
  const headers = lines.map((line) => {
    const [name = "", value = ""] = line.split(/: (.*)/);
    return [name, value] as const;
  });
  const body = rest.join("\n\n").trim();
  return {
    method,
    url,
    headers: Object.fromEntries(headers),
    body: body === "" ? null : body,
  };
}

const rendered = z.object({
  pdf: z.object({ url: z.string(), filename: z.string() }),
});
const accepted = z.object({ batchId: z.string() });
const completed = z.object({
  totalCount: z.number(),
  documents: z.array(
    z.object({
      status: z.literal("succeeded"),
      outputs: z.tuple([z.object({ url: z.string() })]),
    }),
  ),
});

describe("the requests on the pages for other tools", () => {
  const service = useService();
  let caller: TestCaller;
  let api: OpenApiDocument;
  let templateId: string;
  before(async () => {
    api = await OpenApiDocument.of(service);
    caller = await newBatchCaller(service);
    const fields = [
      { name: "number", type: "String", required: true },
      { name: "customer", type: "OneToOneLink", target: "customer" },
    ];
    const customer = [{ name: "name", type: "String" }];
    const definition = {
      schema: [
        { id: "root", fields },
        { id: "customer", fields: customer },
      ],
      components: [{ type: "text", text: "{{ root.number }}" }],
      fileName: "Order {{ root.number }}",
    };
    templateId = await publish(service.store, caller, { definition });
  });

  it("would be refused if the OpenAPI document did not allow them", () => {
    const headers = { "content-type": "application/json" };
    const body = { templateId, formats: ["pdf"] };
    const request = { method: "POST", path: "/api/export", headers, body };
    expect(api.check(request)).to.equal("exportDocument");
    const wrong: [string, Partial<typeof request>][] = [
      ["no operation PUT /api/export", { method: "PUT" }],
      ["unknown query parameter page", { path: "/api/export?page=1" }],
      ["body/formats/0 must be equal", { body: { ...body, formats: ["doc"] } }],
      [
        "body must NOT have additional properties",
        { body: Object.assign({ format: "pdf" }, body) },
      ],
      [
        "header x-key: 1",
        { headers: Object.assign({ "x-key": "1" }, headers) },
      ],
      [
        "Idempotency-Key must match pattern",
        { headers: Object.assign({ "idempotency-key": "a b" }, headers) },
      ],
    ];
    for (const [problem, change] of wrong)
      expect(() => api.check({ ...request, ...change })).to.throw(problem);
  });

  for (const page of pages) {
    const blocks = readBlocks(page).filter(
      ({ language }) => language === "http",
    );
    const values = new Map<string, string>();
    /** What a step receives that sends this request. */
    const send = async ({ method, url, headers, body }: PageRequest) => {
      const { pathname, search } = new URL(url);
      const path = pathname + search;
      const json: unknown = body === null ? undefined : JSON.parse(body);
      if (path.startsWith("/api/"))
        api.check({ method, path, headers, body: json });
      else expect(headers, path).to.eql({});
      const response = await fetch(url, { method, headers, body });
      const type = response.headers.get("content-type") ?? "";
      const content: unknown = type.includes("json")
        ? await response.json()
        : Buffer.from(await response.arrayBuffer());
      expect(response.ok, JSON.stringify(content)).to.equal(true);
      // Power Automate would follow it.
      expect(response.headers.get("location")).to.equal(null);
      return { operation: `${method} ${pathname}`, content };
    };

    it(`are in the OpenAPI document and work one after the other: ${page}`, async () => {
      const filled = {
        key: caller.key,
        number: "2026-117",
        "second number": "2026-118",
        name: "Lovelace",
        day: "2026-07-31",
        items: '[{ "data": { "number": "1" }, "metadata": { "row": 1 } }]',
        webhook: "https://hooks.example.com/1",
      };
      for (const [name, value] of Object.entries(filled))
        values.set(name, value);
      const done: string[] = [];
      for (const { code } of blocks) {
        const own = code
          .replaceAll("https://platen.example.com", service.url)
          .replaceAll("00000000-0000-0000-0000-000000000000", templateId);
        const request = readRequest(own, values);
        const { operation, content } = await send(request);
        done.push(operation);
        if (operation === "POST /api/export") {
          if (Buffer.isBuffer(content))
            expect(content.subarray(0, 5).toString()).to.equal("%PDF-");
          const headers = new Map(Object.entries(request.headers));
          headers.delete("accept");
          headers.set("idempotency-key", "again-without-accept");
          const again = await send({
            ...request,
            headers: Object.fromEntries(headers),
          });
          const { pdf } = rendered.parse(again.content);
          expect(pdf.filename).to.equal("Order 2026-117.pdf");
          values.set("pdf.url", pdf.url);
        } else if (operation === "POST /api/export/batch") {
          const { batchId } = accepted.parse(content);
          values.set("batchId", batchId);
          await batchWhen(caller, batchId);
        } else if (operation.startsWith("GET /api/batches/")) {
          const { totalCount, documents } = completed.parse(content);
          expect(documents).to.have.length(totalCount);
        } else if (operation.startsWith("GET /files/"))
          expect(String(content).slice(0, 5)).to.equal("%PDF-");
      }
      expect(
        done.map((one) => one.replace(/(batches|files)\/.*/, "$1")),
      ).to.eql([
        "POST /api/export",
        "GET /files",
        "POST /api/export/batch",
        "POST /api/webhooks",
        "GET /api/batches",
      ]);
    });
  }
});

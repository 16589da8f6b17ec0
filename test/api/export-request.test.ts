import { createHash } from "node:crypto";
import { expect } from "chai";
import { useApi } from "../support/api.js";
import { readError, replies } from "../support/caller.js";
import { definition } from "../support/store.js";
import { FILE_STORE } from "../../core/lib/process-values.js";

describe("an export request", () => {
  const api = useApi();

  it("merges a hundred thousand rows, and then another request", async () => {
    const row = {
      type: "table-row",
      collection: { collectionId: "line", path: "root.lines" },
      components: [{ type: "table-cell", text: "{{ line.n }}" }],
    };
    const components = [{ type: "table", components: [row] }];
    const templateId = await api.caller.publish({
      definition: { ...definition, components },
    });
    const lines = Array.from({ length: 100_000 }, (_, n) => ({ n }));
    expect(await api.html({ templateId, data: { lines } })).to.contain("99999");
    expect(await api.html({ data: { name: "Ada" } })).to.contain("Ada");
  });
});

const getContentType = (response: Response) =>
  response.headers.get("content-type");

describe("POST /api/export with an Accept header", () => {
  const api = useApi({ template: { name: "Räkning № 7" } });
  const send = (accept: string, body: object = {}, headers: object = {}) =>
    api.caller.post(
      "/api/export",
      { templateId: api.templateId, formats: ["pdf"], ...body },
      { accept, ...headers },
    );

  it("returns the PDF itself for application/pdf", async () => {
    const response = await send("application/pdf");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status).to.equal(200);
    expect(getContentType(response)).to.equal("application/pdf");
    expect(bytes.subarray(0, 5).toString()).to.equal("%PDF-");
    expect(bytes.subarray(-6).toString()).to.contain("%%EOF");
    const { headers } = response;
    expect(headers.get("content-length")).to.equal(String(bytes.length));
    expect(headers.get("content-disposition")).to.match(
      /^attachment; filename="R.*7\.pdf"; filename\*=UTF-8''R%C3%A4kning%20%E2%84%96%207\.pdf$/,
    );
    expect(headers.get("x-render-warnings")).to.match(/^\d+$/);
    expect(headers.get("server-timing")).to.contain("print;dur=");
    const id = headers.get("x-document-id") ?? "";
    const document = await replies.document(
      await api.caller.get(`/api/documents/${id}`),
    );
    const hash = createHash("sha256").update(bytes).digest("hex");
    expect(document.outputs[0]?.checksum).to.equal(`sha256:${hash}`);
  });

  for (const [type, accept] of [
    ["pdf", "application/pdf, application/json;q=0.9"],
    ["pdf", "application/json;q=0.5, application/pdf;q=0.6, */*;q=0.1"],
    ["pdf", "APPLICATION/PDF"],
    ["pdf", "application/pdf, */*;q=0.8"],
    ["json", "*/*"],
    ["json", "application/*"],
    ["json", "application/json, text/plain, */*"],
    ["json", "application/pdf;q=0.5, application/json"],
    ["json", "application/pdf;q=0, */*"],
    ["json", "text/html"],
  ] as const)
    it(`returns ${type} for ${accept}`, async () => {
      expect(getContentType(await send(accept))).to.match(
        new RegExp(`^application/${type}\\b`),
      );
    });

  it("returns the same PDF, or its JSON, for the same Idempotency-Key", async () => {
    const key = { "idempotency-key": "pdf" };
    const first = await send("application/pdf", {}, key);
    const second = await send("application/pdf", {}, key);
    expect(second.status).to.equal(200);
    expect(second.headers.get("idempotency-replayed")).to.equal("true");
    for (const name of [
      "content-type",
      "content-length",
      "content-disposition",
      "x-document-id",
      "x-render-warnings",
    ])
      expect(second.headers.get(name), name).to.equal(first.headers.get(name));
    expect(Buffer.from(await second.arrayBuffer())).to.deep.equal(
      Buffer.from(await first.arrayBuffer()),
    );
    const inJson = await replies.exported(await send("*/*", {}, key));
    expect(inJson.pdf?.sizeBytes).to.equal(
      Number(first.headers.get("content-length")),
    );
  });

  it("returns 410 when the file of a repeated request was deleted", async () => {
    const key = { "idempotency-key": "deleted" };
    const first = await send("application/pdf", {}, key);
    await first.arrayBuffer();
    const id = first.headers.get("x-document-id") ?? "";
    const { outputs } = await replies.document(
      await api.caller.get(`/api/documents/${id}`),
    );
    await api.service.container
      .resolve(FILE_STORE)
      .delete(outputs[0]?.storageKey ?? "");
    const second = await send("application/pdf", {}, key);
    expect(second.status).to.equal(410);
    expect(getContentType(second)).to.contain("application/json");
    expect(second.headers.get("content-disposition")).to.equal(null);
    expect(await readError(second)).to.contain("deleted");
  });
});

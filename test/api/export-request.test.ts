import { createHash } from "node:crypto";
import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import * as tokens from "../../core/app/tokens.js";
import { useApi } from "../support/api.js";
import { useFixedTime } from "../support/clock.js";
import {
  json,
  newCaller,
  readError,
  refusal,
  replies,
} from "../support/caller.js";
import { definition } from "../support/store.js";

const missingId = "01a1fe23-1721-7614-9a56-8080331f0d9e";

describe("an export request", () => {
  const api = useApi();

  for (const [body, named] of [
    [{ templateId: undefined }, "$.templateId: is required"],
    [{ templateId: 5 }, "$.templateId"],
    [{ formats: undefined }, "$.formats: is required"],
    [{ formats: [] }, "$.formats"],
    [{ formats: "pdf" }, "$.formats"],
    [{ formats: ["pdf", "docx"] }, "$.formats[1]"],
    [{ formats: ["html", "html"] }, "each format once"],
    [{ formats: [null] }, "$.formats[0]"],
    [{ templateVersion: "1" }, "$.templateVersion"],
    [{ templateVersion: 1.5 }, "must be a whole number, not 1.5"],
    [{ templateVersion: 1e300 }, "$.templateVersion: must be at most 9"],
    [{ templateVersion: 0 }, "$.templateVersion"],
    [{ data: [] }, "$.data: must be an object"],
    [{ data: null }, "$.data: must be an object"],
    [{ data: "x" }, "$.data: must be an object"],
    [{ expiresAt: 1785600000 }, "$.expiresAt"],
    [{ expiresAt: "soon" }, "$.expiresAt"],
    [{ expiresAt: "2020-01-01" }, "in the past"],
    [{ imageType: "jpeg" }, "$.imageType"],
    [{ isTest: "true" }, "$.isTest"],
    [{ strict: 1 }, "$.strict"],
    [{ renderOptions: { scale: 9 } }, "$.renderOptions.scale"],
    [{ renderOptions: { pages: "x" } }, "$.renderOptions.pages"],
    [{ renderOptions: { colour: 1 } }, "$.renderOptions.colour"],
    [
      { sendForSignature: true },
      "has no connection to an e-signature provider",
    ],
    [{ sendForSignature: true, isTest: true }, "isTest"],
    [
      {
        sendForSignature: true,
        renderOptions: { pdf: { password: { user: "x" } } },
      },
      "$.renderOptions.pdf.password",
    ],
    [
      {
        sendForSignature: true,
        renderOptions: { pdf: { sign: true } },
      },
      "$.renderOptions.pdf.sign",
    ],
    [{ sendForSignature: "yes" }, "$.sendForSignature"],
    [
      { esignSettings: { submitters: [{ email: "a@b.example" }] } },
      "submitters[0].role",
    ],
    [
      {
        esignSettings: {
          submitters: [{ role: "a", email: "a@b.example", values: [] }],
        },
      },
      "values: must be an object, not an array",
    ],
    [
      { esignSettings: { submitters: [{ role: "a", email: "b" }] } },
      "submitters[0].email",
    ],
    [{ templateID: "a" }, "Did you mean templateId?"],
  ] as [object, string][])
    it(`is rejected without a document: ${JSON.stringify(body)}`, async () => {
      const response = await api.send(body);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain(named);
      expect(response.headers.get("x-document-id")).to.equal(null);
    });

  it("returns every problem at once, and leaves no document", async () => {
    const caller = await newCaller(api.service);
    const body = { formats: ["a"], isTest: 1, b: 2 };
    const error = await refusal(caller.post("/api/export", body));
    for (const path of ["$.templateId", "$.formats[0]", "$.isTest", "$.b"])
      expect(error).to.contain(path);
    const list = await replies.documents(await caller.get("/api/documents"));
    expect(list.pagination.total).to.equal(0);
  });

  for (const [data, name] of [
    ['{ "__proto__": { "name": "Eve" } }', "__proto__"],
    ['{ "a": [{ "b": { "constructor": 1 } }] }', "constructor"],
    ['{ "prototype": {} }', "prototype"],
  ] as const)
    it(`is rejected with its path when the data contains the name ${name}`, async () => {
      const response = fetch(`${api.service.url}/api/export`, {
        method: "POST",
        headers: {
          "x-api-key": api.caller.key,
          "content-type": "application/json",
        },
        body: `{ "templateId": "${api.templateId}", "formats": ["html"], "data": ${data} }`,
      });
      expect(await refusal(response))
        .to.match(/^400 /)
        .and.contain(name);
      expect(({} as Record<string, unknown>)["name"]).to.equal(undefined);
    });

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

  it("without data renders an empty record", async () => {
    const { result, headers } = await api.render();
    expect(result.html?.htmlDocument).to.contain("Hello ");
    expect(headers.get("x-render-warnings")).to.equal("1");
  });

  describe("names a template, which", () => {
    let templateId: string;
    let path: string;
    beforeEach(async () => {
      templateId = await api.caller.publish();
      path = `/api/templates/${templateId}`;
    });

    it("is rendered as its live definition or as the version with a number", async () => {
      const components = [{ type: "text", text: "Changed" }];
      const changed = { definition: { ...definition, components } };
      await json(api.caller.put(`${path}/definition`, changed));
      const body = { templateId, data: { name: "Ada" } };
      expect(await api.html(body)).to.contain("Changed");
      const first = { ...body, templateVersion: 1 };
      expect(await api.html(first)).to.contain("Hello Ada");
    });

    it("must exist, in the caller's organization", async () => {
      const stranger = await newCaller(api.service);
      for (const [body, by, error] of [
        [{ templateId, templateVersion: 2 }, api.caller, "version 2"],
        [{ templateId: "none" }, api.caller, "no such template"],
        [{ templateId: missingId }, api.caller, "no such template"],
        [{ templateId }, stranger, "no such template"],
      ] as const)
        expect(await api.refused(body, by))
          .to.match(/^404 /)
          .and.contain(error);
    });

    it("must be active and not in the trash", async () => {
      await json(api.caller.patch(path, { isActive: false }));
      for (const version of [{}, { templateVersion: 1 }])
        expect(await api.refused({ templateId, ...version })).to.match(
          /^400 .*not active/,
        );
      await json(api.caller.patch(path, { isActive: true }));
      await json(api.caller.delete(path));
      expect(await api.refused({ templateId })).to.match(/^400 .*in the trash/);
    });
  });

  it("has files that expire 24 hours later, or at the exact time or the end of the day of expiresAt", async () => {
    const { document } = await api.render();
    const { createdAt, expiresAt } = document;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.equal(86_400_000);
    for (const [given, expected] of [
      ["2035-05-06T07:08:09.010+02:00", "2035-05-06T05:08:09.010Z"],
      ["2035-05-06", "2035-05-06T23:59:59.999Z"],
    ])
      expect((await api.render({ expiresAt: given })).document).to.include({
        expiresAt: expected,
      });
  });

  const getUsage = (query = "") => api.caller.get(`/api/usage${query}`);

  const count = async () =>
    (await json<{ documents: number }>(getUsage())).documents;

  describe("is counted by GET /api/usage", () => {
    const time = useFixedTime();
    it("once, whatever its formats, and neither as a test nor when it fails", async () => {
      const earlier = await count();
      expect((await api.send({ strict: true })).status).to.equal(400);
      const test = await api.render({ isTest: true });
      expect(test.document.status).to.equal("succeeded");
      expect(test.result.html?.htmlDocument).to.match(/TEST/i);
      expect(await count()).to.equal(earlier);
      const formats = ["html", "mjml"];
      const all = await Promise.all([1, 2, 3].map(() => api.html({ formats })));
      expect(all.join()).not.to.match(/TEST/);
      expect(await count()).to.equal(earlier + 3);
    });

    it("with exactly these fields, by month", async () => {
      expect(await json(getUsage())).to.have.all.keys(
        "organizationId",
        "plan",
        "month",
        "documents",
      );
      const month = new Date(time.now()).toISOString().slice(0, 7);
      expect(await json(getUsage())).to.include({ month });
      expect(await json(getUsage("?month=2020-02"))).to.include({
        month: "2020-02",
        documents: 0,
      });
      expect(await refusal(getUsage("?month=2020-13"))).to.match(
        /^400 .*a month such as/,
      );
    });
  });
});

const getContentType = (response: Response) =>
  response.headers.get("content-type");

describe("POST /api/export with an Accept header", () => {
  const api = useApi({ template: { name: "Räkning № 7" } });
  const send = (
    accept: string,
    body: object = {},
    headers: Record<string, string> = {},
  ) =>
    fetch(`${api.service.url}/api/export`, {
      method: "POST",
      headers: {
        "x-api-key": api.caller.key,
        "content-type": "application/json",
        accept,
        ...headers,
      },
      body: JSON.stringify({
        templateId: api.templateId,
        formats: ["pdf"],
        ...body,
      }),
    });

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

  for (const accept of [
    "application/pdf, application/json;q=0.9",
    "application/json;q=0.5, application/pdf;q=0.6, */*;q=0.1",
    "APPLICATION/PDF",
    "application/pdf, */*;q=0.8",
  ])
    it(`returns the PDF for ${accept}`, async () => {
      expect(getContentType(await send(accept))).to.equal("application/pdf");
    });

  for (const accept of [
    "*/*",
    "application/json",
    "application/*",
    "application/json, text/plain, */*",
    "application/pdf;q=0.5, application/json",
    "application/pdf;q=0, */*",
    "text/html",
  ])
    it(`returns JSON for ${accept}`, async () => {
      const response = await send(accept);
      expect(getContentType(response)).to.contain("application/json");
      expect((await replies.exported(response)).pdf?.url).to.contain("/files/");
    });

  for (const formats of [["html"], ["pdf", "html"], ["image"]])
    it(`rejects application/pdf for the formats ${formats.join(" and ")}`, async () => {
      const response = await send("application/pdf", { formats });
      expect(response.status).to.equal(400);
      expect(getContentType(response)).to.contain("application/json");
      expect(response.headers.get("x-document-id")).to.equal(null);
      expect(await readError(response)).to.contain('formats ["pdf"]');
    });

  it("returns errors as JSON", async () => {
    for (const [body, status] of [
      [{ templateId: "none" }, 404],
      [{ data: { prototype: 1 } }, 400],
      [{ strict: true }, 400],
      [{ formats: [] }, 400],
    ] as const) {
      const response = await send("application/pdf", body);
      expect(response.status).to.equal(status);
      expect(getContentType(response)).to.contain("application/json");
      expect(response.headers.get("content-disposition")).to.equal(null);
      expect(await readError(response)).to.not.equal("");
    }
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
      .resolve(tokens.FILE_STORE)
      .delete(outputs[0]?.storageKey ?? "");
    const second = await send("application/pdf", {}, key);
    expect(second.status).to.equal(410);
    expect(getContentType(second)).to.contain("application/json");
    expect(second.headers.get("content-disposition")).to.equal(null);
    expect(await readError(second)).to.contain("deleted");
  });
});

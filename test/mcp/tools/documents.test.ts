import { once } from "node:events";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { RENDERER } from "../../../core/app/tokens.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { newCaller, json } from "../../support/caller.js";
import { useFixedTime } from "../../support/clock.js";
import { eventually } from "../../support/eventually.js";
import { lazyRenderer } from "../../support/renderer.js";
import { exported, useService } from "../../support/service.js";
import { definition } from "../../support/store.js";
import {
  useTools,
  getToolResult,
  toolClient,
} from "../../support/tool-client.js";

describe("tools for documents", () => {
  const { answer, rejection, caller } = useTools();
  const ids: string[] = [];
  before(async () => {
    const templateId = await caller().publish();
    for (const name of ["A", "B", "C"]) {
      const body = { templateId, formats: ["html"], data: { name } };
      const { document } = await exported(caller(), body);
      ids.unshift(document.id);
    }
  });
  const listed = async (args: object) => {
    const { data, pagination } = await answer("list_documents", { ...args });
    const found = JSON.stringify(data).matchAll(/"id":"(doc_[^"]+)"/g);
    return { ids: Array.from(found, ([, id]) => id), pagination };
  };

  it("list the newest first, starting at any position", async () => {
    expect((await listed({})).ids).to.deep.equal(ids);
    const slice = { limit: 2, offset: 1 };
    expect(await listed(slice)).to.deep.equal({
      ids: ids.slice(1),
      pagination: { ...slice, total: 3 },
    });
    expect((await listed({ offset: 3 })).ids).to.deep.equal([]);
  });

  it("reject an invalid limit or offset", async () => {
    for (const args of [{ limit: 0 }, { limit: 101 }, { offset: -1 }])
      expect(
        (await rejection("list_documents", args)).problems,
      ).to.have.lengthOf(1);
  });

  it("read the same document as REST", async () => {
    const [documentId] = ids;
    const rest = await caller().get(`/api/documents/${documentId}`);
    expect(await answer("get_document", { documentId })).to.deep.equal(
      await rest.json(),
    );
    const { code } = await rejection("get_document", { documentId: "doc_1" });
    expect(code).to.equal("not_found");
  });
});

/** Of a png, in pixels. */
function getWidth(base64: string): number {
  return Buffer.from(base64, "base64").readUInt32BE(16);
}

describe("render_document", () => {
  // No month may end within a test.
  useFixedTime();
  const { call, answer, rejection, caller, client } = useTools();
  let templateId: string;
  before(async () => {
    templateId = await caller().publish({
      definition: {
        ...definition,
        components: [
          ...definition.components,
          { type: "page-break" },
          { type: "text", text: "Second" },
        ],
      },
    });
  });
  const data = { name: "Ada" };
  const used = async () =>
    Number((await json(caller().get("/api/usage")))["documents"]);
  const shown = async (preview?: string) => {
    const args = { templateId, formats: ["html"], data, isTest: true };
    const asked = preview === undefined ? args : { ...args, preview };
    const { content } = await call("render_document", asked);
    return content.flatMap((block) =>
      block.type === "image" ? [getWidth(block.data)] : [],
    );
  };

  it("returns links in every format and counts like REST", async () => {
    const count = await used();
    const formats = ["pdf", "html", "image", "mjml"];
    const args = { templateId, formats, data, imageType: "jpg" };
    const result = await call("render_document", args);
    const fields = getToolResult(result);
    for (const [format, mimeType] of [
      ["pdf", "application/pdf"],
      ["html", "text/html"],
      ["image", "image/jpeg"],
      ["mjml", "text/mjml"],
    ] as const)
      expect(fields[format]).to.include({ mimeType });
    const links = result.content.flatMap((block) =>
      block.type === "resource_link" ? [block.uri] : [],
    );
    expect(links).to.have.lengthOf(5);
    for (const url of links.filter((link) => link.startsWith("http")))
      expect((await fetch(url)).status).to.equal(200);
    expect(fields["html"]).to.have.property("htmlDocument").contains("Ada");
    const row = await caller().get(
      `/api/documents/${String(fields["documentId"])}`,
    );
    expect(await row.json()).to.include({ status: "succeeded", templateId });
    expect(await used()).to.equal(count + 1);
    await answer("render_document", { ...args, isTest: true });
    expect(await used()).to.equal(count + 1);
  });

  it("makes a PDF that conforms to a standard", async () => {
    const args = { templateId, formats: ["pdf"], data, isTest: true };
    const { content } = await call("render_document", {
      ...args,
      conformance: ["pdf/a-2u"],
    });
    const link = content.find(
      (block) => block.type === "resource_link" && block.uri.startsWith("http"),
    );
    const url = link?.type === "resource_link" ? link.uri : "";
    const bytes = await (await fetch(url)).text();
    expect(bytes).to.include("<pdfaid:part>2</pdfaid:part>");
  });

  it("shows the first page, all pages or none", async () => {
    const [width, ...more] = await shown();
    expect(width).to.be.within(980, 1020);
    expect(more).to.deep.equal([]);
    expect(await shown("all")).to.have.lengthOf(2);
    expect(await shown("none")).to.deep.equal([]);
  });

  it("reports warnings", async () => {
    const args = { templateId, formats: ["html"], preview: "none" };
    const { warnings, report } = await answer("render_document", args);
    expect(warnings).to.equal(1);
    expect(JSON.stringify(report)).to.contain("root.name");
  });

  it("reports its progress to clients that ask for it", async () => {
    const messages: (string | undefined)[] = [];
    const params = {
      name: "render_document",
      arguments: { templateId, formats: ["pdf"], data, isTest: true },
    };
    await client().callTool(params, {
      onprogress: ({ message }) => messages.push(message),
    });
    expect(messages).to.include.members(["merge", "print", "preview"]);
  });

  it("rejects what REST rejects", async () => {
    for (const [args, words] of [
      [{ formats: [] }, /formats/],
      [{ formats: ["docx"] }, /pdf.*image.*docx/],
      [{ formats: ["pdf", "pdf"] }, /only once|each format once/],
      [{ formats: ["pdf"], data: [] }, /data/],
      [
        { formats: ["pdf"], conformance: ["pdf/a-2u", "pdf/a-3u"] },
        /at most one archival standard/,
      ],
      [{ formats: ["pdf"], sendForSignature: true, isTest: true }, /isTest/],
      [{ formats: ["pdf"], templateVersion: 9 }, /no version 9/],
    ] as const) {
      const { error, problems } = await rejection("render_document", {
        templateId,
        ...args,
      });
      expect(error + JSON.stringify(problems)).to.match(words);
    }
  });
});

describe("validate_data", () => {
  const { answer, rejection, caller } = useTools();
  let templateId: string;
  before(async () => {
    const fields = [{ name: "v", type: "Number", required: true }];
    templateId = await caller().publish({
      definition: { ...definition, schema: [{ id: "root", fields }] },
    });
  });

  it("accepts valid data", async () => {
    expect(
      await answer("validate_data", { templateId, data: { v: 1 } }),
    ).to.deep.equal({ valid: true, problems: [] });
  });

  it("returns all problems of all items, each with its path", async () => {
    const items = [{ data: { v: "12,50" } }, { data: { v: 1 } }, {}];
    const { valid, problems } = await answer("validate_data", {
      templateId,
      items,
    });
    expect(valid).to.equal(false);
    expect(JSON.stringify(problems))
      .to.include('"$.items[0].data.v"')
      .and.include('"$.items[2].data.v"')
      .and.include("expected");
  });

  it("reports unknown fields on request", async () => {
    const args = { templateId, data: { v: 1, w: 2 }, unknownFields: "error" };
    expect(await answer("validate_data", args)).to.include({ valid: false });
  });

  it("lists the first problems of many and counts the others", async () => {
    const items = Array.from({ length: 80 }, () => ({ data: { v: "x" } }));
    const { problems, furtherProblems } = await answer("validate_data", {
      templateId,
      items,
    });
    expect(problems).to.have.lengthOf(50);
    expect(furtherProblems).to.equal(30);
  });

  it("reads data that a client sends as a string of JSON, and null as left out", async () => {
    const data = JSON.stringify({ v: "x" });
    const one = await answer("validate_data", { templateId, data });
    expect(JSON.stringify(one["problems"])).to.include('"$.data.v"');
    const items = [{ data: { v: 1 } }];
    const several = { templateId, data: null, items };
    expect(await answer("validate_data", several)).to.include({ valid: true });
    const list = await rejection("validate_data", { templateId, data: [1] });
    expect(list.problems[0]?.path).to.equal("data");
  });

  it("refuses a call without exactly one of data and items", async () => {
    const { error } = await rejection("validate_data", { templateId });
    expect(error).to.include("Invalid request");
  });
});

describe("render_document of invalid data", () => {
  const { answer, rejection, caller } = useTools();
  let args: object;
  before(async () => {
    const fields = [{ name: "name", type: "Number" }];
    const templateId = await caller().publish({
      definition: { ...definition, schema: [{ id: "root", fields }] },
    });
    args = { templateId, formats: ["html"], preview: "none" };
  });

  it("lists it in the report", async () => {
    const { report } = await answer("render_document", {
      ...args,
      data: { name: "Ada" },
    });
    expect(JSON.stringify(report)).to.include('"$.data.name"');
  });

  it("refuses it with strict, and undeclared fields with unknownFields: error", async () => {
    const strict = { ...args, data: { name: "Ada" }, strict: true };
    expect(
      JSON.stringify(await rejection("render_document", strict)),
    ).to.include("data.name");
    const data = { name: 1, age: 36 };
    const unknown = { ...args, data, unknownFields: "error" };
    expect(
      JSON.stringify(await rejection("render_document", unknown)),
    ).to.include("data.age");
  });
});

/** Prints what nobody waits for any more, and nothing before. */
const late: typeof lazyRenderer = {
  ...lazyRenderer,
  pdf: async (job) => {
    const { signal } = job.deadline;
    if (!signal.aborted) await once(signal, "abort");
    return lazyRenderer.pdf(job);
  },
};

describe("a render whose client disconnects", () => {
  const service = useService({
    replace: (container) => container.register(RENDERER, { useValue: late }),
  });

  it("stops and leaves a failed document with the reason", async () => {
    const caller = await newCaller(service);
    const templateId = await caller.publish();
    const client = await toolClient(service, caller);
    const params = {
      name: "render_document",
      arguments: { templateId, formats: ["pdf"] },
    };
    const onprogress = ({ message }: { message?: string | undefined }) => {
      if (message === "print") void client.close();
    };
    await client.callTool(params, { onprogress }).catch(() => null);
    const isStopped = await eventually(async () => {
      const list = await (await caller.get("/api/documents")).text();
      return /"failed".*went away/.test(list);
    });
    expect(isStopped).to.equal(true);
  });
});

const broken = {
  ...lazyRenderer,
  pdf: () =>
    Promise.reject(new PlatenError("unavailable", "There is no browser.")),
};

describe("a picture that cannot be rendered", () => {
  const service = useService({
    replace: (container) => container.register(RENDERER, { useValue: broken }),
  });

  it("does not fail the document or the check of a definition", async () => {
    const caller = await newCaller(service);
    const templateId = await caller.publish();
    const client = await toolClient(service, caller);
    const calls = {
      render_document: { templateId, formats: ["html"], data: { name: "A" } },
      create_template: { name: "Dry", definition, dryRun: true },
    };
    for (const [name, args] of Object.entries(calls)) {
      const result = await client.callTool({ name, arguments: args });
      expect(getToolResult(result)["previewProblem"]).to.match(/no browser/);
      const types = result.content.map(({ type }) => type);
      expect(types).to.include("text").and.not.include("image");
    }
  });
});

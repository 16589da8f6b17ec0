import { once } from "node:events";
import { expect } from "chai";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { RENDERER } from "../../../core/rendering/index.js";
import { newCaller, json } from "../../support/caller.js";
import { useFixedTime } from "../../support/clock.js";
import { eventually } from "../../support/eventually.js";
import { lazyRenderer } from "../../support/renderer.js";
import { useService } from "../../support/service.js";
import { definition } from "../../support/store.js";
import {
  useTools,
  getToolResult,
  toolClient,
} from "../../support/tool-client.js";

/** Of a png, in pixels. */
function getWidth(base64: string): number {
  return Buffer.from(base64, "base64").readUInt32BE(16);
}

describe("render_document", () => {
  // No month may end within a test.
  useFixedTime();
  const { call, answer, caller, client } = useTools();
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

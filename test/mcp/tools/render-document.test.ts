import { expect } from "chai";
import { before, describe, it } from "mocha";
import { Usage } from "../../../core/accounts/index.js";
import { definition, publish } from "../../support/store.js";
import { getToolResult, useTools } from "../../support/tool-client.js";

/** Of a png, in pixels. */
function getWidth(base64: string): number {
  return Buffer.from(base64, "base64").readUInt32BE(16);
}

describe("render_document", () => {
  const { call, answer, rejection, service, caller, client } = useTools();
  let templateId: string;
  before(async () => {
    templateId = await publish(service.store, caller(), {
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
  const used = async () => {
    const month = new Date().toISOString().slice(0, 7);
    const { organizationId } = caller();
    return new Usage(service.store).getMonth(organizationId, month);
  };

  const shown = async (preview?: string) => {
    const args = { templateId, formats: ["html"], data, isTest: true };
    const asked = preview === undefined ? args : { ...args, preview };
    const { content } = await call("render_document", asked);
    return content.flatMap((block) =>
      block.type === "image" ? [getWidth(block.data)] : [],
    );
  };

  it("returns links in every format and counts like REST", async () => {
    const { documents } = await used();
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
    expect((await used()).documents).to.equal(documents + 1);
    await answer("render_document", { ...args, isTest: true });
    expect((await used()).documents).to.equal(documents + 1);
  });

  it("makes a PDF that conforms to a standard", async () => {
    const args = { templateId, formats: ["pdf"], data, isTest: true };
    const { pdf } = getToolResult(
      await call("render_document", { ...args, conformance: ["pdf/a-2u"] }),
    ) as { pdf: { url: string } };
    const bytes = await (await fetch(pdf.url)).text();
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

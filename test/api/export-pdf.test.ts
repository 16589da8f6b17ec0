import { createHash } from "node:crypto";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

async function fetchBytes(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

describe("the formats pdf and image", () => {
  const service = useService();
  let caller: TestCaller;
  const render = async (body: object, changes: object = {}) => {
    const templateId = await publish(service.store, caller, {
      name: "Letter: to A/B",
      definition: { ...definition, ...changes },
    });
    return exported(caller, { templateId, data: { name: "Ada" }, ...body });
  };
  const pages = [
    { type: "text", text: "One" },
    { type: "page-break" },
    { type: "text", text: "Two" },
    { type: "page-break" },
    { type: "text", text: "Three" },
  ];

  before(async () => {
    caller = await newCaller(service);
  });

  it("return a link, size, checksum, file name and key in the requested order", async () => {
    const { result, document } = await render({
      formats: ["image", "pdf", "html"],
    });
    expect(Object.keys(result)).to.have.members(["pdf", "html", "image"]);
    expect(document.outputs.map(({ label }) => label)).to.deep.equal([
      "image",
      "pdf",
      "html",
    ]);
    expect(document.status).to.equal("succeeded");
    const bytes = await fetchBytes(result.pdf?.url ?? "");
    expect(bytes.subarray(0, 5).toString()).to.equal("%PDF-");
    expect(result.pdf).to.include({
      sizeBytes: bytes.length,
      mimeType: "application/pdf",
      checksum: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
      filename: "Letter- to A-B.pdf",
    });
    expect(result.pdf).to.include({
      storageKey: document.outputs[1]?.storageKey,
    });
    expect(result.image).to.include({
      mimeType: "image/png",
      filename: "Letter- to A-B.png",
    });
    expect(result.image).not.to.have.property("pages");
  });

  it("are named by the template's fileName with the record's data", async () => {
    const { result } = await render(
      { formats: ["pdf"] },
      { fileName: "For {{ root.name }} № 1" },
    );
    expect(result.pdf?.filename).to.equal("For Ada № 1.pdf");
    const response = await fetch(result.pdf?.url ?? "");
    expect(response.headers.get("content-disposition")).to.contain(
      "filename*=UTF-8''For%20Ada%20%E2%84%96%201.pdf",
    );
  });

  it("show the first page or the requested pages as images, each with its own link", async () => {
    const first = await render(
      { formats: ["image"], imageType: "jpg" },
      { components: pages },
    );
    expect(first.result.image).to.include({
      mimeType: "image/jpeg",
      filename: "Letter- to A-B.jpg",
    });
    expect(first.document.outputs).to.have.length(1);
    const two = await render(
      { formats: ["image"], renderOptions: { pages: "2-3" } },
      { components: pages },
    );
    const images = two.result.image?.pages ?? [];
    expect(images.map(({ page, filename }) => [page, filename])).to.deep.equal([
      [2, "Letter- to A-B-2.png"],
      [3, "Letter- to A-B-3.png"],
    ]);
    expect(two.result.image?.url).to.equal(images[0]?.url);
    expect(two.document.outputs.map(({ label }) => label)).to.deep.equal([
      "image",
      "image-3",
    ]);
    const drawn = await Promise.all(images.map(({ url }) => fetchBytes(url)));
    expect(drawn[0]?.subarray(1, 4).toString()).to.equal("PNG");
    expect(drawn[0]?.equals(drawn[1] ?? Buffer.alloc(0))).to.equal(false);
  });

  it("report their phases in Server-Timing", async () => {
    const { headers } = await render({ formats: ["pdf"] });
    for (const phase of [
      "load",
      "compile",
      "merge",
      "queue",
      "print",
      "store",
      "record",
    ])
      expect(headers.get("server-timing")).to.match(
        new RegExp(`${phase};dur=\\d`),
      );
  });
});

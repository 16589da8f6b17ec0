import { deflateRawSync } from "node:zlib";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { DocumentText } from "../../core/storage/database/index.js";
import { newCaller, replies, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

async function read(url: string): Promise<string> {
  return (await fetch(url)).text();
}

describe("the answer with a document", () => {
  const service = useService();
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
  });

  /** @returns the answer's html, and where it is stored */
  const write = async (text: string) => {
    const definition = {
      schema: [{ id: "root", fields: [{ name: "text", type: "String" }] }],
      components: [{ type: "text", text: "{{ root.text }}" }],
    };
    const templateId = await publish(service.store, caller, { definition });
    const response = await caller.post("/api/export", {
      templateId,
      formats: ["html"],
      data: { text },
    });
    expect(response.headers.get("content-type")).to.match(/^application\/json/);
    const id = response.headers.get("x-document-id") ?? "";
    const { html } = await replies.exported(response);
    const { outputs } = await replies.document(
      await caller.get(`/api/documents/${id}`),
    );
    return { id, html: html?.htmlDocument ?? "", url: outputs[0]?.url ?? "" };
  };

  for (const [size, times] of [
    ["few characters", 1],
    ["thousands of characters", 1000],
    ["several megabytes", 300_000],
  ] as const)
    it(`of ${size} contains it whole, in the stored file too`, async () => {
      // Characters of two code units, at odd places, and those that JSON escapes.
      const text = `x${'🦊"\\ \u2028é'.repeat(times)}`;
      const { html, url } = await write(text);
      const written = text.replaceAll('"', "&quot;");
      expect(html.includes(written)).to.equal(true);
      expect((await read(url)) === html).to.equal(true);
    });

  it("is one whose stored file can be read if an earlier version compressed it with deflate", async () => {
    const { id, html, url } = await write("Ada");
    await service.store.unitOfWork.run((tx) =>
      tx.update(
        DocumentText,
        { documentId: id },
        { content: deflateRawSync(html, { level: 1 }) },
      ),
    );
    expect(await read(url)).to.equal(html);
  });
});

import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, replies, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("the answer with a document of several megabytes", () => {
  const service = useService();
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
  });

  it("contains it whole, in the stored file too", async () => {
    const definition = {
      schema: [{ id: "root", fields: [{ name: "text", type: "String" }] }],
      components: [{ type: "text", text: "{{ root.text }}" }],
    };
    const templateId = await publish(service.store, caller, { definition });
    // Characters of two code units, at odd places, and those that JSON escapes.
    const text = `x${'🦊"\\ \u2028é'.repeat(300_000)}`;
    const response = await caller.post("/api/export", {
      templateId,
      formats: ["html"],
      data: { text },
    });
    expect(response.headers.get("content-type")).to.match(/^application\/json/);
    const id = response.headers.get("x-document-id") ?? "";
    const { html } = await replies.exported(response);
    const written = text.replaceAll('"', "&quot;");
    expect(html?.htmlDocument.includes(written)).to.equal(true);
    const { outputs } = await replies.document(
      await caller.get(`/api/documents/${id}`),
    );
    const file = await fetch(outputs[0]?.url ?? "");
    expect((await file.text()) === html?.htmlDocument).to.equal(true);
  });
});

import { createHash } from "node:crypto";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import * as tokens from "../../../core/app/tokens.js";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { eachDatabase, publish } from "../../support/store.js";

const definition = {
  schema: [{ id: "root", fields: [] }],
  components: [{ type: "text", text: "“{{ root.name }}” – 5 €" }],
};

eachDatabase((_open, database) => {
  describe("the html of a document", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let templateId: string;
    const render = (data: object) =>
      exported(caller, { templateId, formats: ["html"], data });

    before(async () => {
      caller = await newCaller(service);
      templateId = await publish(service.store, caller, { definition });
    });

    it("is downloaded as it was answered, whole or in part, short or long", async () => {
      for (const length of [3, 300_000]) {
        const name = "ü".repeat(length);
        const { result, document } = await render({ name });
        const [output] = document.outputs;
        const bytes = Buffer.from(result.html?.htmlDocument ?? "");
        expect(bytes.toString()).to.include(`“${name}” – 5 €`);
        const file = await fetch(output?.url ?? "");
        expect(Buffer.from(await file.arrayBuffer())).to.deep.equal(bytes);
        const range = { headers: { range: "bytes=100-199" } };
        const part = await fetch(output?.url ?? "", range);
        expect(part.status).to.equal(206);
        const middle = Buffer.from(await part.arrayBuffer());
        expect(middle).to.deep.equal(bytes.subarray(100, 200));
        const hash = createHash("sha256").update(bytes).digest("hex");
        expect(output?.checksum).to.equal(`sha256:${hash}`);
        expect(output?.sizeBytes).to.equal(bytes.byteLength);
      }
    });

    it("is kept for each of many documents that end at the same time, and each is counted", async () => {
      const usage = service.container.resolve(tokens.USAGE);
      const month = new Date().toISOString().slice(0, 7);
      const count = async () =>
        (await usage.getMonth(caller.organizationId, month)).documents;
      const counted = await count();
      const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
      const all = await Promise.all(names.map((name) => render({ name })));
      for (const [index, { document, result }] of all.entries()) {
        const file = await fetch(document.outputs[0]?.url ?? "");
        const html = await file.text();
        expect(html).to.equal(result.html?.htmlDocument);
        expect(html).to.include(`“${names[index]}”`);
      }
      expect((await count()) - counted).to.equal(40);
    });
  });
});

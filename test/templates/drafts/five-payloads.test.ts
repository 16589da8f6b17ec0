import { expect } from "chai";
import { describe, it } from "mocha";
import { RecentPayloads } from "../../../core/documents/index.js";
import { eachDatabase, newOwner, publish } from "../../support/store.js";

const dayMs = 24 * 3_600_000;

eachDatabase((open) => {
  describe("of a template's recent payloads", () => {
    it("the last five are kept, newest first", async () => {
      const store = await open();
      const owner = await newOwner(store);
      const templateId = await publish(store, owner);
      const { organizationId } = owner;
      for (let n = 0; n < 8; n++) {
        // As many processes: each writes one a minute.
        const payloads = new RecentPayloads(store, dayMs);
        const json = () => JSON.stringify({ n });
        const source = "document" as const;
        const payload = { organizationId, templateId, source, json };
        const at = new Date(Date.now() - dayMs / 2 + n);
        await store.unitOfWork.run((tx) => payloads.note(tx, payload, at));
      }
      const kept = new RecentPayloads(store, dayMs);
      const list = await kept.list(organizationId, templateId);
      expect(list.map(({ data }) => data)).to.deep.equal(
        [7, 6, 5, 4, 3].map((n) => ({ n })),
      );
    });
  });
});

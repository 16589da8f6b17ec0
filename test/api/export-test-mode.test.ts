import { expect } from "chai";
import { before, describe, it } from "mocha";
import { Usage } from "../../core/accounts/index.js";
import { newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { anyDatabase, publish } from "../support/store.js";

anyDatabase((_open, database) => {
  describe("a test document", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let templateId: string;
    const render = (body: object) =>
      exported(caller, {
        templateId,
        formats: ["html"],
        data: { name: "Ada" },
        ...body,
      });
    const usage = async () => {
      const month = new Date().toISOString().slice(0, 7);
      return (
        await new Usage(service.store).getMonth(caller.organizationId, month)
      ).documents;
    };

    before(async () => {
      caller = await newCaller(service);
      templateId = await publish(service.store, caller);
    });

    it("has a watermark, and a live document does not", async () => {
      const live = await render({});
      const test = await render({ isTest: true });
      expect(test.document.status).to.equal("succeeded");
      expect(test.result.html?.htmlDocument).to.match(/TEST/i);
      expect(live.result.html?.htmlDocument).not.to.match(/TEST/);
    });

    it("is not counted, while a live document counts once, whatever its formats", async () => {
      const used = await usage();
      await render({ isTest: true });
      expect(await usage()).to.equal(used);
      await Promise.all([1, 2, 3].map(() => render({})));
      expect(await usage()).to.equal(used + 3);
    });

    it("is not counted, like a failed document", async () => {
      const used = await usage();
      await caller.post("/api/export", {
        templateId,
        formats: ["html"],
        strict: true,
      });
      expect(await usage()).to.equal(used);
    });
  });
});

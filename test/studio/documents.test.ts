import { expect } from "chai";
import { describe, it } from "mocha";
import {
  Document,
  insertRow,
  newId,
} from "../../core/storage/database/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  pressButton,
  runAxe,
  useStudio,
  waitForCount,
  waitForText,
} from "../support/studio.js";

describe("the documents in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are found by text, template and date, and the filters are cleared at once", async () => {
    const caller = await newBatchCaller(service);
    for (const name of ["Bill", "Quote"]) {
      const templateId = await publish(service.store, caller, {
        name,
        definition: {
          schema: [{ id: "root", fields: [{ name: "no", type: "String" }] }],
          fileName: `${name} {{ root.no }}`,
          components: [],
        },
      });
      const items = ["A1", "A2"].map((no) => ({ data: { no } }));
      const order = { templateId, formats: ["html"], items };
      await batchWhen(caller, (await sendBatch(caller, order)).batchId);
    }
    const { organizationId } = caller;
    const { page, pageErrors } = await signIn(
      "viewer",
      undefined,
      organizationId,
    );
    await pressButton(page, "Documents");
    await waitForCount(page, ".document", 4);
    await page.locator("[placeholder='Search documents']").fill("a1");
    await waitForCount(page, ".document", 2);
    const template = page.locator("[placeholder='All templates']");
    await template.fill("Quote");
    await waitForCount(page, ".document", 1);
    await waitForText(page, "Quote A1");
    expect(await runAxe(page)).to.eql([]);
    await page.reload();
    await waitForCount(page, ".document", 1);
    await page.waitForFunction(
      `document.querySelector("[placeholder='All templates']").value === "Quote"`,
    );
    await pressButton(page, "Clear filters");
    await waitForCount(page, ".document", 4);
    await page.locator("input[type=date]").fill("2099-01-01");
    await waitForText(page, "No matching documents");
    expect(pageErrors).to.eql([]);
  });

  it("say that a search lists the newest 1,000 matches", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller, { name: "Bill" });
    const order = { templateId, formats: ["html"] };
    await caller.post("/api/export", order);
    const { read, unitOfWork } = service.store;
    const row = await read.findOneByOrFail(Document, { templateId });
    await unitOfWork.run(async (tx) => {
      for (let count = 0; count < 1000; count += 1)
        await insertRow(tx, Document, Object.assign(row, { id: newId() }));
    });
    const { page } = await signIn("viewer", undefined, caller.organizationId);
    await pressButton(page, "Documents");
    await waitForText(page, "Page 1 of 42");
    const listed = "Only the newest 1,000 matches are listed";
    expect(await page.content()).to.not.contain(listed);
    await page.locator("[placeholder='Search documents']").fill("bill");
    await waitForText(page, listed);
    expect(await runAxe(page)).to.eql([]);
  });
});

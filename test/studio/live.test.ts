import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import { pressButton, said, useStudio, signedIn } from "../support/studio.js";

describe("the studio's list of documents", () => {
  const service = useService();
  const enter = useStudio(service);

  it("shows what was created elsewhere and why it failed, without a reload", async () => {
    const { page, wrong, ...owner } = await enter();
    await pressButton(page, "Documents");
    await said(page, "No documents yet");
    await page.evaluate("window.isSamePage = true");
    const templateId = await publish(service.store, owner, { name: "Report" });
    const elsewhere = await signedIn(service, owner);
    const order = { templateId, formats: ["html"], data: {}, strict: true };
    await elsewhere.send("POST", "/api/export", order);
    await said(page, "The data has no root.name");
    expect(await page.evaluate("window.isSamePage")).to.equal(true);
    expect(wrong).to.deep.equal([]);
  });
});

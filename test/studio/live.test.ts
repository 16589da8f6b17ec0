import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  pressButton,
  waitForText,
  useStudio,
  signInAs,
} from "../support/studio.js";

describe("the studio's list of documents", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("shows what was created elsewhere and why it failed, without a reload", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await pressButton(page, "Documents");
    await waitForText(page, "No documents yet");
    await page.evaluate("window.isSamePage = true");
    const templateId = await publish(service.store, owner, { name: "Report" });
    const elsewhere = await signInAs(service, owner);
    const order = { templateId, formats: ["html"], data: {}, strict: true };
    await elsewhere.send("POST", "/api/export", order);
    await waitForText(page, "The data has no root.name");
    expect(await page.evaluate("window.isSamePage")).to.equal(true);
    expect(pageErrors).to.deep.equal([]);
  });
});

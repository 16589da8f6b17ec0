import { expect } from "chai";
import { describe, it } from "mocha";
import { NUMBERS } from "../../core/documents/tokens.js";
import { useService } from "../support/service.js";
import {
  pressButton,
  signInAs,
  useStudio,
  waitForText,
} from "../support/studio.js";

describe("numbers in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);
  const pattern = "RE-{yyyy}-{0000}";

  it("are listed with their open ones, and the next one can be set", async () => {
    const user = await signIn("owner");
    const { page, pageErrors, organizationId } = user;
    await pressButton(page, "Numbers");
    await waitForText(page, "No numbers yet");
    const numbers = service.container.resolve(NUMBERS);
    const use = {
      name: "invoices",
      pattern,
      period: "2027",
      dated: "RE-2027-{0000}",
    };
    const reserve = (documentId: string) =>
      numbers.reserve(
        { organizationId, documentId, lockToken: null },
        [use],
        Date.now() + 60_000,
      );
    const failed = await reserve("doc_failed");
    await reserve("doc_printing");
    await numbers.release(failed);
    await page.reload();
    await waitForText(page, "RE-2027-0003");
    await pressButton(page, "2 open numbers");
    await waitForText(page, "RE-2027-0001 goes to the next document");
    await waitForText(page, "RE-2027-0002 reserved for doc_printing");

    await pressButton(page, "Change the next number of invoices 2027");
    await waitForText(page, "2 numbers from RE-2027-0001 on are still open");
    const set = async (value: string) => {
      await page.locator("dialog input").fill(value);
      await pressButton(page, "Set next number");
    };
    await set("2");
    await waitForText(page, 'Number 2 of the sequence "invoices" exists');
    await set("418");
    await waitForText(page, "The next new number is RE-2027-0418.");
    const [stored] = await numbers.list(organizationId);
    expect(stored).to.include({ nextValue: 418, pattern });

    await pressButton(page, "Changes in the audit log");
    await waitForText(page, "invoices: from 3 to 418");
    expect(pageErrors.filter((one) => !one.includes("409"))).to.deep.equal([]);
  });

  it("are shown to viewers, who cannot change them", async () => {
    const user = await signIn("editor");
    const editor = await signInAs(service, user);
    const body = { pattern: "K{000}", nextValue: 70 };
    await editor.send("PUT", "/api/sequences/customers", body);
    const viewer = await signIn("viewer", undefined, user.organizationId);
    await pressButton(viewer.page, "Numbers");
    await waitForText(viewer.page, "K070");
    const text = await viewer.page.evaluate("document.body.innerText");
    expect(text).to.not.include("Change");
    expect(viewer.pageErrors).to.deep.equal([]);
  });
});

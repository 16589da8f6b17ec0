import { expect } from "chai";
import { describe, it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { pressButton, useStudio, waitForText } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  startTyping,
} from "../../support/studio-editor.js";

describe("calculated fields in the data panel", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are added with a formula, inserted like others and not asked for in the sample", async () => {
    const editor = await openEditor(service, await signIn(), {
      schema: [
        {
          id: "root",
          fields: [
            { name: "price", type: "Number" },
            { name: "quantity", type: "Number" },
          ],
        },
      ],
      components: [{ type: "text", id: "one", text: "Total: " }],
      sample: { price: 5, quantity: 3 },
    });
    const { page, draft, pageErrors } = editor;
    const press = (words: string) => pressButton(page, words);
    await press("Data");
    await press("Add a field");
    await page.type("[aria-label='Name of the new field']", "Total");
    await page.select("[aria-label='Type of the new field']", "computed");
    await page.type(".data-new [aria-label='Formula']", "price * quantity");
    await page.click(".data-new [type=submit]");
    await eventually(async () =>
      (await draft()).schema[0]?.fields.some(({ name }) => name === "total"),
    );
    expect((await draft()).schema[0]?.fields.at(-1)).to.eql({
      name: "total",
      label: "Total",
      type: "Number",
      computed: "price * quantity",
    });
    await press("Done");
    await startTyping(page, "one");
    await page.locator('[aria-label^="Insert Total"]').click();
    await pressKeys(page, "Escape");
    await waitForText(page, "15");
    await page.locator('[data-field="total"] .data-name').click();
    await page.locator(".data-form .formula-field").click();
    await pressKeys(page, "Control+A");
    await page.keyboard.type("price * quantity * 2");
    await eventually(async () =>
      JSON.stringify((await draft()).schema).includes("price * quantity * 2"),
    );
    await waitForText(page, "30");
    await press("Sample data");
    await page.waitForSelector("dialog .sample-field");
    const labels = await page.$$eval("dialog .sample-field", (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(labels).to.eql(["Price", "Quantity"]);
    expect(pageErrors).to.eql([]);
  });
});

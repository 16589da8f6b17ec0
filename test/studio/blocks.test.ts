import { expect } from "chai";
import { before, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { partialSchema } from "../../core/api/routes/partials.js";
import type { Component } from "../../core/plugin-api/definition.js";
import { eventually } from "../support/eventually.js";
import { useService } from "../support/service.js";
import {
  pressButton,
  type StudioUser,
  useStudio,
  waitForDialogToClose,
  waitForHeading,
  waitForText,
} from "../support/studio.js";
import { openEditor } from "../support/studio-editor.js";

const rows: Component[] = [
  { id: "bank", type: "text", text: "IBAN of {{ root.name }}", class: "fine" },
  { id: "end", type: "text", text: "The end" },
];
const content = {
  schema: [{ id: "root", fields: [{ name: "name", type: "String" as const }] }],
  components: rows,
  styles: { fine: { color: "#b42318" } },
  sample: { name: "Ada" },
};

/** Runs in the page. */
async function readJson(at: string): Promise<unknown> {
  return (await fetch(at)).json();
}

describe("reusable blocks in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);
  let user: StudioUser;
  let page: Page;
  before(async () => {
    user = await signIn("owner", { width: 1440 });
    page = user.page;
  });

  const block = async (name: string) => {
    const at = `/api/partials/${name}`;
    return partialSchema.parse(await page.evaluate(readJson, at));
  };

  it("saves the selected component as a block and draws it with the values of the sample", async () => {
    const editor = await openEditor(service, user, content);
    await page.locator('.sheet [data-id="bank"]').click();
    await pressButton(page, "Save as block");
    await page.locator("dialog input").fill("Payment details");
    await pressButton(page, "Save");
    await waitForDialogToClose(page);
    await page.waitForFunction(
      `document.querySelector(".block-frame")?.innerText === "IBAN of Ada"`,
    );
    await eventually(async () => {
      const [first] = (await editor.draft()).components;
      return first?.type === "partial" && first.name === "payment-details";
    });
    const { title, components, usedBy } = await block("payment-details");
    expect(title).to.equal("Payment details");
    expect(components[0]).to.deep.include({ style: { color: "#b42318" } });
    expect(components[0]).to.not.have.property("class");
    expect(usedBy.map(({ id }) => id)).to.deep.equal([editor.templateId]);
  });

  it("adds a block from the palette, selects it as a whole, and detaches it in one step", async () => {
    const editor = await openEditor(service, user, content);
    await pressButton(page, "Payment details");
    const frame = await page.waitForSelector(".block-frame p");
    await page.locator('.sheet [data-id="end"]').click();
    await frame?.click();
    await page.waitForSelector(".block-frame[data-selected]");
    expect(await page.$(".block-frame [data-id]")).to.equal(null);
    await pressButton(page, "Detach");
    await page.waitForFunction(`!document.querySelector(".block-frame")`);
    const copy = await eventually(async () => {
      const { components } = await editor.draft();
      return components.find(
        (one) => one.type === "text" && one.id !== "bank" && one.id !== "end",
      );
    });
    expect(copy).to.include({ text: "IBAN of {{ root.name }}" });
    await pressButton(page, "Undo: Detach “Payment details”");
    await page.waitForSelector(".block-frame");
  });

  it("edits a block for all templates, and keeps what was not saved in the browser", async () => {
    const editor = await openEditor(service, user, content);
    await pressButton(page, "Payment details");
    await page.waitForSelector(".block-frame");
    await pressButton(page, "Edit block");
    await page.waitForSelector(".block-editor-bar");
    const typed = await page.waitForSelector(".sheet p[data-id]");
    await typed?.click({ count: 2 });
    await page.keyboard.press("End");
    await page.keyboard.type(" and more");
    await waitForText(page, "Unsaved changes");
    await page.reload();
    await page.waitForFunction(
      `document.querySelector(".sheet p[data-id]")?.innerText.endsWith("and more")`,
    );
    await pressButton(page, "Save");
    await waitForText(page, "Saved.");
    const { components } = await block("payment-details");
    const text = "IBAN of {{ root.name }} and more";
    expect(components[0]).to.include({ text });
    await page.goto(
      `${service.url}/studio/templates/${editor.templateId}/edit`,
    );
    await page.waitForFunction(
      `document.querySelector(".block-frame")?.innerText === "IBAN of Ada and more"`,
    );
  });

  it("lists the blocks with the templates that use them, renames one, and does not delete one that is used", async () => {
    await page.goto(`${service.url}/studio/blocks`);
    await waitForHeading(page, "Reusable blocks");
    await pressButton(page, "Actions for Payment details");
    await pressButton(page, "Rename");
    await page.locator("dialog input").fill("Bank");
    await page.locator("dialog button[type=submit]").click();
    await waitForDialogToClose(page);
    await pressButton(page, "Actions for Bank");
    await pressButton(page, "Delete");
    await page.locator("dialog button.danger").click();
    await waitForText(page, "Templates use this block");
    expect((await block("payment-details")).title).to.equal("Bank");
  });

  it("refuses to save a part of a table, or parts that are apart, as a block", async () => {
    const cell: Component = { id: "cell", type: "table-cell", text: "Cell" };
    await openEditor(service, user, [
      {
        id: "table",
        type: "table",
        components: [{ id: "row", type: "table-row", components: [cell] }],
      },
    ]);
    await page.locator('.sheet [data-id="cell"]').click();
    await pressButton(page, "Save as block");
    await waitForText(page, "Select the whole table");
    expect(await page.$("dialog")).to.equal(null);
  });
});

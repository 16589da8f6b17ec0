import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  menuShows,
  openEditor,
  pasteText,
  pressKeys,
  startTyping,
  waitForTextOfDraft,
} from "../../support/studio-editor.js";
import { pressButton, useStudio, waitForText } from "../../support/studio.js";

const lines: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "customer", type: "String" },
        { name: "orderLines", type: "OneToManyLink", target: "lines" },
      ],
    },
    {
      id: "lines",
      fields: [
        { name: "category", type: "String" },
        { name: "quantity", type: "Number" },
        { name: "price", type: "Number" },
      ],
    },
  ],
  components: [
    {
      id: "each",
      type: "text",
      text: "{{ orderLine.category }}",
      collection: { collectionId: "orderLine", path: "root.orderLines" },
    },
  ],
  sample: {
    customer: "https://example.com/a/very/long/address/of/a/logo.png",
    orderLines: [
      { category: "Coffee", quantity: 3, price: 2.5 },
      { category: "Bakery", quantity: 2, price: 3 },
    ],
  },
};

const empty: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  components: [{ id: "a", type: "text", text: "Dear " }],
};

describe("somebody who uses the editor for the first time", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("pastes a record into the empty JSON of a template without data", async () => {
    const editor = await openEditor(service, await signIn(), empty);
    const { page } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Sample data");
    await pressButton(page, "Paste JSON");
    await page.locator(".sample-source").click();
    await pasteText(page, '{ "customer": "Meridian" }');
    await waitForText(page, "1 field was added.");
    await eventually(async () => {
      const { schema, sample } = await editor.draft();
      return (
        schema[0]?.fields[0]?.name === "customer" &&
        JSON.stringify(sample) === '{"customer":"Meridian"}'
      );
    });
  });

  it("adds a field that the data does not have yet by typing its name after a slash", async () => {
    const editor = await openEditor(service, await signIn(), empty);
    const { page } = editor;
    await startTyping(page, "a");
    await page.keyboard.type("/");
    await waitForText(page, "No fields yet. Type a name to add one.");
    await page.keyboard.type("customer");
    await menuShows(page, "Add the field “Customer”");
    await pressKeys(page, "Enter");
    await page.keyboard.type(",");
    await waitForTextOfDraft(editor, "Dear {{ root.customer }},");
    const { schema } = await editor.draft();
    expect(schema[0]?.fields).to.eql([
      { name: "customer", label: "Customer", type: "String" },
    ]);
  });

  it("adds such a field to the list in whose row the caret is", async () => {
    const editor = await openEditor(service, await signIn(), lines);
    const { page } = editor;
    await startTyping(page, "each");
    await page.keyboard.type(" /vat");
    await menuShows(page, "Add the field “Vat”");
    await pressKeys(page, "Enter");
    await waitForTextOfDraft(
      editor,
      "{{ orderLine.category }} {{ orderLine.vat }}",
    );
    const { schema } = await editor.draft();
    expect(schema[1]?.fields.at(-1)?.name).to.equal("vat");
  });

  it("multiplies two different fields by pressing Enter three times", async () => {
    const editor = await openEditor(service, await signIn(), lines);
    const { page } = editor;
    await startTyping(page, "each");
    await page.keyboard.type(" /multiply");
    await menuShows(page, "Multiply two fields");
    await pressKeys(page, "Enter");
    await menuShows(page, "Quantity");
    await pressKeys(page, "Enter");
    await menuShows(page, "Price");
    await pressKeys(page, "Enter");
    await waitForTextOfDraft(
      editor,
      "{{ orderLine.category }} {{ orderLine.quantity * orderLine.price }}",
    );
  });

  it("sees values of any length beside the fields, and nothing cut off", async () => {
    const { page } = await openEditor(service, await signIn(), lines);
    await pressButton(page, "Data");
    await waitForText(page, "Order lines");
    const overflow = await page.evaluate(`
      [...document.querySelectorAll(".data, .data *")]
        .filter((one) => one.getBoundingClientRect().right >
          document.querySelector(".data").parentElement.getBoundingClientRect().right)
        .map((one) => one.className)`);
    expect(overflow).to.eql([]);
  });

  it("reads what repeats in words: the list's element, or what it is grouped by", async () => {
    const { page } = await openEditor(service, await signIn(), lines);
    const note = () =>
      page.$$eval("[data-note]", (all) =>
        all.map((one) => one.getAttribute("data-note")?.split("\n")[0]),
      );
    await eventually(async () => (await note())[0] === "Each order line");
    await page.locator('.canvas [data-id="each"]').click();
    await pressButton(page, "Rules");
    await eventually(async () => {
      const groupBy = '.inspector select::-p-aria([name="Group by"])';
      const chosen = await (await page.$(groupBy))?.select("category");
      return chosen?.includes("category");
    });
    await eventually(async () => (await note()).includes("Each category"));
  });

  it("sees the format of a field above the outlines of the other rows", async () => {
    const { page } = await openEditor(service, await signIn(), lines);
    await startTyping(page, "each");
    await page.locator(".ProseMirror [data-chip], .ProseMirror .chip").click();
    await page.waitForSelector(".chip-popover");
    await page.waitForSelector(".copy-box");
    const isCovered = await page.evaluate(`{
      const [popover, copy] = [".chip-popover", ".copy-box"].map((one) => document.querySelector(one));
      const level = (one) => {
        for (let at = one; at; at = at.parentElement) {
          const { zIndex } = getComputedStyle(at);
          if (zIndex !== "auto") return Number(zIndex);
        }
      };
      level(copy) >= level(popover);
    }`);
    expect(isCovered).to.equal(false);
  });

  it("finds the palette's components where they were after a selection that allows more of them", async () => {
    const { page } = await openEditor(service, await signIn(), [
      {
        id: "table",
        type: "table",
        components: [
          {
            id: "row",
            type: "table-row",
            components: [{ id: "cell", type: "table-cell", text: "Cell" }],
          },
        ],
      },
    ]);
    const placeOfImage = () =>
      page.$eval("[data-new=image]", (one) => one.getBoundingClientRect().top);
    const before = await placeOfImage();
    await page.locator('.canvas [data-id="cell"]').click();
    await page.waitForSelector("[data-new=table-row]");
    expect(await placeOfImage()).to.equal(before);
  });

  it("opens the shortcuts with ? after choosing how the template is shown", async () => {
    const { page } = await openEditor(service, await signIn(), empty);
    await page.locator("::-p-aria([name='Fields'][role='radio'])").click();
    await pressKeys(page, "?");
    await waitForText(page, "Keyboard shortcuts");
  });

  it("gets back to the templates from one that does not exist", async () => {
    const { page } = await signIn();
    await page.goto(`${service.url}/studio/templates/missing/edit`);
    await waitForText(page, "Couldn't open the template");
    await pressButton(page, "Templates");
    await page.waitForFunction(
      'location.pathname.endsWith("/studio/templates")',
    );
  });
});

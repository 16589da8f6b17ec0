import { expect } from "chai";
import { describe, it } from "mocha";
import {
  runAxe,
  pressButton,
  waitForDialogToClose,
  waitForText,
  useStudio,
} from "../../support/studio.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pasteText,
  pressKeys,
  startTyping,
} from "../../support/studio-editor.js";

describe("the fields of the data", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are detected in a pasted sample and inserted into the page", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "Dear " },
    ]);
    const { page, draft, pageErrors } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Sample data");
    await page.locator("dialog label ::-p-text(As JSON)").click();
    const sample = { name: "Ada", lines: [{ title: "Bolt", amount: 3 }] };
    await page.locator("dialog textarea").click();
    await pressKeys(page, "Control+A");
    await pasteText(page, JSON.stringify(sample));
    await waitForText(page, "4 fields were added.");
    await page.locator("dialog label ::-p-text(Fields)").click();
    await waitForText(page, "Add an entry");
    expect(await runAxe(page)).to.eql([]);
    await pressButton(page, "Done");
    await startTyping(page, "one");
    await pressButton(page, "Insert Name: Ada");
    await pressButton(page, "Insert Lines");
    const [text, table] = await eventually(async () => {
      const { components } = await draft();
      return components.length === 2 && components;
    });
    expect(text).to.deep.include({ text: "Dear {{ root.name }}" });
    expect(JSON.stringify(table)).to.contain('"path":"root.lines"');
    expect(JSON.stringify(table)).to.contain("{{ line.amount }}");
    expect(pageErrors).to.eql([]);
  });

  it("keep JSON that does not parse until it is corrected or discarded on purpose", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "{{ root.name }}" },
    ]);
    const { page, draft, pageErrors } = editor;
    await pressButton(page, "Data");
    const openJson = async () => {
      await pressButton(page, "Sample data");
      await page.locator("dialog label ::-p-text(As JSON)").click();
      await page.locator("dialog textarea").click();
      await pressKeys(page, "Control+A");
    };
    await openJson();
    const broken = '{\n  "name": "Ada"\n  "city": "Bonn"\n}';
    await pasteText(page, broken);
    await pressButton(page, "Done");
    await waitForText(page, "Line 3: a comma is missing");
    expect(await page.$eval("dialog textarea", ({ value }) => value)).to.equal(
      broken,
    );
    await page.locator("dialog label ::-p-text(Fields)").click();
    await pressButton(page, "Show where");
    await page.waitForFunction(
      `document.activeElement.value?.slice(document.activeElement.selectionStart).startsWith('"city"')`,
    );
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type(",");
    await pressButton(page, "Done");
    await waitForDialogToClose(page);
    await eventually(
      async () => (await draft()).schema[0]?.fields.length === 2,
    );
    expect((await draft()).sample).to.eql({ name: "Ada", city: "Bonn" });
    await openJson();
    await pasteText(page, "{");
    await page.keyboard.press("Escape");
    await pressButton(page, "Discard my changes");
    await waitForDialogToClose(page);
    expect((await draft()).sample).to.eql({ name: "Ada", city: "Bonn" });
    expect(pageErrors).to.eql([]);
  });

  it("are added for names that are typed once the text is left, not for their beginnings", async () => {
    const editor = await openEditor(service, await signIn(), {
      schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
      sample: { name: "Ada" },
      components: [{ type: "text", id: "one", text: "{{ root.name }}" }],
    });
    const { page, draft } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Sample data");
    await page.locator("dialog label ::-p-text(As JSON)").click();
    await page.locator("dialog textarea").click();
    await pressKeys(page, "Control+End", "ArrowLeft");
    await page.keyboard.type(',"":1');
    await pressKeys(page, "ArrowLeft", "ArrowLeft", "ArrowLeft");
    await page.keyboard.type("total");
    await pressButton(page, "Done");
    const fields = await eventually(async () => {
      const all = (await draft()).schema[0]?.fields ?? [];
      return all.length > 1 && all;
    });
    expect(fields).to.eql([
      { name: "name", type: "String" },
      { name: "total", type: "Number" },
    ]);
  });

  it("are added, renamed, and deleted only after a confirmation when they are used", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "Due {{ root.dueDate }}" },
    ]);
    const { page, draft, pageErrors } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Add a field");
    await page
      .locator('::-p-aria([name="Name of the new field"])')
      .fill("Due date");
    await page.keyboard.press("Enter");
    const field = { name: "dueDate", label: "Due date", type: "String" };
    await eventually(async () => {
      const [root] = (await draft()).schema;
      return root?.fields.length === 1 && root;
    });
    expect((await draft()).schema[0]?.fields).to.eql([field]);
    await pressButton(page, "Actions for Due date");
    await pressButton(page, "Delete");
    await waitForText(page, "Text: Due …");
    await pressButton(page, "Delete field");
    await eventually(async () => {
      const [root] = (await draft()).schema;
      return root?.fields.length === 0;
    });
    expect(pageErrors).to.eql([]);
  });

  it("may be pictures and yes or no, which are inserted and filled in as such", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "One." },
    ]);
    const { page, draft, pageErrors } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Add a field");
    for (const [name, kind] of [
      ["Logo", "image"],
      ["Paid", "boolean"],
    ] as const) {
      await page.select("[aria-label='Type of the new field']", kind);
      await page
        .locator('::-p-aria([name="Name of the new field"])')
        .fill(name);
      await page.keyboard.press("Enter");
    }
    await page.locator('[aria-label^="Insert Logo"]').click();
    await page.waitForSelector(".sheet [data-type=image], .sheet img");
    await pressButton(page, "Sample data");
    await page.waitForSelector("dialog [aria-label='Paid']");
    await page.select("dialog [aria-label='Paid']", "false");
    await pressButton(page, "Done");
    const { schema, components } = await eventually(async () => {
      const found = await draft();
      return found.sample !== undefined && found;
    });
    expect(components[1]).to.include({ type: "image", src: "{{ root.logo }}" });
    const fields = schema[0]?.fields ?? [];
    expect(fields.map(({ type }) => type)).to.eql(["String", "String"]);
    expect((await draft()).sample).to.eql({ paid: false });
    expect(pageErrors).to.eql([]);
  });

  it("may be money and percentages, which are inserted with their formats", async () => {
    const editor = await openEditor(service, await signIn(), {
      schema: [
        {
          id: "root",
          fields: [
            { name: "lines", type: "OneToManyLink", target: "lines" },
            { name: "tax", type: "Number" },
          ],
        },
        {
          id: "lines",
          fields: [{ name: "price", type: "Number", format: "currency" }],
        },
      ],
      sample: { tax: 19, total: 1234.5, lines: [{ price: 3 }] },
      components: [{ type: "text", id: "one", text: "Total: " }],
    });
    const { page, draft, pageErrors } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Add a field");
    await page.select("[aria-label='Type of the new field']", "money");
    await page
      .locator('::-p-aria([name="Name of the new field"])')
      .fill("Total");
    await page.keyboard.press("Enter");
    await page.locator(".data-new ::-p-text(Done)").click();
    await page.locator(".data-name ::-p-text(Total)").click();
    await page.locator('.data-form ::-p-aria([name="Currency"])').fill("EUR");
    await page.locator(".data-name ::-p-text(Total)").click();
    await page.locator(".data-name ::-p-text(Tax)").click();
    await page.select(".data-form select", "percent");
    await page
      .locator('.data-form ::-p-aria([name="Percentages in the data"])')
      .fill("wholePercent");
    await startTyping(page, "one");
    await page.locator('[aria-label^="Insert Total"]').click();
    await page.locator('[aria-label^="Insert Tax"]').click();
    await pressButton(page, "Insert Lines");
    const { schema, components } = await eventually(async () => {
      const found = await draft();
      return found.components.length === 2 && found;
    });
    expect(schema[0]?.fields.slice(1)).to.eql([
      { name: "tax", type: "Number", format: "wholePercent" },
      {
        name: "total",
        label: "Total",
        type: "Number",
        format: "currency",
        currency: "EUR",
      },
    ]);
    expect(components[0]).to.include({
      text: 'Total: {{ root.total | currency("EUR") }}{{ root.tax / 100 | percent }}',
    });
    expect(JSON.stringify(components[1])).to.contain(
      "{{ line.price | currency }}",
    );
    // The menu inserts them alike, and totals have the format of their field.
    await startTyping(page, "one");
    await page.keyboard.press("End");
    await page.keyboard.type(" /total");
    await page.keyboard.press("Enter");
    await page.keyboard.type(" /sum of a");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await eventually(async () =>
      JSON.stringify((await draft()).components[0]).includes(
        "{{ SUM(root.lines, price) | currency }}",
      ),
    );
    expect(pageErrors).to.eql([]);
  });
});

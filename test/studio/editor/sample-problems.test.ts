import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  putOnClipboard,
} from "../../support/studio-editor.js";
import {
  pressButton,
  runAxe,
  waitForText,
  useStudio,
} from "../../support/studio.js";

const record = {
  number: "2026-117",
  lines: [{ title: "Paper", price: 12.5 }, { title: "Ink" }],
};

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", type: "String", required: true },
        { name: "customer", type: "String", required: true },
        { name: "dueOn", label: "Due date", type: "Date" },
        {
          name: "lines",
          label: "Lines",
          type: "OneToManyLink",
          target: "lines",
        },
      ],
    },
    {
      id: "lines",
      fields: [
        { name: "title", type: "String" },
        { name: "price", label: "Price", type: "Number", required: true },
      ],
    },
  ],
  sample: record,
  components: [
    {
      type: "heading",
      id: "title",
      level: 1,
      text: "Invoice {{ root.number }}",
    },
    { type: "text", id: "customer", text: "For {{ root.customer }}" },
    { type: "text", id: "due", text: "Due on {{ root.dueOn }}" },
    {
      type: "text",
      id: "line",
      collection: { collectionId: "line", path: "root.lines" },
      text: "{{ line.title }}: {{ line.price | currency }}",
    },
    { type: "text", id: "total", text: "Total {{ SUM(root.lines, price) }}" },
  ],
};

describe("a sample that does not fit the fields", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("is summed up below the page, and marked where it is printed", async () => {
    const editor = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, editor, definition);
    await waitForText(page, "2 fields are missing in this sample");
    await page.waitForSelector('[data-id="customer"] .chip.unfit');
    const marked = await page.$$eval(".chip.unfit", (chips) =>
      chips
        .filter((chip) => chip.closest("[data-copy]") === null)
        .map((chip) => chip.closest("[data-id]")?.getAttribute("data-id")),
    );
    expect(marked).to.deep.equal(["customer", "line", "total"]);
    const title = await page.$eval('[data-id="customer"] .chip.unfit', (chip) =>
      chip.getAttribute("title"),
    );
    expect(title).to.contain("The field is required");
    expect(pageErrors).to.eql([]);
  });

  it("is marked in the further row that prints it, and in no other one", async () => {
    const editor = await signIn("editor");
    const lines = [
      { title: "Paper", price: 12.5 },
      { title: "Ink" },
      { title: "Pens", price: 3 },
      { title: "Clips", price: "none" },
    ];
    const sample = { number: "1", customer: "Meridian", lines };
    const { page } = await openEditor(service, editor, {
      ...definition,
      sample,
    });
    await eventually(async () => {
      const marked = await page.$$eval('[data-copy="line"]', (rows) =>
        rows.map((row) => row.querySelector(".unfit") !== null),
      );
      return marked.join() === "true,false,true";
    });
  });

  it("has a list of its problems, each of which leads to where it is printed", async () => {
    const editor = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, editor, definition);
    await pressButton(page, "2 fields are missing in this sample");
    await waitForText(page, "Lines 2 › Price");
    expect(await runAxe(page)).to.eql([]);
    await page.locator(".sample-problem-list ::-p-text(Lines 2)").click();
    await page.waitForSelector('[data-id="line"][data-selected]');
    expect(await page.$(".sample-problem-list:popover-open")).to.equal(null);
    expect(pageErrors).to.eql([]);
  });

  it("flags a pasted field that the data lacks, and adds it on request", async () => {
    const user = await signIn("editor");
    const opened = await openEditor(service, user, {
      ...definition,
      sample: { ...record, customer: "Ada", lines: [] },
    });
    const { page, draft, pageErrors } = opened;
    await page.locator('.canvas [data-id="title"]').click();
    await putOnClipboard(
      page,
      JSON.stringify({
        type: "text",
        id: "pasted",
        text: "VAT {{ root.seller.vatNumber }} from {{ root.vatRate | percent }}",
      }),
    );
    await pressKeys(page, "Control+V");
    await waitForText(page, "2 fields aren't in your data");
    expect(
      await page.$$eval(".chip.unfit", (chips) =>
        chips.map((chip) => chip.textContent),
      ),
    ).to.deep.equal(["Seller › Vat number", "Vat rate"]);
    await pressButton(page, "2 fields aren't in your data");
    await waitForText(page, "Not in your data, so nothing is printed");
    expect(
      await page.$$eval(".unknown-field strong", (all) =>
        all.map((one) => one.textContent),
      ),
    ).to.deep.equal(["Seller › Vat number", "Vat rate"]);
    expect(await runAxe(page)).to.eql([]);
    await page.locator(".unknown-field .button").click();
    await waitForText(page, "1 field isn't in your data");
    await pressButton(page, "1 field isn't in your data");
    await page.locator(".unknown-field .button").click();
    await page.waitForFunction("!document.querySelector('.chip.unfit')");
    const { schema } = await draft();
    expect(schema[0]?.fields.slice(-2)).to.deep.equal([
      { name: "seller", type: "OneToOneLink", target: "seller" },
      { name: "vatRate", type: "Number" },
    ]);
    expect(schema.find(({ id }) => id === "seller")?.fields).to.deep.equal([
      { name: "vatNumber", type: "String" },
    ]);
    expect(pageErrors).to.eql([]);
  });

  it("says that values are wrong, and nothing once all values fit", async () => {
    const user = await signIn("editor");
    const sample = {
      ...record,
      customer: "Ada",
      dueOn: "31.12.2026",
      lines: [],
    };
    const { page } = await openEditor(service, user, {
      ...definition,
      sample,
    });
    await waitForText(page, "1 field has the wrong type in this sample");
    await page.waitForSelector('[data-id="due"] .chip.unfit');
    await pressButton(page, "Data");
    await pressButton(page, "Sample data");
    await page.locator(".sample-faults button").click();
    await page.waitForFunction(
      `document.activeElement.matches('[aria-label="Due date"][aria-invalid="true"]')`,
    );
    const due = page.locator('dialog [aria-label="Due date"]');
    await due.fill("2026-12-31");
    await page.waitForFunction(
      `document.querySelector(".sample-problems:not(.quiet), .chip.unfit") === null`,
    );
  });

  it("follows from fields that are required, and from numbers that may be text", async () => {
    const editor = await signIn("editor");
    const { page, draft } = await openEditor(service, editor, {
      schema: [{ id: "root", fields: [{ name: "total", type: "Number" }] }],
      sample: {},
      components: [{ type: "text", id: "one", text: "{{ root.total }}" }],
    });
    await pressButton(page, "Data");
    await pressButton(page, "Total");
    await page.locator("::-p-aria([name='Required'][role='switch'])").click();
    await waitForText(page, "1 field is missing in this sample");
    await page
      .locator("::-p-aria([name='Allow numbers as text'][role='switch'])")
      .click();
    const [field] = await eventually(async () => {
      const fields = (await draft()).schema[0]?.fields ?? [];
      return Object.keys(fields[0] ?? {}).length === 4 && fields;
    });
    expect(field).to.eql({
      name: "total",
      type: "Number",
      required: true,
      allowNumericStrings: true,
    });
    await page.select(".data-form select", "String");
    await eventually(async () => {
      const [only] = (await draft()).schema[0]?.fields ?? [];
      return only?.type === "String" && !("allowNumericStrings" in only);
    });
  });
});

import { expect } from "chai";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { toSchema } from "../../support/schema.js";
import { useService } from "../../support/service.js";
import {
  type OpenEditor,
  pasteText,
  putOnClipboard,
  useEditor,
} from "../../support/studio-editor.js";
import {
  chooseOption,
  fillField,
  waitForDialogToClose,
} from "../../support/studio.js";

/** Opens the sample in the data panel, in one of its forms, with the caret in its text area. */
async function openSample(
  { page, press }: OpenEditor,
  form?: "As JSON" | "Paste rows",
): Promise<void> {
  await press("Data", "Sample data");
  if (form === undefined) return;
  await page.locator(`dialog label ::-p-text(${form})`).click();
  await page.locator("dialog textarea").click();
}

const text = (words: string) =>
  ({ type: "text", id: "one", text: words }) as const;

describe("the sample of a template", () => {
  const service = useService();
  const open = useEditor(service);

  describe("as JSON and as rows", () => {
    it("is pasted as JSON, from which the fields are read", async () => {
      const editor = await open([text("Dear ")]);
      const { page, press, waitForText } = editor;
      await press("Data", "Sample data", "Paste JSON");
      await page.locator(".sample-source").click();
      const sample = { name: "Ada", lines: [{ title: "Bolt", amount: 3 }] };
      await pasteText(page, JSON.stringify(sample));
      await waitForText("4 fields were added.");
      await page.locator("dialog label ::-p-text(Fields)").click();
      await waitForText("Add an entry");
      await press("Done");
      await editor.edit("one");
      await press("Insert Name: Ada", "Insert Lines");
      await editor.waitForBody(
        "Dear {{ root.name }} table(table-row(Title Amount) table-row({{ line.title }} {{ line.amount }}))",
      );
      await editor.waitForDraft((now) => now.sample, sample);
      await editor.waitForJson('"path":"root.lines"');
    });

    it("keeps JSON that does not parse until it is corrected or discarded on purpose", async () => {
      const editor = await open([text("{{ root.name }}")]);
      const { page, press, keys, type, waitForText } = editor;
      await openSample(editor, "As JSON");
      await keys("Control+A");
      const broken = '{\n  "name": "Ada"\n  "city": "Bonn"\n}';
      await pasteText(page, broken);
      await press("Done");
      await waitForText("Line 3: a comma is missing");
      expect(
        await page.$eval("dialog textarea", ({ value }) => value),
      ).to.equal(broken);
      await page.locator("dialog label ::-p-text(Fields)").click();
      await press("Show where");
      await page.waitForFunction(
        `document.activeElement.value?.slice(document.activeElement.selectionStart).startsWith('"city"')`,
      );
      await keys("ArrowLeft");
      await type(",");
      await press("Done");
      await waitForDialogToClose(page);
      const sample = { name: "Ada", city: "Bonn" };
      await editor.waitForDraft(
        (now) => [now.sample, now.schema[0]?.fields.length],
        [sample, 2],
      );
      await openSample(editor, "As JSON");
      await keys("Control+A");
      await pasteText(page, "{");
      await keys("Escape");
      await press("Discard my changes");
      await waitForDialogToClose(page);
      expect((await editor.draft()).sample).to.eql(sample);
    });

    it("adds the fields whose names are typed once the text is left, not for their beginnings", async () => {
      const editor = await open({
        schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
        sample: { name: "Ada" },
        components: [text("{{ root.name }}")],
      });
      await openSample(editor, "As JSON");
      await editor.keys("Control+End", "ArrowLeft");
      await editor.type(',"":1');
      await editor.keys("ArrowLeft", "ArrowLeft", "ArrowLeft");
      await editor.type("total");
      await editor.press("Done");
      await editor.waitForDraft(
        ({ schema }) => schema[0]?.fields,
        [
          { name: "name", type: "String" },
          { name: "total", type: "Number" },
        ],
      );
    });

    const rows = "Title\tPrice\tPaid\nDesk\t1,450.00\tyes\nLamp\t49.90\tno\n";

    it("takes pasted rows into a list, with new fields, which closing does not lose", async () => {
      const editor = await open({
        schema: toSchema({
          root: "number String, lines OneToManyLink lines",
          lines: "title String",
        }),
        sample: { number: "7" },
        components: [text("{{ root.number }}")],
      });
      const { page, press, keys, waitForText, waitForDraft } = editor;
      await openSample(editor, "Paste rows");
      await pasteText(page, rows);
      await waitForText("The 2 rows become the entries of the list.");
      await keys("Escape");
      await waitForText("These rows aren't used yet");
      await press("Use these rows");
      await waitForText("2 fields were added.");
      await press("Done");
      await waitForDialogToClose(page);
      await waitForDraft(
        ({ sample, schema }) => [sample, schema[1]?.fields.slice(1)],
        [
          {
            number: "7",
            lines: [
              { title: "Desk", price: 1450, paid: true },
              { title: "Lamp", price: 49.9, paid: false },
            ],
          },
          [
            { name: "price", label: "Price", type: "Number" },
            { name: "paid", label: "Paid", type: "Boolean" },
          ],
        ],
      );
      await keys("Control+Z");
      await waitForDraft(({ schema }) => schema[1]?.fields.length, 1);
    });

    it("takes the first of pasted rows as the record, also when they were pasted as JSON", async () => {
      const editor = await open([text("Dear ")]);
      await openSample(editor, "As JSON");
      await editor.keys("Control+A");
      await pasteText(editor.page, rows);
      await editor.page
        .locator(".sample-is-table ::-p-text(Paste rows)")
        .click();
      await editor.waitForText(
        "The first of 2 rows becomes the sample record.",
      );
      await editor.press("Use these rows");
      await editor.waitForDraft(({ sample }) => sample, {
        title: "Desk",
        price: 1450,
        paid: true,
      });
    });

    it("asks for the decimal mark of pasted rows and for their header, as a file does, and keeps them while the page is loaded again", async () => {
      const editor = await open([text("Dear ")]);
      const { page, press, waitForText } = editor;
      await openSample(editor, "Paste rows");
      await pasteText(page, "EUR/USD;1.085\nEUR/CHF;1.942\n");
      await waitForText("Choose under “Header row”.");
      await page.reload();
      await openSample(editor, "Paste rows");
      await waitForText("Choose under “Header row”.");
      await chooseOption(page, "Header row", "None");
      await waitForText("“1.085” may be 1.085 or 1085.");
      await chooseOption(page, "Numbers", "1,234.50");
      await waitForText("The first of 2 rows becomes the sample record.");
      await press("Use these rows");
      await editor.waitForDraft(({ sample }) => sample, {
        a: "EUR/USD",
        b: 1.085,
      });
    });
  });

  describe("beside other samples", () => {
    const definition: ProjectData = {
      schema: toSchema({
        root: "number! String, note String, lines OneToManyLink lines",
        lines: "title String",
      }),
      sample: {
        number: "2026-117",
        note: "Thank you for your order.",
        lines: [{ title: "Paper" }, { title: "Ink" }],
      },
      components: [
        text("Note: {{ root.note }}"),
        { type: "text", id: "count", text: "Lines: {{ COUNT(root.lines) }}" },
      ],
    };
    const shown = '[aria-label="Shown sample"]';

    it("is switched on the page, for the preview and for the checks together", async () => {
      const { page, press, waitForText, ...editor } = await open(definition);
      await waitForText("Lines: 2");
      await page.select(`.canvas-foot ${shown}`, "long");
      await waitForText("Lines: 60");
      await page.select(`.canvas-foot ${shown}`, "short");
      await waitForText("Lines: 1");
      await press("1 empty field", "Show Note in the sample data");
      await page.waitForFunction(
        `document.activeElement.matches('dialog [aria-label="Note"]')`,
      );
      await waitForText("Fields that aren't required are empty");
      // A changed sample is stored, and the main one stays as it is.
      await editor.type("Paid");
      await editor.waitForDraft(
        ({ sample, samples }) => [sample, Object(samples?.["short"]).note],
        [definition.sample, "Paid"],
      );
      await press("Done");
      await waitForDialogToClose(page);
      await waitForText("Note: Paid");
      await press("Preview");
      await editor.waitFor(".preview-paper canvas, .preview-paper img");
      expect(
        await page.$eval(".record-choice select", ({ value }) => value),
      ).to.equal("short");
      await page.select(".record-choice select", "");
      await waitForText("Lines: 2");
    });

    it("is copied under a name of its own, renamed and deleted", async () => {
      const editor = await open(definition);
      const { page, press } = editor;
      const waitForNames = (...names: string[]) =>
        editor.waitForDraft(({ samples }) => Object.keys(samples ?? {}), names);
      const act = async (words: string) => {
        await press("Actions for this sample");
        await page
          .locator(`dialog [role=menuitem] ::-p-text(${words})`)
          .click();
      };
      const name = (words: string) => fillField(page, "Name", words, "dialog");
      await openSample(editor);
      await act("Add a copy as a new sample");
      await name("short");
      await press("Add");
      await editor.waitForText("Another sample already has this name.");
      await name("Berlin");
      await press("Add");
      await waitForNames("Berlin");
      await act("Rename");
      await name("Bonn");
      await page.locator("dialog .dialog-end ::-p-text(Rename)").click();
      await waitForNames("Bonn");
      expect(
        await page.evaluate(`document.querySelector('dialog ${shown}').value`),
      ).to.equal("Bonn");
      await act("Delete");
      await waitForNames();
    });
  });

  describe("that does not fit the fields", () => {
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
        { type: "text", id: "number", text: "Invoice {{ root.number }}" },
        { type: "text", id: "customer", text: "For {{ root.customer }}" },
        { type: "text", id: "due", text: "Due on {{ root.dueOn }}" },
        {
          type: "text",
          id: "line",
          collection: { collectionId: "line", path: "root.lines" },
          text: "{{ line.title }}: {{ line.price | currency }}",
        },
        {
          type: "text",
          id: "total",
          text: "Total {{ SUM(root.lines, price) }}",
        },
      ],
    };

    it("is summed up below the page, marked where it is printed, and listed with what leads there", async () => {
      const { page, press, waitFor, ...editor } = await open(definition);
      await waitFor('[data-id="customer"] .chip.unfit');
      const marked = await page.$$eval(".chip.unfit", (chips) =>
        chips
          .filter((chip) => chip.closest("[data-copy]") === null)
          .map((chip) => chip.closest("[data-id]")?.getAttribute("data-id")),
      );
      expect(marked).to.deep.equal(["customer", "line", "total"]);
      expect(
        await page.$eval('[data-id="customer"] .chip.unfit', (chip) =>
          chip.getAttribute("title"),
        ),
      ).to.contain("The field is required");
      await press("2 fields are missing in this sample");
      await editor.waitForText("Lines 2 › Price");
      await page.locator(".sample-problem-list ::-p-text(Lines 2)").click();
      await editor.waitForSelection("line");
      expect(await page.$(".sample-problem-list:popover-open")).to.equal(null);
    });

    it("is marked in the further row that prints it, and in no other one", async () => {
      const lines = [
        { title: "Paper", price: 12.5 },
        { title: "Ink" },
        { title: "Pens", price: 3 },
        { title: "Clips", price: "none" },
      ];
      const sample = { number: "1", customer: "Meridian", lines };
      const { page } = await open({ ...definition, sample });
      await eventually(async () => {
        const marked = await page.$$eval('[data-copy="line"]', (copies) =>
          copies.map((row) => row.querySelector(".unfit") !== null),
        );
        return marked.join() === "true,false,true";
      });
    });

    it("is said to have wrong values, which the dialog leads to, and nothing once all values fit", async () => {
      const editor = await open({
        ...definition,
        sample: { ...record, customer: "Ada", dueOn: "31.12.2026", lines: [] },
      });
      const { page } = editor;
      await editor.waitForText("1 field has the wrong type in this sample");
      await editor.waitFor('[data-id="due"] .chip.unfit');
      await openSample(editor);
      await page.locator(".sample-faults button").click();
      await page.waitForFunction(
        `document.activeElement.matches('[aria-label="Due date"][aria-invalid="true"]')`,
      );
      await page.locator('dialog [aria-label="Due date"]').fill("2026-12-31");
      await editor.waitUntilGone(".sample-problems:not(.quiet), .chip.unfit");
    });

    it("lacks pasted fields that the data lacks, and gets them on request", async () => {
      const editor = await open({
        ...definition,
        sample: { ...record, customer: "Ada", lines: [] },
      });
      const { page, press, waitForText } = editor;
      const getWords = (selector: string) =>
        page.$$eval(selector, (all) => all.map((one) => one.textContent));
      await editor.click("number");
      await putOnClipboard(
        page,
        JSON.stringify({
          type: "text",
          id: "pasted",
          text: "VAT {{ root.seller.vatNumber }} from {{ root.vatRate | percent }}",
        }),
      );
      await editor.keys("Control+V");
      const unknown = ["Seller › Vat number", "Vat rate"];
      await waitForText("2 fields aren't in your data");
      expect(await getWords(".chip.unfit")).to.deep.equal(unknown);
      await press("2 fields aren't in your data");
      await waitForText("Not in your data, so nothing is printed");
      expect(await getWords(".unknown-field strong")).to.deep.equal(unknown);
      await page.locator(".unknown-field .button").click();
      await press("1 field isn't in your data");
      await page.locator(".unknown-field .button").click();
      await editor.waitUntilGone(".chip.unfit");
      await editor.waitForDraft(
        ({ schema }) => [
          schema[0]?.fields.slice(-2),
          schema.find(({ id }) => id === "seller")?.fields,
        ],
        [
          [
            { name: "seller", type: "OneToOneLink", target: "seller" },
            { name: "vatRate", type: "Number" },
          ],
          [{ name: "vatNumber", type: "String" }],
        ],
      );
    });

    it("follows from fields that are required, and from numbers that may be text", async () => {
      const { page, press, waitForText, waitForDraft } = await open({
        schema: [{ id: "root", fields: [{ name: "total", type: "Number" }] }],
        sample: {},
        components: [text("{{ root.total }}")],
      });
      const waitForField = (expected: object) =>
        waitForDraft(({ schema }) => schema[0]?.fields[0], expected);
      const field = { name: "total", required: true };
      await press("Data", "Total");
      await press("Required");
      await waitForText("1 field is missing in this sample");
      await press("Allow numbers as text");
      await waitForField({
        ...field,
        type: "Number",
        allowNumericStrings: true,
      });
      await page.select(".data-form select", "String");
      await waitForField({ ...field, type: "String" });
    });
  });
});

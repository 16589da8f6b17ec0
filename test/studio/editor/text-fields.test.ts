import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import {
  menuShows,
  type OpenEditor,
  useEditor,
} from "../../support/studio-editor.js";
import { fillField } from "../../support/studio.js";

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "issuedOn", type: "Date" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    {
      id: "lines",
      fields: [
        { name: "title", type: "String" },
        { name: "amount", type: "Number", label: "Net amount" },
        { name: "quantity", type: "Number" },
      ],
    },
  ],
  components: [
    {
      id: "each",
      type: "text",
      text: "",
      collection: { collectionId: "line", path: "root.lines" },
    },
  ],
  sample: {
    issuedOn: "2026-11-21",
    lines: [
      { title: "Work", amount: 12.5, quantity: 3 },
      { title: "Way", amount: 5, quantity: 1 },
    ],
  },
};

/** Types, and chooses what the menu then has at hand. */
async function chooseField(
  { page, type, keys }: OpenEditor,
  typed: string,
  ...shown: string[]
): Promise<void> {
  await type(typed);
  await menuShows(page, ...shown);
  await keys("Enter");
}

/** Waits until the chips of the text are labeled like this. */
async function waitForChips(
  { page }: OpenEditor,
  ...labels: string[]
): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll(".text-typing .chip")]
      .map((one) => one.textContent).join() === ${JSON.stringify(labels.join())}`,
  );
}

describe("the fields in a text", () => {
  const service = useService();
  const open = useEditor(service);

  it("are offered on a slash or braces, found by typing, inserted by Enter or Tab, and not offered after Escape", async () => {
    const editor = await open(definition);
    const { page, type, keys } = editor;
    await editor.edit("each");
    await type("Pays /");
    await menuShows(page, "Title", "Work");
    await chooseField(editor, "amount net", "Net amount", "12.5");
    await type(" since /issued");
    await menuShows(page, "Issued on", "Nov 21, 2026");
    await keys("Tab");
    await chooseField(editor, ", and/or {{titl", "Title", "Work");
    await type(" /later");
    await keys("Escape");
    await type(" \\{{x");
    await keys("Escape");
    await editor.waitForTextOfDraft(
      'Pays {{ line.amount }} since {{ root.issuedOn | date("medium") }}, and/or {{ line.title }} /later \\\\{{x',
    );
  });

  it("are multiplied and summed in further steps, and have settings that preview what is printed", async () => {
    const editor = await open(definition);
    const { page, keys, waitForText } = editor;
    await editor.edit("each");
    await chooseField(editor, "/multiply", "Multiply two fields");
    await waitForText("Which field first?");
    await chooseField(editor, "quant", "Quantity", "3");
    await waitForText("Quantity and which other field?");
    await chooseField(editor, "", "Net amount", "12.5");
    await waitForChips(editor, "Quantity × Net amount");
    await page.locator(".text-typing .chip").click();
    await waitForText("Shows 37.5");
    await fillField(page, "Format", '["currency"]');
    await waitForText("Shows $37.50");
    // Above the outline of the list's other element.
    const levels =
      await page.evaluate(`[".chip-popover", ".copy-box"].map((one) => {
      for (let at = document.querySelector(one); at; at = at.parentElement) {
        const { zIndex } = getComputedStyle(at);
        if (zIndex !== "auto") return Number(zIndex);
      }
    })`);
    expect(levels).to.satisfy(([popover, copy]: number[]) => popover! > copy!);
    await keys("Escape", "ArrowRight");
    await chooseField(editor, "/sum of", "Sum of a list");
    await waitForText("Sum of a list: which list?");
    await chooseField(editor, "", "Lines");
    await chooseField(editor, "mult", "Multiply two fields");
    await chooseField(editor, "", "Net amount");
    await chooseField(editor, "quant", "Quantity");
    await waitForChips(
      editor,
      "Quantity × Net amount",
      "Sum of Net amount × Quantity",
    );
    await editor.waitForTextOfDraft(
      "{{ line.quantity * line.amount | currency }}{{ SUM(root.lines, amount * quantity) }}",
    );
  });

  it("may be dates plus or minus some time, which their settings change", async () => {
    const editor = await open(definition);
    const { page, keys, waitForText, waitForTextOfDraft } = editor;
    await editor.edit("each");
    await chooseField(editor, "/due", "Date plus or minus days");
    await waitForText("Which date?");
    await chooseField(editor, "issued", "Issued on");
    await waitForText("Shows Dec 5, 2026");
    await editor.waitFor(".date-offset input:focus");
    await fillField(page, "Add to the date", "-2");
    await fillField(page, "Unit of time", "months");
    await waitForText("Shows Sep 21, 2026");
    await waitForChips(editor, "Issued on − 2 months");
    await keys("Escape", "ArrowRight");
    await chooseField(editor, " /today", "Today's date");
    const today = '{{ TODAY() | date("medium") }}';
    await waitForTextOfDraft(
      `{{ DATE_ADD(root.issuedOn, -2, "months") | date("medium") }} ${today}`,
    );
    await page.locator(".text-typing .chip").click();
    await fillField(page, "Add to the date", "0");
    await waitForChips(editor, "Issued on", "Today");
    await waitForTextOfDraft(`{{ root.issuedOn | date("medium") }} ${today}`);
  });

  it("are added to the data by typing a new name, to the list in whose row the caret is", async () => {
    const editor = await open({
      ...definition,
      components: [
        { id: "one", type: "text", text: "Dear " },
        ...definition.components,
      ],
    });
    const namesOf = (index: number) =>
      editor.draft().then(({ schema }) => schema[index]?.fields.at(-1));
    await editor.edit("one");
    await chooseField(editor, "/customer", "Add the field “Customer”");
    await editor.type(",");
    await editor.waitForTextOfDraft("Dear {{ root.customer }},");
    const field = { name: "customer", label: "Customer", type: "String" };
    expect(await namesOf(0)).to.eql(field);
    await editor.keys("Escape");
    await editor.edit("each");
    await chooseField(editor, "/vat", "Add the field “Vat”");
    await editor.waitForJson("{{ line.vat }}");
    expect(await namesOf(1)).to.include({ name: "vat" });
  });

  it("are asked for in a template that has none", async () => {
    const { edit, type, waitForText } = await open([
      { id: "one", type: "text", text: "" },
    ]);
    await edit("one");
    await type("/");
    await waitForText("No fields yet. Type a name to add one.");
  });

  it("have a format and words for an empty value, are deleted like one letter, and show what is wrong with a formula", async () => {
    const editor = await open({
      schema: [
        {
          id: "root",
          fields: [
            { name: "total", type: "Number" },
            { name: "note", type: "String" },
          ],
        },
      ],
      components: [
        {
          id: "one",
          type: "text",
          text: "Due: {{ root.total }}. {{ root.note }}",
        },
      ],
      sample: { total: 1234.5, note: "" },
    });
    const { page, press, type, keys, waitForText } = editor;
    const arrows = Array.from({ length: 4 }, () => "ArrowRight");
    await editor.edit("one");
    await page.locator(".text-typing .chip").click();
    await waitForText("Shows 1234.5");
    await fillField(page, "Format", '["number",2]');
    await waitForText("Shows 1,234.50");
    await fillField(page, "Format", '["currency"]');
    await fillField(page, "Currency", "CHF");
    await waitForText("Shows CHF\u00a01,234.50");
    await press("Done");
    await keys(...arrows, "Enter");
    await waitForText("Empty with the sample data");
    await fillField(page, "If empty, show", 'no "note"');
    await waitForText('Shows no "note"');
    await keys("Escape");
    const total = 'Due: {{ root.total | currency("CHF") }}. ';
    await editor.waitForTextOfDraft(
      `${total}{{ root.note | default("no \\"note\\"") }}`,
    );
    await keys("ArrowRight", "Backspace");
    await editor.waitForTextOfDraft(total);
    await type("{{root.total * }}");
    await page.locator(".text-typing .chip.formula").click();
    await waitForText("A value is missing at the end");
    await page.locator(".formula-field").fill("root.total * 2");
    await waitForText("Shows 2469");
    await keys("Escape");
    await editor.waitForTextOfDraft(`${total}{{ root.total * 2 }}`);
  });
});

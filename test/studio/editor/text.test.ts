import { expect } from "chai";
import type { ProjectData, Text } from "../../../core/plugin-api/definition.js";
import { toSchema } from "../../support/schema.js";
import { useService } from "../../support/service.js";
import {
  menuShows,
  type OpenEditor,
  pasteInto,
  useEditor,
} from "../../support/studio-editor.js";
import { fillField } from "../../support/studio.js";

const letter: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  components: [
    { id: "one", type: "text", text: "Dear all" },
    { id: "title", type: "heading", text: "Invoice", level: 1 },
    { id: "two", type: "text", text: "Yours", class: "small" },
    { id: "gap", type: "spacer", height: "10mm" },
  ],
  styles: { small: { "font-size": "8pt" } },
};

const field = (name: string) => `.text-bar [aria-label="${name}"]`;

/** Waits until the bar shows these values. */
async function barShows(
  { page }: OpenEditor,
  values: Record<string, string>,
): Promise<void> {
  await page.waitForFunction(`
    Object.entries(${JSON.stringify(values)}).every(([name, value]) => {
      const found = document.querySelector(
        ".text-bar [aria-label=" + JSON.stringify(name) + "]");
      const [chosen] = found.selectedOptions ?? [];
      return (chosen ? chosen.textContent : found.value) === value;
    })`);
}

async function typeSize(
  { page, keys, type }: OpenEditor,
  size: string,
): Promise<void> {
  await page.locator(field("Size in pt")).click();
  await type(size);
  await keys("Enter");
}

describe("the format of a text", () => {
  const service = useService();
  const open = useEditor(service);

  it("has a bar that says what to select, shows the inherited look of a selected text, and changes all of it", async () => {
    const editor = await open(letter);
    const { page, click, press, waitFor, waitForDraft } = editor;
    await waitFor(`${field("Font")}:disabled`);
    const hint = await page.$eval(".text-bar-hint", (one) => one.textContent);
    expect(hint).to.equal("Select text to format it");
    await click("gap");
    await editor.waitForSelection("gap");
    await waitFor(`${field("Font")}:disabled`);
    await click("title");
    await barShows(editor, {
      Font: "Inter",
      "Size in pt": "22 pt",
      Weight: "Bold",
      Color: "#0f1524",
    });
    await waitFor(`${field("Left")}[aria-pressed="true"]`);
    await click("two");
    await barShows(editor, { "Size in pt": "8 pt", Weight: "Regular" });
    await waitFor(`${field("Size in pt")}.is-inherited`);
    await click("one");
    await barShows(editor, { "Size in pt": "10.5 pt" });
    await typeSize(editor, "12");
    await page.select(field("Weight"), "500");
    await press("Center", "Italic (Ctrl+I)");
    await waitForDraft(({ components: [one] }) => one?.style, {
      "font-size": "12pt",
      "font-weight": "500",
      "text-align": "center",
      "font-style": "italic",
    });
    await waitFor(`${field("Size in pt")}:not(.is-inherited)`);
    await barShows(editor, { "Size in pt": "12 pt", Weight: "Medium" });
    await page.select(field("Weight"), "");
    await barShows(editor, { Weight: "Regular" });
    await press("Clear formatting");
    await waitForDraft(({ components: [one] }) => one, letter.components[0]);
  });

  it("is changed for several selected texts at once, and is empty in the bar where they differ", async () => {
    const editor = await open(letter);
    const { click, press, keys, waitFor, waitForDraft } = editor;
    await click("title");
    await keys("Shift+ArrowDown");
    await barShows(editor, { "Size in pt": "", Font: "Inter" });
    await waitFor(`${field("Larger")}:disabled`);
    await typeSize(editor, "11");
    await press("Larger");
    const style = { "font-size": "12pt" };
    await waitForDraft(
      ({ components }) => components.map((one) => one.style),
      [undefined, style, style, undefined],
    );
  });

  it("is changed for the selected words, which stay marked while the bar has the focus, without covering text", async () => {
    const editor = await open(letter);
    const { page, press, keys, type, waitFor } = editor;
    await editor.edit("one");
    await keys("Shift+Control+ArrowLeft");
    await barShows(editor, { "Size in pt": "10.5 pt" });
    expect(await page.$(".overlay")).to.equal(null);
    await page.locator(field("Size in pt")).click();
    await waitFor(".text-typing .text-selected");
    await type("14");
    await keys("Enter");
    await waitFor('[data-id="one"] .ProseMirror-focused');
    await barShows(editor, { "Size in pt": "14 pt" });
    await press("Bold (Ctrl+B)");
    await waitFor(`${field("Bold (Ctrl+B)")}[aria-pressed="true"]`);
    await press("Right");
    await editor.waitForDraft(({ components: [one] }) => one, {
      id: "one",
      type: "text",
      text: [
        "Dear ",
        { text: "all", marks: [{ style: { "font-size": "14pt" } }, "bold"] },
      ],
      style: { "text-align": "right" },
    });
    await editor.click("title");
    await editor.waitUntilGone(".text-typing");
  });

  it("is set by keys, with links, and stored as a plain string once it is cleared", async () => {
    const editor = await open([
      { id: "one", type: "text", text: "Dear {{ root.name }}" },
    ]);
    const { page, press, keys, type, waitFor, waitForTextOfDraft } = editor;
    const name = "{{ root.name }}";
    await editor.edit("one");
    await keys("Shift+ArrowLeft", "Control+B");
    await waitForTextOfDraft(["Dear ", { text: name, marks: ["bold"] }]);
    await keys("Control+K");
    await waitFor(".link-form .ProseMirror-focused");
    await keys("Escape");
    await waitFor('[data-id="one"] .ProseMirror-focused');
    await keys("Alt+F10", "ArrowRight", "Enter");
    await waitForTextOfDraft([
      "Dear ",
      { text: name, marks: ["bold", "italic"] },
    ]);
    await keys("Enter", "Escape", "Control+K");
    await page.locator(".link-form .text-typing").click();
    await type("example.com/");
    await press("Set link");
    const link = { link: "https://example.com/" };
    await waitForTextOfDraft(["Dear ", { text: name, marks: [link, "bold"] }]);
    await keys("Control+A");
    await typeSize(editor, "8");
    const small = { style: { "font-size": "8pt" } };
    await waitForTextOfDraft([
      { text: "Dear ", marks: [small] },
      { text: name, marks: [link, small, "bold"] },
    ]);
    await press("Clear formatting");
    await waitForTextOfDraft(`Dear ${name}`);
    await keys("Control+Z", "Control+Z", "Control+Z");
    await waitForTextOfDraft(["Dear ", { text: name, marks: ["bold"] }]);
  });

  it("is kept in pasted text, together with variables, and undone separately", async () => {
    const editor = await open([{ id: "one", type: "text", text: "" }]);
    const { page, edit, keys, type, waitForTextOfDraft } = editor;
    await edit("one");
    await pasteInto(page, { "text/html": fromWord });
    await waitForTextOfDraft([
      { text: "Dear {{ root.name }}", marks: ["bold"] },
      "\nsecond ",
      { text: "line", marks: ["italic"] },
    ]);
    await keys("Control+A");
    await pasteInto(page, { "text/html": fromDocs });
    await waitForTextOfDraft(fromDocsAsText);
    await keys("Control+A");
    const template = 'a {{ root.x | default("}}") }}\r\nb \\{{ c';
    await pasteInto(page, { "text/plain": template });
    const written = template.replace("\r\n", "\n");
    await waitForTextOfDraft(written);
    expect(await page.$$(".text-typing .chip")).to.have.length(1);
    await type("!");
    await waitForTextOfDraft(`${written}!`);
    await keys("Control+Z", "Control+Z");
    await waitForTextOfDraft(fromDocsAsText);
  });
});

const fromWord = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<style>p.MsoNormal { margin: 0 }</style></head><body><!--StartFragment-->
<p class=MsoNormal style='margin:0'><b><span style='color:red'>Dear {{ root.name }}</span></b><o:p></o:p></p>
<p class=MsoNormal>second <i>line</i></p><script>alert(1)</script><!--EndFragment--></body></html>`;

const fromDocs = `<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-1">
<p dir="ltr"><span style="font-weight:700;font-style:normal">Bold</span><span style="text-decoration:underline"> and</span></p></b>`;

const fromDocsAsText: Text = [
  { text: "Bold", marks: ["bold"] },
  { text: " and", marks: ["underline"] },
];

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

  it("are asked for in a template that has none, and added to the data by typing a new name", async () => {
    const editor = await open([{ id: "one", type: "text", text: "" }]);
    await editor.edit("one");
    await editor.type("/");
    await editor.waitForText("No fields yet. Type a name to add one.");
    await chooseField(editor, "customer", "Add the field “Customer”");
    await editor.type(",");
    await editor.waitForTextOfDraft("{{ root.customer }},");
    await editor.waitForDraft(
      ({ schema }) => schema[0]?.fields,
      [{ name: "customer", label: "Customer", type: "String" }],
    );
  });

  it("have a format and words for an empty value, are deleted like one letter, and show what is wrong with a formula", async () => {
    const editor = await open({
      schema: toSchema({ root: "total Number, note String" }),
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

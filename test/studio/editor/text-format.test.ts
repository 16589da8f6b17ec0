import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData, Text } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import {
  type OpenEditor,
  pasteInto,
  useEditor,
} from "../../support/studio-editor.js";

const definition: ProjectData = {
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
    const editor = await open(definition);
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
    await waitForDraft(
      ({ components: [one] }) => one,
      definition.components[0],
    );
  });

  it("is changed for several selected texts at once, and is empty in the bar where they differ", async () => {
    const editor = await open(definition);
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
    const editor = await open(definition);
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

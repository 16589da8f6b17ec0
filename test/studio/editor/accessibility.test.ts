import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { toSchema } from "../../support/schema.js";
import { useService } from "../../support/service.js";
import {
  menuShows,
  openEditor,
  saveDraft,
} from "../../support/studio-editor.js";
import { checkLooks, expectRefusal, usePage } from "../../support/studio.js";

const definition: ProjectData = {
  schema: toSchema({
    root: "issuedOn! Date, note String, lines OneToManyLink lines",
    lines: "price Number",
  }),
  components: [
    { type: "heading", id: "title", text: "Title" },
    {
      type: "text",
      id: "one",
      text: 'Due {{ DATE_ADD(root.issuedOn, 3, "days") }}, {{ root.vat }}',
      style: { color: "#112233" },
    },
    {
      type: "container",
      id: "box",
      collection: { collectionId: "line", path: "root.lines" },
      components: [{ type: "text", text: "{{ line.price }}" }],
    },
    {
      type: "table",
      id: "table",
      components: [
        {
          type: "table-row",
          components: [
            { type: "table-cell", id: "cell", text: "Cell" },
            { type: "table-cell", text: "Cell" },
          ],
        },
      ],
    },
  ],
  sample: { lines: [{ price: 1 }, { price: 2 }] },
};

describe("the editor", () => {
  const service = useService();

  const user = usePage(service, "editor");
  const check = (what: string, within?: string) =>
    checkLooks(
      user().page,
      what,
      within === undefined ? { phone: "colors" } : { within },
    );
  it("has no accessibility violations around the page", async () => {
    const editor = await openEditor(service, user(), definition);
    const { press, templateId, waitFor, waitForText } = editor;
    await check("page");
    await press("Preview");
    await waitFor("[aria-label='Page 1 of 1'] canvas");
    await check("preview");
    const broken = { type: "text", id: "first", text: "{{ root. }}" };
    await saveDraft(user(), templateId, {
      schema: [{ id: "root", fields: [] }],
      components: [broken],
    });
    await waitForText("Couldn't render the template");
    await press("JSON");
    await waitForText("1 problem");
    await check("JSON");
    await press("Versions");
    await waitForText("changes: Version 1");
    await check("versions");
    await press("Publish");
    await waitForText("1 problem to fix first");
    await check("publishing");
    await expectRefusal(user(), 400);
  });

  it("has no accessibility violations in its panels, menus and dialogs", async () => {
    const editor = await openEditor(service, user(), definition);
    const { page, click, press, keys, waitFor } = editor;
    const close = async () => {
      await keys("Escape");
      await editor.waitUntilGone("dialog");
    };
    await press("Outline");
    await page.waitForSelector("[role=tree]");
    await page.focus("[role=tree]");
    await keys("ArrowDown");
    await waitFor("[role=treeitem][aria-selected=true]");
    await check("outline", ".editor-left");
    for (const key of ["/", "?"]) {
      await keys(key);
      await waitFor("dialog[open]");
      await check(`dialog of ${key}`, "dialog");
      await close();
    }
    await click("one", { button: "right" });
    await waitFor(".context-menu:popover-open");
    await check("menu of the selection", ".context-menu");
    await keys("Escape");
    await click("cell");
    await waitFor(".column-handle[role=separator]");
    await check("tools of a table", ".canvas");
    await click("box");
    await press("Rules", "Add a rule");
    await waitFor(".rule-fact");
    await check("rules", ".editor-right");
    await editor.edit("one");
    await editor.type("/");
    await menuShows(page, "Issued on");
    await check("menu of fields", ".path-menu");
    await keys("Escape", "Backspace");
    await page.locator(".text-typing .chip").click();
    await waitFor(".chip-popover");
    await check("settings of a field", ".chip-popover");
    await keys("Escape", "Escape");
    await press("2 fields to check");
    await waitFor(".sample-problem-list:popover-open");
    await check("problems of the sample", ".sample-problem-list");
    await keys("Escape");
    await press("Data", "Note", "Rename note in the data");
    await waitFor("dialog input");
    await check("renaming a field", "dialog");
    await close();
    await press("Sample data");
    for (const form of ["Fields", "As JSON", "Paste rows"]) {
      await page.locator(`dialog label ::-p-text(${form})`).click();
      await check(`sample: ${form}`, "dialog");
    }
  });
});

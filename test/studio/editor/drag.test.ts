import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  Component,
  ProjectData,
} from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { type OpenEditor, useEditor } from "../../support/studio-editor.js";

const part = (id: string): string => `.canvas [data-id="${id}"]`;

const text = (id: string): Component => ({ type: "text", id, text: id });
const texts = ["one", "two", "three"].map(text);
const row = (name: string): Component => ({
  type: "table-row",
  id: name,
  components: ["a", "b"].map((column) => ({
    type: "table-cell",
    id: name + column,
    text: name + column,
  })),
});
const box = (...components: Component[]): Component => ({
  type: "container",
  id: "box",
  components,
});

const column = (width: string, component: Component): Component => ({
  type: "column",
  width,
  components: [component],
});

/**
 * Presses something near its left edge, and moves to a place in something else.
 * @param across in px from the left edge, from the right one if negative; a share of the width between 0 and 1
 * @param down a share of the height
 */
async function drag(
  { page, waitFor }: OpenEditor,
  from: string,
  to: string,
  [across, down]: readonly [across: number, down: number] = [0.5, 0.5],
): Promise<void> {
  await page.locator(from).hover();
  const start = await (await page.waitForSelector(from))?.boundingBox();
  const end = await (await page.waitForSelector(to))?.boundingBox();
  if (!start || !end) throw new Error(`${from} or ${to} is not visible`);
  await page.mouse.move(start.x + 8, start.y + start.height / 2);
  await page.mouse.down();
  const inside = across > 0 && across < 1 ? end.width * across : across;
  const x = inside < 0 ? end.x + end.width + inside : end.x + inside;
  const y = end.y + end.height * down;
  await page.mouse.move(x - 30, y - 30, { steps: 3 });
  await page.mouse.move(x, y, { steps: 4 });
  await waitFor(".drag-ghost");
}

/** Drags to the side of a component, where an upright line shows, and drops. */
async function dropBeside(
  editor: OpenEditor,
  from: string,
  to: string,
  across: number,
): Promise<void> {
  const { page } = editor;
  await drag(editor, from, to, [across, 0.5]);
  await page.waitForFunction(`[...document.querySelectorAll(".drop-mark.is-line")]
    .map((one) => one.getBoundingClientRect())
    .some(({ width, height }) => height > width * 2)`);
  await page.mouse.up();
}

interface Edges {
  left: number;
  top: number;
  bottom: number;
}

/** The edges of the component's box in the window. */
async function getEdges({ page }: OpenEditor, id: string): Promise<Edges> {
  // Once the page has found its size.
  await page.locator(part(id)).hover();
  return page.$eval(`.sheet [data-id="${id}"]`, (one) =>
    one.getBoundingClientRect().toJSON(),
  );
}

/** Presses left of the page at one height, and moves into it at another. */
async function drawRectangle(
  editor: OpenEditor,
  from: number,
  to: number,
): Promise<void> {
  const { page, waitFor } = editor;
  const { left } = await getEdges(editor, "head");
  // The margin of the page is empty.
  await page.mouse.move(left - 15, from);
  await page.mouse.down();
  await page.mouse.move(left + 5, (from + to) / 2, { steps: 3 });
  await page.mouse.move(left + 30, to, { steps: 3 });
  await waitFor(".marquee");
}

describe("dragging on the page", () => {
  const open = useEditor(useService());

  it("moves and adds components where they are allowed, and says beside the pointer why elsewhere they are not", async () => {
    const editor = await open({
      schema: [{ id: "root", fields: [] }],
      page: { header: [text("top")] },
      components: [
        text("title"),
        { type: "table", id: "table", components: [row("one"), row("two")] },
        box(),
      ],
    });
    const { page, click, waitFor, waitForLastAction } = editor;
    const refuses = async (what: string, to: string, why: string) => {
      await drag(editor, what, to);
      await waitFor(".drag-ghost.nowhere", `.drag-refusal ::-p-text(${why})`);
      await page.mouse.up();
    };
    await drag(editor, '[data-new="text"]', part("box"));
    await page.mouse.up();
    await waitForLastAction("Text added into Box, position 1 of 1");
    await editor.keys("Escape");
    await drag(editor, part("onea"), part("oneb"), [0.95, 0.5]);
    await page.mouse.up();
    await waitForLastAction("Cell moved to position 2 of 2");
    const why = "A cell can only be moved within its row.";
    await refuses(part("oneb"), part("title"), why);
    await waitForLastAction(`Cell wasn't moved. ${why}`);
    await refuses(
      '[data-new="page-break"]',
      part("top"),
      "Page break isn't allowed in a header or footer.",
    );
    await drag(editor, '[data-new="page-number"]', part("title"));
    await waitFor(
      ".drag-refusal ::-p-text(is only allowed in a header or footer.)",
    );
    await editor.keys("Escape");
    await page.mouse.up();
    await waitForLastAction("Drag canceled");
    await editor.waitForBody(
      "title table(table-row(oneb onea) table-row(twoa twob)) container(_)",
    );
    // A cell from the palette brings a column.
    await click("onea");
    await drag(editor, '[data-new="table-cell"]', part("oneb"), [2, 0.5]);
    await page.mouse.up();
    await waitForLastAction("Cell added into Row, position 1 of 3");
    await editor.waitForBody(
      "title table(table-row(_ oneb onea) table-row(_ twoa twob)) container(_)",
    );
  });

  it("moves all selected components together", async () => {
    const editor = await open([text("head"), box(...texts), text("last")]);
    await editor.click("last");
    await editor.page.keyboard.down("Shift");
    await editor.click("head");
    await editor.page.keyboard.up("Shift");
    await drag(editor, part("last"), part("two"), [20, 0.15]);
    await editor.waitFor(".drop-mark");
    await editor.page.mouse.up();
    await editor.waitForBody("container(one head last two three)");
    await editor.waitForSelection("head", "last");
  });

  for (const type of ["document", "email"] as const)
    it(`makes columns at the side of a component, to which further drops add a column, in a template of type ${type}`, async () => {
      const definition: ProjectData = {
        schema: [{ id: "root", fields: [] }],
        components: texts,
        ...(type === "email" && { email: { subject: "News" } }),
      };
      const editor = await open(definition, type);
      const { keys, waitForBody } = editor;
      await dropBeside(editor, part("two"), part("one"), -5);
      await editor.waitForLastAction("Text moved into Column, position 1 of 1");
      await waitForBody("columns(column(one) column(two)) three");
      await dropBeside(editor, part("three"), part("one"), 4);
      await waitForBody("columns(column(three) column(one) column(two))");
      await keys("Control+Z");
      await waitForBody("columns(column(one) column(two)) three");
      await dropBeside(editor, '[data-new="text"]', part("two"), 5);
      await editor.waitForLastAction("Text added into Column, position 1 of 1");
      await waitForBody("columns(column(one) column(_) column(two)) three");
      await keys("Escape", "Control+Z", "Control+Z");
      await waitForBody("one two three");
    });

  it("keeps the proportions of columns with widths, and moves between components in the middle", async () => {
    const editor = await open([
      {
        type: "columns",
        components: [column("75%", text("one")), column("25%", text("two"))],
      },
      text("three"),
      text("four"),
    ]);
    await drag(editor, part("four"), part("three"), [120, 0.2]);
    await editor.page.mouse.up();
    const before = "columns(column[75%](one) column[25%](two))";
    await editor.waitForBody(`${before} four three`);
    await dropBeside(editor, part("three"), part("two"), -2);
    await editor.waitForBody(
      "columns(column[50%](one) column[16.67%](two) column[33.33%](three)) four",
    );
  });

  const manyTexts = [text("head"), box(...texts), text("last")];

  it("draws a rectangle from an empty place, which selects the components that it touches, or the parts of the only one", async () => {
    const editor = await open(manyTexts);
    const { page, waitForSelection, waitForLastAction } = editor;
    const head = await getEdges(editor, "head");
    const one = await getEdges(editor, "one");
    const two = await getEdges(editor, "two");
    const last = await getEdges(editor, "last");
    // From the ground around the page.
    const sheet = await page.$eval(".sheet", (found) =>
      found.getBoundingClientRect().toJSON(),
    );
    await page.mouse.move(sheet.left - 12, last.top + 2);
    await page.mouse.down();
    await page.mouse.move(head.left + 20, last.top + 6, { steps: 4 });
    await waitForSelection("last");
    await page.mouse.up();
    await drawRectangle(editor, one.top + 3, two.top + 3);
    await waitForSelection("one", "two");
    await page.mouse.up();
    await waitForSelection("one", "two");
    await drawRectangle(editor, head.top + 3, last.top + 3);
    await waitForSelection("head", "box", "last");
    await page.mouse.up();
    await waitForLastAction("3 components selected");
    await editor.waitUntilGone(".marquee");
    expect(await page.evaluate("String(getSelection())")).to.equal("");
    await editor.keys("Delete");
    await waitForLastAction("3 components deleted");
  });

  it("adds by a rectangle to the selection with Shift, and gives it back with Escape", async () => {
    const editor = await open(manyTexts);
    const { page, waitForSelection } = editor;
    await editor.click("head");
    const last = await getEdges(editor, "last");
    await page.keyboard.down("Shift");
    await drawRectangle(editor, last.top + 3, last.bottom - 3);
    await waitForSelection("head", "last");
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const one = await getEdges(editor, "one");
    await drawRectangle(editor, one.top + 3, one.bottom - 3);
    await waitForSelection("one");
    await editor.keys("Escape");
    await waitForSelection("head", "last");
    await page.mouse.up();
    await waitForSelection("head", "last");
  });
});

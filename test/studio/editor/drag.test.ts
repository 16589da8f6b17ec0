import { expect } from "chai";
import type { Component } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { type OpenEditor, useEditor } from "../../support/studio-editor.js";

const part = (id: string): string => `.canvas [data-id="${id}"]`;

const text = (id: string): Component => ({ type: "text", id, text: id });
const texts = ["one", "two", "three"].map(text);
const row = (name: string, columns = "ab"): Component => ({
  type: "table-row",
  id: name,
  components: columns.split("").map((column) => ({
    type: "table-cell",
    id: name + column,
    text: name + column,
  })),
});
const makeBox = (...components: Component[]): Component => ({
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

const columns = (...widths: string[]): Component => ({
  type: "columns",
  id: "columns",
  gap: "10mm",
  components: ["left", "right"].map((id, index) => ({
    type: "column",
    id,
    width: widths[index],
    components: [{ type: "text", id: `${id}-text`, text: id }],
  })),
});

// One px, which is drawn as large as it is said to be.
const image: Component = {
  type: "image",
  id: "image",
  src: "data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=",
  width: "40mm",
  height: "20mm",
};

/** In the window, of a mm of the sheet. */
async function getPxPerMm({ page }: OpenEditor): Promise<number> {
  return Number(
    await page.evaluate(
      `96 / 25.4 / getComputedStyle(document.querySelector(".sheet")).getPropertyValue("--unscaled")`,
    ),
  );
}

/** Presses a handle and moves the pointer by mm of the sheet, without releasing it. @returns the label. */
async function pull(
  editor: OpenEditor,
  selector: string,
  across: number,
  down = 0,
): Promise<string> {
  const { page } = editor;
  const box = await (await page.waitForSelector(selector))?.boundingBox();
  if (!box) throw new Error(`${selector} is not visible`);
  const pxPerMm = await getPxPerMm(editor);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const steps = 6;
  await page.mouse.move(x + across * pxPerMm, y + down * pxPerMm, { steps });
  await editor.waitFor(".resize-label");
  return page.$eval(".resize-label", (one) => one.textContent ?? "");
}

/** The saved widths of the first component's columns in percent; undefined for one without. */
async function getShares({ draft }: OpenEditor) {
  const [first] = (await draft()).components;
  const list =
    first?.type === "table"
      ? first.columns
      : first?.type === "columns"
        ? first.components
        : [];
  return (list ?? []).map((one) =>
    "width" in one && one.width?.endsWith("%")
      ? Number.parseFloat(one.width)
      : undefined,
  );
}

async function waitForShares(
  editor: OpenEditor,
  ...expected: (number | undefined)[]
): Promise<void> {
  await eventually(async () => {
    const shares = await getShares(editor);
    return (
      shares.length === expected.length &&
      shares.every(
        (share = 0, index) => Math.abs(share - (expected[index] ?? 0)) < 0.1,
      )
    );
  });
}

const side = (name: string) => `.size-handle[data-side="${name}"]`;

const boundary = (owner: string, index = 0) =>
  `.column-handle[data-owner="${owner}"][data-index="${index}"][role=separator]`;

describe("dragging on the page", () => {
  const open = useEditor(useService());

  it("moves and adds components where they are allowed, and says beside the pointer why elsewhere they are not", async () => {
    const editor = await open({
      schema: [{ id: "root", fields: [] }],
      page: { header: [text("top")] },
      components: [
        text("title"),
        { type: "table", id: "table", components: [row("one"), row("two")] },
        makeBox(),
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
    const editor = await open([text("head"), makeBox(...texts), text("last")]);
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

  it("makes columns at the side of a component, to which further drops add a column", async () => {
    const editor = await open(texts);
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

  const manyTexts = [text("head"), makeBox(...texts), text("last")];

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

  it("moves the boundary between columns to whole millimetres, as one step", async () => {
    const editor = await open([columns()]);
    const { page, click, keys } = editor;
    await click("left-text");
    const label = await pull(editor, boundary("columns"), -22.3);
    const [left = 0, right = 0] = label.split(" | ").map(Number.parseFloat);
    expect(left).to.equal(Math.round(left));
    expect(left).to.be.below(right);
    await page.mouse.up();
    const share = (left / (left + right)) * 100;
    await waitForShares(editor, share, 100 - share);
    await editor.waitUntilGone(".resize-label");
    await keys("Control+Z");
    await waitForShares(editor, undefined, undefined);
  });

  it("measures the columns of emails in px", async () => {
    const editor = await open(
      {
        schema: [{ id: "root", fields: [] }],
        email: { subject: "News" },
        components: [columns()],
      },
      "email",
    );
    await editor.click("left-text");
    const label = await pull(editor, boundary("columns"), -20);
    expect(label).to.match(/^\d+ px \| \d+ px$/);
    await editor.page.mouse.up();
    await eventually(async () =>
      (await getShares(editor)).every((share) => share !== undefined),
    );
  });

  it("aligns with equal shares and with the edges of others, unless Alt is held", async () => {
    const editor = await open([
      columns("30%", "70%"),
      { ...image, width: "55.5mm" },
    ]);
    const { page, click, waitFor } = editor;
    await click("left-text");
    const [left = 0, right = 0] = await page.$$eval(
      ".sheet [data-type=column]",
      (all) => all.map((one) => one.getBoundingClientRect().width),
    );
    const half = (right - left) / 2 / (await getPxPerMm(editor));
    await pull(editor, boundary("columns"), half + 0.4);
    await waitFor(".resize-line.is-aligned");
    await page.mouse.up();
    await waitForShares(editor, 50, 50);
    await pull(editor, boundary("columns"), -5.13);
    await page.keyboard.down("Alt");
    await page.mouse.move(300, 300);
    await waitFor(".resize-line:not(.is-aligned)");
    await page.keyboard.press("Escape");
    await page.keyboard.up("Alt");
    await page.mouse.up();
    await editor.waitUntilGone(".resize-line");
    await waitForShares(editor, 50, 50);
  });

  it("moves the boundary between columns of a table, also with the keyboard, and makes them equal again", async () => {
    const editor = await open([
      {
        type: "table",
        id: "table",
        columns: [{}, { align: "right" }],
        components: [row("one", "abc"), row("two", "abc")],
      },
    ]);
    const { page, click, keys } = editor;
    await page.hover('[data-id="onea"]');
    await pull(editor, boundary("table"), 20);
    await page.mouse.up();
    const shares = await eventually(async () => {
      const found = await getShares(editor);
      return found.length === 3 && found;
    });
    const [first = 0, second = 0, third = 0] = shares;
    expect(first).to.be.above(second);
    expect(first + second + third).to.be.closeTo(100, 0.05);
    await editor.waitForJson('"align":"right"');
    await click("onea");
    await page.focus(boundary("table", 1));
    const name = await page.$eval(boundary("table", 1), (one) =>
      one.getAttribute("aria-label"),
    );
    expect(name).to.equal("Width of column 2");
    // Each key moves the boundary that was drawn after the one before.
    let before = second;
    for (const key of ["ArrowLeft", "ArrowLeft", "Shift+ArrowLeft"]) {
      await keys(key);
      before = await eventually(async () => {
        const [, narrow = 0] = await getShares(editor);
        return narrow < before && narrow;
      });
    }
    const [, narrow = 0, wide = 0] = await getShares(editor);
    expect(narrow).to.be.below(second - 6);
    expect(wide).to.be.above(third + 6);
    await keys("Control+Z");
    await waitForShares(editor, ...shares);
    await click("onea", { button: "right" });
    await page
      .locator("[role=menuitem] ::-p-text(Make columns equally wide)")
      .click();
    await waitForShares(editor, 33.33, 33.33, 33.33);
  });

  it("resizes an image by its edges and its corner, unless Escape cancels it", async () => {
    const editor = await open([image]);
    const { page, keys } = editor;
    const waitForSize = (width: string, height: string) =>
      editor.waitForDraft(({ components: [one] }) => one, {
        ...image,
        width,
        height,
      });
    await page.click('[data-id="image"] img');
    expect(await pull(editor, side("width"), 12.2)).to.equal("52 mm × 20 mm");
    await page.mouse.up();
    await waitForSize("52mm", "20mm");
    expect(await pull(editor, side("height"), 0, 5.9)).to.equal(
      "52 mm × 26 mm",
    );
    await page.mouse.up();
    await waitForSize("52mm", "26mm");
    expect(await pull(editor, side("both"), -26.2)).to.equal("26 mm × 13 mm");
    await keys("Escape");
    await editor.waitUntilGone(".resize-label");
    await page.mouse.up();
    await waitForSize("52mm", "26mm");
    await keys("Control+Z", "Control+Z");
    await waitForSize("40mm", "20mm");
  });
});

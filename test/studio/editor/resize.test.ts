import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  Component,
  ComponentOf,
} from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { type OpenEditor, useEditor } from "../../support/studio-editor.js";

const row = (name: string): ComponentOf<"table-row"> => ({
  type: "table-row",
  components: ["a", "b", "c"].map((column) => ({
    type: "table-cell",
    id: name + column,
    text: name + column,
  })),
});

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

describe("resizing on the page", () => {
  const open = useEditor(useService());

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

  it("measures emails in px", async () => {
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
        components: [row("one"), row("two")],
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

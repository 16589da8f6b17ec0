import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type {
  Component,
  ComponentOf,
} from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  type OpenEditor,
} from "../../support/studio-editor.js";
import { runAxe, useStudio } from "../../support/studio.js";

const row = (name: string): ComponentOf<"table-row"> => ({
  type: "table-row",
  id: name,
  components: ["a", "b", "c"].map((column) => ({
    type: "table-cell",
    id: name + column,
    text: name + column,
  })),
});

const table: Component = {
  type: "table",
  id: "table",
  columns: [{}, { align: "right" }],
  components: [row("one"), row("two")],
};

const columns: Component = {
  type: "columns",
  id: "columns",
  gap: "10mm",
  components: ["left", "right"].map((id) => ({
    type: "column",
    id,
    components: [{ type: "text", id: `${id}-text`, text: id }],
  })),
};

// One px, which is drawn as large as it is said to be.
const image: Component = {
  type: "image",
  id: "image",
  src: "data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=",
  width: "40mm",
  height: "20mm",
};

const PX_PER_MM = 96 / 25.4;

async function getScale(page: Page): Promise<number> {
  return Number(
    await page.evaluate(
      `1 / getComputedStyle(document.querySelector(".sheet")).getPropertyValue("--unscaled")`,
    ),
  );
}

/** The widths of components, in mm of the sheet. */
async function getWidths(page: Page, ...ids: string[]): Promise<number[]> {
  const scale = (await getScale(page)) * PX_PER_MM;
  return Promise.all(
    ids.map((id) =>
      page.$eval(
        `.sheet [data-id="${id}"]`,
        (one, px) => one.getBoundingClientRect().width / px,
        scale,
      ),
    ),
  );
}

interface Handle {
  page: Page;
  selector: string;
  /** How far the pointer moves, in mm of the sheet. */
  by: readonly [across: number, down: number];
}

/** Presses a handle and moves the pointer, without releasing it. */
async function pull({ page, selector, by }: Handle): Promise<void> {
  const box = await (await page.waitForSelector(selector))?.boundingBox();
  if (!box) throw new Error(`${selector} is not visible`);
  const scale = (await getScale(page)) * PX_PER_MM;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by[0] * scale, y + by[1] * scale, { steps: 6 });
  await page.waitForSelector(".resize-label");
}

async function getLabel(page: Page): Promise<string> {
  return page.$eval(".resize-label", (one) => one.textContent ?? "");
}

/** Waits until the saved widths of the first component's columns are these. */
async function waitForWidths(
  { draft }: OpenEditor,
  ...expected: (string | undefined)[]
): Promise<void> {
  let found: unknown;
  await eventually(async () => {
    const [first] = (await draft()).components;
    const list =
      first?.type === "table"
        ? first.columns
        : first?.type === "columns"
          ? first.components
          : [];
    found = list?.map((one) => ("width" in one ? one.width : undefined));
    return JSON.stringify(found) === JSON.stringify(expected);
  }).catch(() => expect(found).to.deep.equal(expected));
}

const side = (name: string) => `.size-handle[data-side="${name}"]`;

const handle = (owner: string, index = 0) =>
  `.column-handle[data-owner="${owner}"][data-index="${index}"][role=separator]`;

describe("resizing on the page", () => {
  const service = useService();
  const signIn = useStudio(service);
  const open = async (
    components: readonly Component[],
    type: "document" | "email" = "document",
  ) => {
    const content =
      type === "email"
        ? {
            schema: [{ id: "root", fields: [] }],
            email: { subject: "News" },
            components: [...components],
          }
        : components;
    return openEditor(service, await signIn("editor"), content, type);
  };

  it("moves the boundary between columns to whole millimetres, as one step", async () => {
    const opened = await open([columns]);
    const { page, pageErrors } = opened;
    await page.click('[data-id="left-text"]');
    await pull({ page, selector: handle("columns"), by: [-22.3, 0] });
    const [left = 0, right = 0] = (await getLabel(page))
      .split(" | ")
      .map((words) => Number.parseFloat(words));
    expect(left).to.equal(Math.round(left));
    expect(left).to.be.below(right);
    await page.mouse.up();
    const share = (left / (left + right)) * 100;
    await eventually(async () => {
      const [first] = (await opened.draft()).components;
      const widths =
        first?.type === "columns"
          ? first.components.map((one) =>
              one.type === "column" ? Number.parseFloat(one.width ?? "") : 0,
            )
          : [];
      return (
        Math.abs((widths[0] ?? 0) - share) < 0.1 &&
        Math.abs((widths[0] ?? 0) + (widths[1] ?? 0) - 100) < 0.02
      );
    });
    await page.waitForFunction("!document.querySelector('.resize-label')");
    await pressKeys(page, "Control+Z");
    await waitForWidths(opened, undefined, undefined);
    expect(pageErrors).to.deep.equal([]);
  });

  it("aligns with equal shares and with the edges of others, unless Alt is held", async () => {
    const opened = await open([
      {
        ...columns,
        components: columns.components.map((one, index) => ({
          ...one,
          width: index === 0 ? "30%" : "70%",
        })),
      },
      { ...image, width: "55.5mm" },
    ]);
    const { page } = opened;
    const [left = 0, right = 0] = await getWidths(page, "left", "right");
    await page.click('[data-id="left-text"]');
    await pull({
      page,
      selector: handle("columns"),
      by: [(right - left) / 2 + 0.4, 0],
    });
    await page.waitForSelector(".resize-line.is-aligned");
    await page.mouse.up();
    await waitForWidths(opened, "50%", "50%");
    await pull({ page, selector: handle("columns"), by: [-5.13, 0] });
    await page.keyboard.down("Alt");
    await page.mouse.move(300, 300);
    await page.waitForSelector(".resize-line:not(.is-aligned)");
    await page.keyboard.press("Escape");
    await page.keyboard.up("Alt");
    await page.mouse.up();
    await page.waitForFunction("!document.querySelector('.resize-line')");
    await waitForWidths(opened, "50%", "50%");
  });

  it("moves the boundary between columns of a table, also with the keyboard", async () => {
    const opened = await open([table]);
    const { page } = opened;
    await page.hover('[data-id="onea"]');
    await pull({ page, selector: handle("table"), by: [20, 0] });
    await page.mouse.up();
    const read = async () => {
      const [first] = (await opened.draft()).components;
      return first?.type === "table" ? (first.columns ?? []) : [];
    };
    const after = await eventually(async () => {
      const found = await read();
      return found.length === 3 && found;
    });
    const shares = after.map(({ width = "" }) => Number.parseFloat(width));
    expect(shares[0]).to.be.above(shares[1] ?? 0);
    expect(shares.reduce((sum, one) => sum + one, 0)).to.be.closeTo(100, 0.05);
    expect(after[1]?.align).to.equal("right");
    await page.click('[data-id="onea"]');
    await page.focus(handle("table", 1));
    const name = await page.$eval(handle("table", 1), (one) =>
      one.getAttribute("aria-label"),
    );
    expect(name).to.equal("Width of column 2");
    expect(await runAxe(page)).to.deep.equal([]);
    await pressKeys(page, "ArrowLeft", "ArrowLeft", "Shift+ArrowLeft");
    await eventually(async () => {
      const [, second, third] = await read();
      return (
        Number.parseFloat(second?.width ?? "") < (shares[1] ?? 0) - 6 &&
        Number.parseFloat(third?.width ?? "") > (shares[2] ?? 0) + 6
      );
    });
    await pressKeys(page, "Control+Z");
    await waitForWidths(opened, ...after.map(({ width }) => width));
    await page.click('[data-id="onea"]', { button: "right" });
    await page
      .locator("[role=menuitem] ::-p-text(Make columns equally wide)")
      .click();
    await waitForWidths(opened, "33.33%", "33.33%", "33.33%");
  });

  it("resizes an image by its edges and its corner", async () => {
    const opened = await open([image]);
    const { page } = opened;
    const sizeOf = async () => {
      const [first] = (await opened.draft()).components;
      return first?.type === "image" ? `${first.width} ${first.height}` : "";
    };
    await page.click('[data-id="image"] img');
    await pull({ page, selector: side("width"), by: [12.2, 0] });
    expect(await getLabel(page)).to.equal("52 mm × 20 mm");
    await page.mouse.up();
    await eventually(async () => (await sizeOf()) === "52mm 20mm");
    await pull({ page, selector: side("height"), by: [0, 5.9] });
    expect(await getLabel(page)).to.equal("52 mm × 26 mm");
    await page.mouse.up();
    await eventually(async () => (await sizeOf()) === "52mm 26mm");
    await pull({ page, selector: side("both"), by: [-26.2, 0] });
    expect(await getLabel(page)).to.equal("26 mm × 13 mm");
    await page.keyboard.press("Escape");
    await page.waitForFunction("!document.querySelector('.resize-label')");
    await page.mouse.up();
    expect(await sizeOf()).to.equal("52mm 26mm");
    await pressKeys(page, "Control+Z", "Control+Z");
    await eventually(async () => (await sizeOf()) === "40mm 20mm");
  });

  it("measures emails in px", async () => {
    const opened = await open([columns], "email");
    const { page } = opened;
    await page.click('[data-id="left-text"]');
    await pull({ page, selector: handle("columns"), by: [-20, 0] });
    expect(await getLabel(page)).to.match(/^\d+ px \| \d+ px$/);
    await page.mouse.up();
    await eventually(async () => {
      const [first] = (await opened.draft()).components;
      return (
        first?.type === "columns" &&
        first.components.every(
          (one) => one.type === "column" && one.width?.endsWith("%"),
        )
      );
    });
  });
});

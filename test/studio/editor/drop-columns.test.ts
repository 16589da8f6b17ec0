import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type {
  Component,
  ProjectData,
} from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  waitForLastAction,
  type OpenEditor,
} from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

const texts: Component[] = ["one", "two", "three"].map((id) => ({
  type: "text",
  id,
  text: `${id} and more words, so that it has a height that can be aimed at`,
}));

/** Presses at the start of something and moves to a place in something else, in px from its left or right edge. */
async function drag(
  page: Page,
  from: string,
  to: string,
  [across, down]: readonly [across: number, down: number],
): Promise<void> {
  await page.locator(from).hover();
  const start = await (await page.waitForSelector(from))?.boundingBox();
  const end = await (await page.waitForSelector(to))?.boundingBox();
  if (!start || !end) throw new Error(`${from} or ${to} is not visible`);
  await page.mouse.move(start.x + 8, start.y + start.height / 2);
  await page.mouse.down();
  const x = across < 0 ? end.x + end.width + across : end.x + across;
  const y = end.y + end.height * down;
  await page.mouse.move(x - 30, y - 30, { steps: 3 });
  await page.mouse.move(x, y, { steps: 4 });
  await page.waitForSelector(".drag-ghost");
}

const part = (id: string): string => `.canvas [data-id="${id}"]`;

/** The body in short: "columns(column[50%](one) column(two))". */
function outline(components: readonly Component[]): string {
  return components
    .map((one) => {
      if (!("components" in one)) return one.id ?? "";
      const width = "width" in one && one.width ? `[${one.width}]` : "";
      return `${one.type}${width}(${outline(one.components ?? [])})`;
    })
    .join(" ");
}

async function waitForBody(
  { draft }: OpenEditor,
  expected: string,
): Promise<void> {
  let found = "";
  await eventually(async () => {
    found = outline((await draft()).components);
    return found === expected;
  }).catch(() => expect(found).to.equal(expected));
}

async function waitForVerticalLine(page: Page): Promise<void> {
  await page.waitForFunction(`[...document.querySelectorAll(".drop-mark.is-line")]
    .map((one) => one.getBoundingClientRect())
    .some(({ width, height }) => height > width * 2)`);
}

describe("dropping at the side of a component", () => {
  const service = useService();
  const signIn = useStudio(service);
  const open = async (
    content: readonly Component[] | ProjectData,
    type: "document" | "email" = "document",
  ) => openEditor(service, await signIn("editor"), content, type);

  it("makes columns, and further drops at their edges add a column", async () => {
    const opened = await open(texts);
    const { page, pageErrors } = opened;
    await drag(page, part("two"), part("one"), [-5, 0.5]);
    await waitForVerticalLine(page);
    await page.mouse.up();
    await waitForLastAction(page, "Text moved into Column, position 1 of 1");
    await waitForBody(opened, "columns(column(one) column(two)) three");
    await drag(page, part("three"), part("one"), [4, 0.5]);
    await waitForVerticalLine(page);
    await page.mouse.up();
    await waitForBody(opened, "columns(column(three) column(one) column(two))");
    await pressKeys(page, "Control+Z");
    await waitForBody(opened, "columns(column(one) column(two)) three");
    await drag(page, '[data-new="text"]', part("two"), [5, 0.5]);
    await waitForVerticalLine(page);
    await page.mouse.up();
    await waitForLastAction(page, "Text added into Column, position 1 of 1");
    await eventually(async () =>
      outline((await opened.draft()).components).startsWith(
        "columns(column(one) column(",
      ),
    );
    await pressKeys(page, "Control+Z", "Control+Z");
    await waitForBody(opened, "one two three");
    expect(pageErrors).to.deep.equal([]);
  });

  it("keeps the proportions of columns with widths", async () => {
    const opened = await open([
      {
        type: "columns",
        id: "columns",
        components: [
          { type: "column", id: "a", width: "75%", components: [texts[0]!] },
          { type: "column", id: "b", width: "25%", components: [texts[1]!] },
        ],
      },
      texts[2]!,
    ]);
    const { page } = opened;
    await drag(page, part("three"), part("b"), [-2, 0.5]);
    await waitForVerticalLine(page);
    await page.mouse.up();
    await waitForBody(
      opened,
      "columns(column[50%](one) column[16.67%](two) column[33.33%](three))",
    );
  });

  it("still moves between components where the pointer is in the middle", async () => {
    const opened = await open(texts);
    const { page } = opened;
    await drag(page, part("three"), part("one"), [120, 0.2]);
    await page.mouse.up();
    await waitForBody(opened, "three one two");
  });

  it("makes columns in emails", async () => {
    const opened = await open(
      {
        schema: [{ id: "root", fields: [] }],
        email: { subject: "News" },
        components: texts,
      },
      "email",
    );
    const { page } = opened;
    await drag(page, part("two"), part("one"), [-5, 0.5]);
    await waitForVerticalLine(page);
    await page.mouse.up();
    await waitForBody(opened, "columns(column(one) column(two)) three");
    await drag(page, part("three"), part("two"), [-3, 0.5]);
    await waitForVerticalLine(page);
    await page.mouse.up();
    await waitForBody(opened, "columns(column(one) column(two) column(three))");
  });
});

describe("a drop or a move that is not allowed", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("says why beside the pointer", async () => {
    const { page, pageErrors } = await openEditor(
      service,
      await signIn("editor"),
      {
        schema: [{ id: "root", fields: [] }],
        page: { header: [{ type: "text", id: "top", text: "Top" }] },
        components: texts,
      },
    );
    await drag(page, '[data-new="page-break"]', part("top"), [60, 0.5]);
    await page.waitForSelector(
      ".drag-refusal ::-p-text(Page break isn't allowed in a header or footer.)",
    );
    await page.mouse.up();
    await waitForLastAction(
      page,
      "Page break wasn't moved. Page break isn't allowed in a header or footer.",
    );
    await drag(page, '[data-new="page-number"]', part("two"), [90, 0.5]);
    await page.waitForSelector(
      ".drag-refusal ::-p-text(is only allowed in a header or footer.)",
    );
    await page.keyboard.press("Escape");
    await page.mouse.up();
    expect(pageErrors).to.deep.equal([]);
  });

  it("says why beside the selection when a key does not move it", async () => {
    const { page } = await openEditor(service, await signIn("editor"), texts);
    await page.click(part("one"));
    await pressKeys(page, "Alt+ArrowUp");
    await page.waitForSelector(
      ".refusal-note ::-p-text(Text wasn't moved: it is already first)",
    );
    await pressKeys(page, "Alt+ArrowDown");
    await waitForLastAction(page, "Text moved to position 2 of 3");
    await page.waitForFunction("!document.querySelector('.refusal-note')");
  });
});

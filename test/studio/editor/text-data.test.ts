import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  type OpenEditor,
  openEditor,
  pressKeys,
  startTyping,
  waitForLastAction,
} from "../../support/studio-editor.js";
import { pressButton, useStudio, waitForText } from "../../support/studio.js";

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "customer", type: "String" },
        { name: "issuedOn", type: "Date" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    { id: "lines", fields: [{ name: "title", type: "String" }] },
  ],
  components: [
    { id: "one", type: "text", text: "Dear {{ root.customer }}, \\{{x}} AB" },
    { id: "two", type: "text", text: "Yours" },
    {
      id: "table",
      type: "table",
      components: [
        {
          id: "row",
          type: "table-row",
          collection: { collectionId: "line", path: "root.lines" },
          components: [{ id: "cell", type: "table-cell", text: "" }],
        },
      ],
    },
  ],
  sample: {
    customer: "Ada & Sons",
    issuedOn: "2026-11-21",
    lines: [{ title: "Work" }],
  },
};

interface Point {
  x: number;
  y: number;
}

/** The middle of the gap before the last letter of a text, or a share of the height of a component. */
async function findPoint(
  page: Page,
  id: string,
  down?: number,
): Promise<Point> {
  const point: unknown = await page.evaluate(`{
    const element = document.querySelector('.canvas [data-id="${id}"]');
    const { x, y, height } = element.getBoundingClientRect();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let last = null;
    while (walker.nextNode()) last = walker.currentNode;
    const range = document.createRange();
    if (last) range.setStart(last, last.length - 1);
    const box = last ? range.getBoundingClientRect() : { left: x + 4, top: y, height };
    ({ x: box.left, y: ${down === undefined ? "box.top + box.height / 2" : `y + height * ${down}`} });
  }`);
  // The script returns two numbers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return point as Point;
}

async function dragField(page: Page, name: string, to: Point): Promise<void> {
  await page.locator(`[data-field="${name}"] .data-name`).hover();
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.waitForSelector(".drag-ghost");
}

async function openData(editor: OpenEditor): Promise<Page> {
  await editor.page.locator("::-p-aria([name='Data'][role='tab'])").click();
  await editor.page.waitForSelector("[data-field]");
  return editor.page;
}

async function waitForJson({ draft }: OpenEditor, text: string): Promise<void> {
  await eventually(async () =>
    JSON.stringify((await draft()).components).includes(text),
  );
}

describe("fields of the data panel", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are dragged into a text between two letters, where a caret shows", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const page = await openData(editor);
    await dragField(page, "issuedOn", await findPoint(page, "one"));
    await page.waitForSelector(".drop-caret");
    expect(await page.$(".drop-mark")).to.equal(null);
    await page.mouse.up();
    await waitForLastAction(page, "Issued on inserted into the text");
    await page.waitForSelector('[data-id="one"] .ProseMirror-focused');
    await page.keyboard.type("!");
    const date = '{{ root.issuedOn | date(\\"medium\\") }}';
    await waitForJson(
      editor,
      `"text":"Dear {{ root.customer }}, \\\\{{x}} A${date}!B"`,
    );
    // The text is being edited now.
    await dragField(page, "customer", await findPoint(page, "one"));
    await page.waitForSelector(".drop-caret");
    await page.mouse.up();
    await waitForJson(editor, `A${date}!{{ root.customer }}B"`);
    expect(editor.pageErrors).to.eql([]);
  });

  it("are dragged into an empty cell and between components, as a new text", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const page = await openData(editor);
    await page.locator('[data-field="lines"] .data-name').click();
    await dragField(page, "title", await findPoint(page, "cell"));
    await page.waitForSelector(".drop-caret");
    await page.mouse.up();
    await waitForJson(editor, `"text":"{{ line.title }}"`);
    await pressKeys(page, "Escape");
    await dragField(page, "customer", await findPoint(page, "two", 0.98));
    await page.waitForSelector(".drop-mark.is-line");
    await page.mouse.up();
    await waitForLastAction(page, "Text added into Page, position 3 of 4");
    await waitForJson(editor, `"text":"{{ root.customer }}"}`);
    await dragField(page, "title", await findPoint(page, "two"));
    await page.waitForSelector(".drag-ghost.nowhere");
    await page.mouse.up();
    await waitForText(page, "Select a component that repeats for each Lines");
    expect(editor.pageErrors).to.eql([]);
  });

  it("show their values in the sample, which a click inserts at the caret or as a new text", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const page = await openData(editor);
    await waitForText(page, "Nov 21, 2026");
    await startTyping(page, "two");
    await page.locator('[data-field="customer"] .data-insert span').click();
    await page.keyboard.type("!");
    await waitForJson(editor, `"text":"Yours{{ root.customer }}!"`);
    await pressKeys(page, "Escape");
    await page.locator(".canvas-crumbs button").click();
    await pressButton(page, "Insert Issued on: Nov 21, 2026");
    await waitForJson(
      editor,
      `"text":"{{ root.issuedOn | date(\\"medium\\") }}"}`,
    );
    expect(editor.pageErrors).to.eql([]);
  });
});

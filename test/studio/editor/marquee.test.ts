import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  waitForLastAction,
} from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

const definition: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  components: [
    { type: "heading", id: "head", text: "Offer" },
    {
      type: "container",
      id: "box",
      components: [
        { type: "text", id: "one", text: "One" },
        { type: "text", id: "two", text: "Two" },
        { type: "text", id: "three", text: "Three" },
      ],
    },
    { type: "text", id: "last", text: "Yours" },
  ],
};

interface Edges {
  left: number;
  top: number;
  bottom: number;
}

/** Where the component's box is in the window. */
async function getRect(page: Page, id: string): Promise<Edges> {
  // Its parts are numbers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await page.evaluate(`{
    const one = document.querySelector('.sheet [data-id="${id}"]');
    one.getBoundingClientRect().toJSON();
  }`)) as Edges;
}

/** Presses left of the page at one height, and moves into it at another. */
async function drawRectangle(
  page: Page,
  from: number,
  to: number,
): Promise<void> {
  const { left } = await getRect(page, "head");
  // The margin of the page is empty.
  await page.mouse.move(left - 15, from);
  await page.mouse.down();
  await page.mouse.move(left + 5, (from + to) / 2, { steps: 3 });
  await page.mouse.move(left + 30, to, { steps: 3 });
  await page.waitForSelector(".marquee");
}

async function waitForSelection(page: Page, ...ids: string[]): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll(".sheet [data-selected]")]
      .map((one) => one.dataset.id).join() === "${ids.join()}"`,
  );
}

describe("a rectangle drawn from an empty place", () => {
  const service = useService();
  const signIn = useStudio(service);
  const open = async () =>
    openEditor(service, await signIn("editor"), definition);

  it("selects the components that it touches", async () => {
    const { page, pageErrors } = await open();
    const head = await getRect(page, "head");
    const last = await getRect(page, "last");
    await drawRectangle(page, head.top + 3, last.top + 3);
    await waitForSelection(page, "head", "box", "last");
    await page.mouse.up();
    await waitForLastAction(page, "3 components selected");
    await page.waitForFunction("!document.querySelector('.marquee')");
    expect(await page.evaluate("String(getSelection())")).to.equal("");
    await pressKeys(page, "Delete");
    await waitForLastAction(page, "3 components deleted");
    expect(pageErrors).to.deep.equal([]);
  });

  it("selects the parts of the one component that it touches", async () => {
    const { page } = await open();
    const one = await getRect(page, "one");
    const two = await getRect(page, "two");
    await drawRectangle(page, one.top + 3, two.top + 3);
    await waitForSelection(page, "one", "two");
    await page.mouse.up();
    await waitForSelection(page, "one", "two");
  });

  it("adds to the selection with Shift, and gives it back with Escape", async () => {
    const { page } = await open();
    await page.click('.sheet [data-id="head"]');
    const last = await getRect(page, "last");
    await page.keyboard.down("Shift");
    await drawRectangle(page, last.top + 3, last.bottom - 3);
    await waitForSelection(page, "head", "last");
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const one = await getRect(page, "one");
    await drawRectangle(page, one.top + 3, one.bottom - 3);
    await waitForSelection(page, "one");
    await page.keyboard.press("Escape");
    await waitForSelection(page, "head", "last");
    await page.mouse.up();
    await waitForSelection(page, "head", "last");
  });

  it("starts on the ground around the page as well", async () => {
    const { page } = await open();
    const { left } = await getRect(page, "head");
    const sheet = await page.$eval(".sheet", (found) =>
      found.getBoundingClientRect().toJSON(),
    );
    const last = await getRect(page, "last");
    await page.mouse.move(sheet.left - 12, last.top + 2);
    await page.mouse.down();
    await page.mouse.move(left + 20, last.top + 6, { steps: 4 });
    await waitForSelection(page, "last");
    await page.mouse.up();
  });
});

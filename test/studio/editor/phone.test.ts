import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import { useEditor } from "../../support/studio-editor.js";

describe("the editor on a phone", () => {
  const open = useEditor(useService(), "editor", { width: 390 });

  it("shows a panel above the tools of the selected component", async () => {
    const { page, click, press, waitFor } = await open(
      Array.from({ length: 12 }, (_, index) => ({
        type: "text" as const,
        id: `text${index}`,
        text: "A text in the lower half of the page.\n\n\n\n",
      })),
    );
    await click("text6");
    await waitFor(".selection-handle");
    await press("Properties");
    await waitFor(".editor-right.open");
    const covered = await page.evaluate(`{
      const panel = document.querySelector(".editor-right.open");
      const { left, top, bottom } = panel.getBoundingClientRect();
      const steps = Array.from({ length: 20 }, (_, step) => top + 8 + ((bottom - top - 16) * step) / 19);
      steps.filter((y) => !panel.contains(document.elementFromPoint(left + 10, y))).length
    }`);
    expect(covered).to.equal(0);
  });

  it("shows the buttons of the sample dialog in full", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `field${index}`);
    const fields = names.map((name) => ({ name, type: "String" as const }));
    const { page, press, waitForText } = await open({
      schema: [{ id: "root", fields }],
      sample: Object.fromEntries(names.map((name) => [name, name])),
      components: [],
    });
    await press("Components and data", "Data", "Sample data");
    await waitForText("Fill empty fields");
    const excess = await page.$eval(
      "dialog",
      ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
    );
    expect(excess).to.be.at.most(0);
  });

  it("drags after a finger has been held still", async () => {
    const { page, waitFor, waitForLastAction } = await open([
      { type: "heading", id: "title", text: "Title" },
      { type: "container", id: "box", components: [] },
    ]);
    // Until the page has found its size.
    await page.locator('.canvas [data-id="title"]').hover();
    const boxOf = async (id: string) => {
      const box = await (
        await page.$(`.canvas [data-id="${id}"]`)
      )?.boundingBox();
      if (!box) throw new Error(`${id} is not drawn`);
      return box;
    };
    const { x, y } = await boxOf("title");
    const to = await boxOf("box");
    const touch = await page.touchscreen.touchStart(x + 9, y + 9);
    await waitFor(".drag-ghost");
    await touch.move(x + 9, to.y + to.height / 2);
    await waitFor(".drag-ghost:not(.nowhere)");
    await touch.end();
    await waitForLastAction("Heading moved into Box, position 1 of 1");
  });

  it("opens the rules from the badge of a component", async () => {
    const { page, waitFor } = await open({
      schema: [{ id: "root", fields: [] }],
      sample: { total: 5 },
      components: [
        { type: "spacer", height: "20mm" },
        {
          type: "text",
          id: "rich",
          text: "Thank you",
          condition: {
            combinator: "and",
            rules: [{ field: "root.total", operator: ">", value: 10 }],
          },
        },
      ],
    });
    await waitFor('[data-id="rich"][data-note]');
    const { left, top } = await page.$eval('[data-id="rich"]', (one) =>
      one.getBoundingClientRect().toJSON(),
    );
    await page.touchscreen.tap(left - 10, top + 6);
    await waitFor(".editor-right.open .rules");
  });
});

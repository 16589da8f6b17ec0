import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { pressButton, useStudio, waitForText } from "../../support/studio.js";

describe("the editor on a phone", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("shows a panel above the tools of the selected component", async () => {
    const { page } = await openEditor(
      service,
      await signIn("editor", { width: 390 }),
      Array.from({ length: 12 }, (_, index) => ({
        type: "text" as const,
        id: `text${index}`,
        text: "A text in the lower half of the page.\n\n\n\n",
      })),
    );
    await page.locator('.sheet [data-id="text6"]').click();
    await page.waitForSelector(".selection-handle");
    await pressButton(page, "Properties");
    await page.waitForSelector(".editor-right.open");
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
    const { page } = await openEditor(
      service,
      await signIn("editor", { width: 390 }),
      {
        schema: [
          {
            id: "root",
            fields: names.map((name) => ({ name, type: "String" as const })),
          },
        ],
        sample: Object.fromEntries(names.map((name) => [name, name])),
        components: [{ type: "text", id: "first", text: "First." }],
      },
    );
    await pressButton(page, "Components and data");
    await pressButton(page, "Data");
    await pressButton(page, "Sample data");
    await waitForText(page, "Fill empty fields");
    const excess = await page.$eval(
      "dialog",
      ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
    );
    expect(excess).to.be.at.most(0);
  });
});

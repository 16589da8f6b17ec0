import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import {
  runAxe,
  pressButton,
  waitForText,
  useStudio,
} from "../../support/studio.js";
import { useService } from "../../support/service.js";
import { saveDraft, openEditor } from "../../support/studio-editor.js";

const looks = {
  "in the light": { width: 1280 },
  "in the dark, on a phone": { width: 390, isDark: true },
};

async function isSound(page: Page): Promise<void> {
  expect(await runAxe(page)).to.deep.equal([]);
  const excess = await page.evaluate(
    "document.documentElement.scrollWidth - innerWidth",
  );
  expect(excess, "scrolls sideways").to.be.at.most(0);
}

describe("the editor's frame around the page", () => {
  const service = useService();
  const signIn = useStudio(service);

  for (const [look, visitor] of Object.entries(looks))
    it(`has no accessibility violations, ${look}`, async () => {
      const editor = await openEditor(
        service,
        await signIn("editor", visitor),
        [{ type: "text", id: "first", text: "First." }],
      );
      const { page, templateId } = editor;
      await pressButton(page, "Preview");
      await page.waitForSelector("[aria-label='Page 1 of 1'] canvas");
      await isSound(page);
      await saveDraft(page, templateId, {
        schema: [{ id: "root", fields: [] }],
        components: [{ type: "text", id: "first", text: "{{ root. }}" }],
      });
      await waitForText(page, "Couldn't render the template");
      await pressButton(page, "JSON");
      await waitForText(page, "1 problem");
      await isSound(page);
      await pressButton(page, "Versions");
      await waitForText(page, "1 change: Version 1");
      await isSound(page);
      await pressButton(page, "Publish");
      await waitForText(page, "1 problem to fix first");
      await isSound(page);
    });
});

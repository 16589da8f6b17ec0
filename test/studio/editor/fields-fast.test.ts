import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { useService } from "../../support/service.js";
import { useStudio } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  startTyping,
  waitForTextOfDraft,
} from "../../support/studio-editor.js";

/** Writes over a field, all letters before the page is painted again. */
async function typeAtOnce(page: Page, selector: string, text: string) {
  const field = await page.waitForSelector(selector);
  await field?.focus();
  await pressKeys(page, "Control+A");
  await page.evaluate(`(async () => {
    for (const letter of ${JSON.stringify(text)}) {
      document.execCommand("insertText", false, letter);
      // What is drawn by then is drawn without being painted.
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    }
  })()`);
  const shown = await field?.evaluate((one) => Reflect.get(one, "value"));
  expect(shown).to.equal(text);
}

describe("fields in which someone types faster than the page is painted", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("keep every letter", async () => {
    const editor = await openEditor(service, await signIn("editor"), [
      { type: "text", id: "one", text: "{{ 1 + 1 }}" },
      { type: "spacer", id: "gap", height: "8mm" },
    ]);
    const { page, draft } = editor;
    await page.locator('.canvas [data-id="gap"]').click();
    const height = '.inspector ::-p-aria([name="Height"])';
    await typeAtOnce(page, height, "0.5");
    await pressKeys(page, "Enter");
    await startTyping(page, "one");
    await page.locator(".text-typing .chip").click();
    await typeAtOnce(page, ".formula-field", "ROUND( 2.5 ) * 3");
    await waitForTextOfDraft(editor, "{{ ROUND( 2.5 ) * 3 }}");
    const [, gap] = (await draft()).components;
    expect(gap).to.have.property("height", "0.5mm");
  });
});

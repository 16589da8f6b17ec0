import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { Text } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  startTyping,
  textOfDraft,
  waitForTextOfDraft,
} from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

/** A key of another keyboard, as browsers report it: by its letter there and by its place. */
async function pressForeignKey(
  page: Page,
  key: string,
  code: string,
  held: { ctrlKey: true; altKey?: true },
): Promise<void> {
  const keyCode = code.charCodeAt(code.length - 1);
  const init = { key, code, keyCode, ...held, bubbles: true, cancelable: true };
  await page.evaluate(`document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", ${JSON.stringify(init)}))`);
}

describe("keys in a text", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("type at the end after End beside a selected formula, which stays", async () => {
    const text = "Pay {{ root.a * 2 }} soon";
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text },
    ]);
    const { page, pageErrors } = editor;
    await startTyping(page, "one");
    await page.locator(".text-typing .chip").click();
    await page.waitForSelector(".chip-popover");
    await pressKeys(page, "Escape");
    await page.waitForSelector('[data-id="one"] .ProseMirror-focused');
    // Without waiting for the browser to report where the caret is.
    const { keyboard } = page;
    await Promise.all([
      keyboard.press("End"),
      keyboard.press("!"),
      keyboard.press("!"),
    ]);
    await waitForTextOfDraft(editor, `${text}!!`);
    expect(pageErrors).to.eql([]);
  });

  it("format by the letter on any keyboard, and never by a key that types a character", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "Dear all" },
    ]);
    const { page, pageErrors } = editor;
    const becomes = (text: Text) =>
      eventually(
        async () =>
          JSON.stringify(await textOfDraft(editor)) === JSON.stringify(text),
      );
    await startTyping(page, "one");
    await pressKeys(page, "Shift+Home");
    // Ctrl+B on a Russian keyboard.
    await pressForeignKey(page, "и", "KeyB", { ctrlKey: true });
    await becomes([{ text: "Dear all", marks: ["bold"] }]);
    // AltGr and B on a Hungarian one types {.
    await pressForeignKey(page, "{", "KeyB", { ctrlKey: true, altKey: true });
    // Ctrl+Z on a German keyboard, where Z is in the place of Y.
    await pressForeignKey(page, "z", "KeyY", { ctrlKey: true });
    await becomes("Dear all");
    expect(pageErrors).to.eql([]);
  });
});

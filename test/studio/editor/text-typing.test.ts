import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  startTyping,
  waitForTextOfDraft,
} from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

describe("typing in the page", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("neither loses nor repeats a letter while drafts are saved", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "Begin. " },
    ]);
    const { page, pageErrors } = editor;
    await startTyping(page, "one");
    let expected = "Begin. ";
    for (let run = 0; run < 12; run++) {
      const words = `Line ${run} with "quotes", {braces} and \\slashes. `;
      await page.keyboard.type(words);
      expected += words;
      if (run % 3 === 0) {
        // As an input method, or a paste without a clipboard, hands words over.
        await page.keyboard.sendCharacter("日本語 😀 שלום ");
        expected += "日本語 😀 שלום ";
      }
      if (run % 4 === 1) {
        await pressKeys(page, "Backspace", "ArrowLeft", "ArrowRight");
        expected = expected.slice(0, -1);
      }
    }
    await waitForTextOfDraft(editor, expected);
    await pressKeys(page, "Control+A");
    await page.keyboard.type("New");
    await waitForTextOfDraft(editor, "New");
    expect(pageErrors).to.eql([]);
  });

  it("is undone one run of typing at a time, restoring the original text exactly", async () => {
    const before = "a\\{{b}} {{ root.x|upper }}\r\nc";
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: before },
    ]);
    const { page, pageErrors } = editor;
    await startTyping(page, "one");
    await page.keyboard.type("hello");
    await waitForTextOfDraft(editor, `${before}hello`);
    await pressKeys(page, "ArrowLeft");
    await page.keyboard.type("XY");
    await waitForTextOfDraft(editor, `${before}hellXYo`);
    await pressKeys(page, "Control+Z");
    await page.keyboard.type("!");
    await waitForTextOfDraft(editor, `${before}hell!o`);
    await pressKeys(page, "Control+Z", "Control+Z");
    await waitForTextOfDraft(editor, before);
    await pressKeys(page, "Control+Y");
    await waitForTextOfDraft(editor, `${before}hello`);
    expect(pageErrors).to.eql([]);
  });
});

import { expect } from "chai";
import { describe, it } from "mocha";
import type { CDPSession } from "puppeteer-core";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  startTyping,
  waitForTextOfDraft,
} from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

/** Composes a word step by step, as an input method does, and takes it. */
async function compose(
  session: CDPSession,
  steps: readonly string[],
): Promise<void> {
  for (const text of steps) {
    const end = { selectionStart: text.length, selectionEnd: text.length };
    await session.send("Input.imeSetComposition", { text, ...end });
  }
  await session.send("Input.insertText", { text: steps.at(-1) ?? "" });
}

describe("an input method in the page", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("composes words beside variables while drafts are saved", async () => {
    const editor = await openEditor(service, await signIn(), [
      { id: "one", type: "text", text: "{{ root.x }}" },
    ]);
    const { page, pageErrors } = editor;
    const session = await page.createCDPSession();
    await startTyping(page, "one");
    await compose(session, ["に", "にほ", "日本"]);
    await waitForTextOfDraft(editor, "{{ root.x }}日本");
    await pressKeys(page, "Home");
    await compose(session, ["k", "kö", "köl", "Köln"]);
    await page.keyboard.type(": ");
    await compose(session, ["한", "한구", "한국"]);
    const expected = "Köln: 한국{{ root.x }}日本";
    await waitForTextOfDraft(editor, expected);
    expect(pageErrors).to.eql([]);
  });
});

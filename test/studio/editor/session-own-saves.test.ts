import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { eventually } from "../../support/eventually.js";
import {
  holdResponses,
  dropResponses,
} from "../../support/delayed-responses.js";
import { useService } from "../../support/service.js";
import { waitForText, useStudio } from "../../support/studio.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

async function beginTyping(page: Page): Promise<void> {
  await page.locator(".sheet [data-id=one]").click({ count: 2 });
  await page.waitForSelector(".sheet [data-id=one] [contenteditable=true]");
  await page.keyboard.press("End");
}

describe("changes that a page has saved itself", () => {
  const service = useService();
  const signIn = useStudio(service);
  const begin = async () => {
    const editor = await openEditor(service, await signIn("editor"), [
      { type: "text", id: "one", text: "One." },
    ]);
    await beginTyping(editor.page);
    const isWritten = async (words: string) => {
      const [one] = (await editor.draft()).components;
      return one?.type === "text" && one.text === words;
    };
    const at = `drafts/${editor.templateId}`;
    return { page: editor.page, at, isWritten };
  };

  it("are recognized as its own when the response was lost", async () => {
    const { page, at, isWritten } = await begin();
    const restoreResponses = await dropResponses(page, at);
    await page.keyboard.type(" More");
    await waitForText(page, "Your last changes aren't saved.");
    await restoreResponses();
    expect(await isWritten("One. More")).to.equal(true);
    await page.keyboard.type(" and more.");
    await pressKeys(page, "Control+S");
    await waitForText(page, "Saved just now");
    expect(await isWritten("One. More and more.")).to.equal(true);
  });

  it("are recognized as its own after a reload", async () => {
    const { page, at, isWritten } = await begin();
    page.on("dialog", (dialog) => void dialog.accept());
    const put = await holdResponses(page, at, { method: "PUT" });
    await page.keyboard.type(" More");
    await put.requested;
    await page.keyboard.type(" and more");
    await page.reload();
    put.release();
    await beginTyping(page);
    await page.keyboard.type(", even now.");
    await eventually(() => isWritten("One. More and more, even now."));
  });
});

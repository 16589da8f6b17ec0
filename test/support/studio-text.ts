import type { Page } from "puppeteer-core";
import type { Text } from "../../core/plugin-api/definition.js";
import type { OpenEditor } from "./studio-editor.js";

/** Begins to type at the end of a component's text. */
export async function startTyping(page: Page, id: string): Promise<void> {
  await page.locator(`.canvas [data-id="${id}"]`).click({ count: 2 });
  await page.waitForSelector(`[data-id="${id}"] .ProseMirror-focused`);
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
}

/** What the service has of the first component's text, once it was saved. */
export async function textOfDraft(
  editor: OpenEditor,
): Promise<Text | undefined> {
  const [first] = (await editor.draft()).components;
  return first && "text" in first ? first.text : undefined;
}

/** Waits until the line of the menu that is at hand has these words. */
export async function menuShows(page: Page, ...words: string[]): Promise<void> {
  await page.waitForFunction(`
    ${JSON.stringify(words)}.every((one) =>
      document.querySelector("[role=option][aria-selected=true]")
        ?.textContent.includes(one))`);
}

/** Pastes as another program's clipboard would have it. */
export async function pasteInto(
  page: Page,
  clipboard: Record<string, string>,
): Promise<void> {
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(${JSON.stringify(clipboard)}))
      clipboardData.setData(type, text);
    const init = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", init));
  }`);
}

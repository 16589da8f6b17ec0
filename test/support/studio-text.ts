import type { Page } from "puppeteer-core";
import type { Text } from "../../core/contract/definition.js";
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

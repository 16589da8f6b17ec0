import type { KeyInput, Page } from "puppeteer-core";
import type {
  Component,
  ProjectData,
} from "../../core/plugin-api/definition.js";
import type { TestService } from "./service.js";
import { publish } from "./store-templates.js";
import type { Guest } from "./studio.js";

/** A template that someone has opened to change it. */
export interface OpenEditor extends Guest {
  templateId: string;
  /** What the service has of it: the draft, once the page has saved it. */
  draft: () => Promise<ProjectData>;
}

type Content = readonly Component[] | ProjectData;

/** Publishes a template for a guest, and opens its editor where the page is drawn. */
export async function openEditor(
  service: TestService,
  guest: Guest,
  content: Content,
  templateType: "document" | "email" = "document",
): Promise<OpenEditor> {
  const definition = isList(content)
    ? { schema: [{ id: "root", fields: [] }], components: content }
    : content;
  const input = { definition, templateType };
  const templateId = await publish(service.store, guest, input);
  await guest.page.goto(`${service.url}/studio/templates/${templateId}/edit`);
  await guest.page.waitForSelector(".sheet");
  const draft = async () => {
    const view: unknown = await guest.page.evaluate(
      async (at) => (await fetch(at)).json(),
      `/studio/api/drafts/${templateId}`,
    );
    // A draft is kept as a definition, whatever problems it has.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (view as { definition: ProjectData }).definition;
  };
  return { ...guest, templateId, draft };
}

function isList(content: Content): content is readonly Component[] {
  return Array.isArray(content);
}

/** Presses keys one after the other, each with those that are held: "Control+Shift+Z". */
export async function pressKeys(
  page: Page,
  ...chords: string[]
): Promise<void> {
  for (const chord of chords) {
    // The browser's protocol refuses what is no key.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const keys = chord.split(/\+(?=.)/) as KeyInput[];
    const last = keys.pop() ?? "Enter";
    for (const key of keys) await page.keyboard.down(key);
    await page.keyboard.press(last);
    for (const key of keys) await page.keyboard.up(key);
  }
}

/** Waits until the editor says this of the last step. */
export async function saidOfStep(page: Page, words: string): Promise<void> {
  const said = `document.querySelector("[aria-label='Last action']").textContent`;
  await page.waitForFunction(`${said} === ${JSON.stringify(words)}`);
}

/** Puts a text on the browser's clipboard, as if it had been copied elsewhere. */
export async function putOnClipboard(page: Page, text: string): Promise<void> {
  await page.evaluate(`addEventListener("copy", (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData.setData("text/plain", ${JSON.stringify(text)});
  }, { capture: true, once: true })`);
  await pressKeys(page, "Control+C");
}

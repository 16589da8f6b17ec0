import type { KeyInput, Page } from "puppeteer-core";
import { z } from "zod";
import type {
  Component,
  ProjectData,
  Text,
} from "../../core/plugin-api/definition.js";
import { eventually } from "./eventually.js";
import type { TestService } from "./service.js";
import { publish } from "./store.js";
import type { StudioUser } from "./studio.js";

/** A template that is open in the editor. */
export interface OpenEditor extends StudioUser {
  templateId: string;
  /** Fetches the definition of the saved draft. */
  draft: () => Promise<ProjectData>;
}

type Content = readonly Component[] | ProjectData;

/** Publishes a template for a user and opens its editor where the page is drawn. */
export async function openEditor(
  service: TestService,
  user: StudioUser,
  content: Content,
  templateType: "document" | "email" = "document",
): Promise<OpenEditor> {
  const definition = isList(content)
    ? { schema: [{ id: "root", fields: [] }], components: content }
    : content;
  const input = { definition, templateType };
  const templateId = await publish(service.store, user, input);
  await user.page.goto(`${service.url}/studio/templates/${templateId}/edit`);
  await user.page.waitForSelector(".sheet");
  const draft = async () => {
    const view: unknown = await user.page.evaluate(
      async (at) => (await fetch(at)).json(),
      `/studio/api/drafts/${templateId}`,
    );
    // A draft is kept as a definition, whatever problems it has.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (view as { definition: ProjectData }).definition;
  };
  return { ...user, templateId, draft };
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

/** Waits until the editor announces this as its last action. */
export async function waitForLastAction(
  page: Page,
  words: string,
): Promise<void> {
  const content = `document.querySelector("[aria-label='Last action']").textContent`;
  await page.waitForFunction(`${content} === ${JSON.stringify(words)}`);
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

const components = z.array(z.looseObject({ type: z.string() }));
const definition = z.looseObject({ components });
const template = z.object({
  version: z.number(),
  name: z.string(),
  templateType: z.string(),
  definition,
});
const draft = z.object({
  revision: z.number(),
  base: z.object({ hash: z.string() }),
  definition,
});

/** A template as the public API shows it to whoever uses the page. */
export async function getTemplate(
  page: Page,
  templateId: string,
): Promise<z.infer<typeof template>> {
  return template.parse(await read(page, `/api/templates/${templateId}`));
}

/** What the service has of a template's draft. */
export async function getDraft(
  page: Page,
  templateId: string,
): Promise<z.infer<typeof draft>> {
  const at = `/studio/api/drafts/${templateId}`;
  return draft.parse(await read(page, at));
}

/** Saves another draft, as somebody else would; problems are no hindrance. */
export async function saveDraft(
  page: Page,
  templateId: string,
  next: object,
): Promise<void> {
  const { revision, base } = await getDraft(page, templateId);
  const change = { definition: next, expectedRevision: revision };
  await page.evaluate(
    (url, body) =>
      fetch(url, {
        method: "PUT",
        headers: {
          "x-platen-app": "studio",
          "content-type": "application/json",
        },
        body,
      }).then(({ status }) => status),
    `/studio/api/drafts/${templateId}`,
    JSON.stringify({ ...change, base: base.hash }),
  );
}

async function read(page: Page, at: string): Promise<unknown> {
  const text = await page.evaluate(
    async (url) => (await fetch(url)).text(),
    at,
  );
  return JSON.parse(text);
}

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

/** Waits until the first component's saved text equals this. */
export async function waitForTextOfDraft(
  editor: OpenEditor,
  expected: Text,
): Promise<void> {
  await eventually(async () => (await textOfDraft(editor)) === expected);
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

/** Pastes a text into the focused input or text area with the keyboard, as the browser itself does it. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate(`{
    const source = document.createElement("textarea");
    const target = document.activeElement;
    const { selectionStart, selectionEnd } = target;
    target.after(source);
    source.value = ${JSON.stringify(text)};
    source.select();
    document.execCommand("copy");
    source.remove();
    target.focus();
    target.setSelectionRange(selectionStart, selectionEnd);
  }`);
  await pressKeys(page, "Control+V");
}

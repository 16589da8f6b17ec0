import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import type { KeyInput, Page } from "puppeteer-core";
import { z } from "zod";
import type { MemberRole } from "../../core/accounts/index.js";
import type {
  Component,
  ProjectData,
  Text,
} from "../../core/plugin-api/definition.js";
import { getText, summarize } from "./editor-model.js";
import { eventually } from "./eventually.js";
import type { TestService } from "./service.js";
import { publish } from "./store.js";
import {
  POLLING_MS,
  pressButton,
  type StudioUser,
  type TestVisitor,
  usePage,
  waitForText,
} from "./studio.js";

type Content = readonly Component[] | ProjectData;

type OpenTemplate = (
  content: Content,
  templateType?: "document" | "email",
) => Promise<OpenEditor>;

/** Opens templates, one after the other, in the editor in the one page of the suite; see `usePage`. */
export function useEditor(
  service: TestService,
  role: MemberRole = "editor",
  visitor?: Parameters<typeof usePage>[2],
): OpenTemplate {
  const user = usePage(service, role, visitor);
  afterEach(() => user().page.mouse.reset());
  return (content, type) => openEditor(service, user(), content, type);
}

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
  const editor = new OpenEditor(service, user, templateId);
  await user.open(`templates/${templateId}/edit`);
  await user.page.waitForSelector(".sheet");
  return editor;
}

function isList(content: Content): content is readonly Component[] {
  return Array.isArray(content);
}

/** How long something may take that the page or the service does: less than the limit of a test, so that errors say what was there. */
const MAX_WAIT_MS = 30_000;

/** How long the page takes at least to save a draft. */
const SAVE_MS = 30;

/** A template that is open in the editor. Each function can be taken out of the object. */
export class OpenEditor {
  readonly page: Page;
  /** See `StudioUser`. */
  readonly pageErrors: string[];
  readonly organizationId: string;

  constructor(
    private readonly service: TestService,
    readonly user: StudioUser,
    readonly templateId: string,
  ) {
    this.page = user.page;
    this.pageErrors = user.pageErrors;
    this.organizationId = user.organizationId;
  }

  /** Opens it, anew if it is open. */
  visit = async (page = this.page): Promise<void> => {
    await page.goto(
      `${this.service.url}/studio/templates/${this.templateId}/edit`,
    );
    await page.waitForSelector(".sheet");
  };

  /** Fetches the definition of the saved draft. */
  draft = async (): Promise<ProjectData> => {
    const path = `/studio/api/drafts/${this.templateId}`;
    const view: unknown = await (await this.user.get(path)).json();
    // A draft is kept as a definition, whatever problems it has.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (view as { definition: ProjectData }).definition;
  };

  /** Waits until a value of the saved draft equals this. */
  waitForDraft = async (
    select: (definition: ProjectData) => unknown,
    expected: unknown,
  ): Promise<void> => {
    const end = Date.now() + MAX_WAIT_MS;
    let found: unknown;
    await eventually(async () => {
      found = select(await this.draft());
      return isDeepStrictEqual(found, expected) || Date.now() > end;
    }, SAVE_MS);
    expect(found).to.deep.equal(expected);
  };

  /** Waits until the saved components are, in short, these: see `summarize`. */
  waitForBody = (expected: string): Promise<void> =>
    this.waitForDraft(({ components }) => summarize(components), expected);

  /** Waits until the saved text of the first component equals this. */
  waitForTextOfDraft = (expected: Text): Promise<void> =>
    this.waitForDraft(({ components: [first] }) => getText(first), expected);

  /** Waits until the JSON of the saved draft contains all of this. */
  waitForJson = async (...parts: string[]): Promise<void> => {
    await eventually(async () => {
      const json = JSON.stringify(await this.draft());
      return parts.every((part) => json.includes(part));
    }, SAVE_MS);
  };

  /** Clicks a component on the page. */
  click = async (
    id: string,
    options: { count?: number; button?: "right" } = {},
  ): Promise<void> => {
    await this.page.locator(`.canvas [data-id="${id}"]`).click(options);
  };

  /** Begins to type at the end of a component's text. */
  edit = (id: string): Promise<void> => startTyping(this.page, id);

  keys = (...chords: string[]): Promise<void> =>
    pressKeys(this.page, ...chords);

  /** Types letters, without keys that are held. */
  type = (words: string): Promise<void> => this.page.keyboard.type(words);

  /** Presses the button, link or tab with this name. */
  press = async (...names: string[]): Promise<void> => {
    for (const name of names) await pressButton(this.page, name);
  };

  /** Waits until something matches each selector, one after the other. */
  waitFor = async (...selectors: string[]): Promise<void> => {
    for (const selector of selectors) await this.page.waitForSelector(selector);
  };

  /** Waits until nothing matches the selector. */
  waitUntilGone = async (selector: string): Promise<void> => {
    await this.page.waitForFunction(
      `!document.querySelector(${JSON.stringify(selector)})`,
    );
  };

  /** Waits until the page contains all of these words. */
  waitForText = async (...all: string[]): Promise<void> => {
    for (const words of all) await waitForText(this.page, words);
  };

  /** Waits until the editor announces this as its last action. */
  waitForLastAction = (words: string): Promise<void> =>
    waitForLastAction(this.page, words);

  /** Waits until exactly these components are selected on the page. */
  waitForSelection = async (...ids: string[]): Promise<void> => {
    await this.page.waitForFunction(
      `[...document.querySelectorAll(".sheet [data-selected]")]
        .map((one) => one.dataset.id).join() === "${ids.join()}"`,
    );
  };
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
  await page.waitForFunction(`${content} === ${JSON.stringify(words)}`, {
    polling: POLLING_MS,
  });
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

const definition = z.looseObject({
  components: z.array(z.looseObject({ type: z.string() })),
});
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

/** A template as the public API shows it. */
export async function getTemplate(
  visitor: Pick<TestVisitor, "get">,
  templateId: string,
): Promise<z.infer<typeof template>> {
  const response = await visitor.get(`/api/templates/${templateId}`);
  return template.parse(await response.json());
}

/** What the service has of a template's draft. */
export async function getDraft(
  visitor: Pick<TestVisitor, "get">,
  templateId: string,
): Promise<z.infer<typeof draft>> {
  const response = await visitor.get(`/studio/api/drafts/${templateId}`);
  return draft.parse(await response.json());
}

/** Saves another draft, beside the page; problems are no hindrance. */
export async function saveDraft(
  visitor: Pick<TestVisitor, "get" | "send">,
  templateId: string,
  next: object,
): Promise<void> {
  const { revision, base } = await getDraft(visitor, templateId);
  const change = { definition: next, expectedRevision: revision };
  const path = `/studio/api/drafts/${templateId}`;
  const body = { ...change, base: base.hash };
  const response = await visitor.send("PUT", path, body);
  expect(response.status).to.equal(200);
}

/** Begins to type at the end of a component's text. */
export async function startTyping(page: Page, id: string): Promise<void> {
  await page.locator(`.canvas [data-id="${id}"]`).click({ count: 2 });
  await page.waitForSelector(`[data-id="${id}"] .ProseMirror-focused`);
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
}

/** Selects a part of the template's JSON, from so many letters of it on. */
export async function selectInJson(
  page: Page,
  part: string,
  from = 0,
): Promise<void> {
  await page.waitForSelector("textarea.code");
  await page.$eval(
    "textarea.code",
    (field, text, offset) => {
      const at = field.value.indexOf(text);
      if (at < 0) throw new Error(`there is no ${text}`);
      field.focus();
      field.setSelectionRange(at + offset, at + text.length);
    },
    part,
    from,
  );
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

import { expect } from "chai";
import { after, afterEach, before } from "mocha";
import {
  type Locator,
  type Page,
  type Browser,
  type BrowserContext,
  chromium,
} from "playwright-core";
import { z } from "zod";
import type { ProjectData, Text } from "../../core/plugin-api/definition.js";
import type { AppRole } from "../../core/plugin-api/index.js";
import { installBrowser } from "../../core/rendering/index.js";
import { fastClockProgram } from "./fast-clock.js";
import { pdfFacts } from "./read-pdf.js";
import { RENDER_CACHE } from "./renderer.js";
import type { TestService } from "./service.js";
import { publish } from "./store.js";
import { newVisitor, readCookies, type Person } from "./studio.js";

const draftView = z.object({ definition: z.custom<ProjectData>() });

/** Makes a template of an example (or of nothing) in the gallery. Ends in its editor. @returns its id. */
export async function newTemplate(
  page: Page,
  example: string,
  name = example,
): Promise<string> {
  await page.getByRole("link", { name: "New template" }).first().click();
  const card = page.getByRole("button", { name: new RegExp(`^${example}`) });
  await card.first().click();
  if (example.startsWith("Blank")) {
    await paper(page).waitFor();
    await page.getByRole("button", { name: "Untitled" }).click();
    const title = page.getByRole("textbox", { name: "Name of the template" });
    await title.fill(name);
    await title.press("Enter");
    return getTemplateId(page);
  }
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(name);
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await paper(page).waitFor();
  return getTemplateId(page);
}

/** The template that an editor has open. */
function getTemplateId(page: Page): string {
  return /templates\/([\w-]+)/.exec(page.url())?.[1] ?? "";
}

/** The page that is designed. */
export function paper(page: Page) {
  return page.getByRole("region", { name: "Page", exact: true });
}

/** Begins to type in the text of the page that has these words; the caret is at its end. */
export async function typeAt(page: Page, words: string): Promise<void> {
  await paper(page).getByText(words).first().dblclick();
  await paper(page).getByRole("textbox").waitFor();
  await page.keyboard.press("Control+End");
}

/** Adds a part by the palette. Ends when the part is ready for the next key. */
export async function addPart(page: Page, name: string): Promise<void> {
  const panel = page.getByRole("complementary", {
    name: "Components and data",
  });
  await panel.getByRole("tab", { name: "Add" }).click();
  await panel.getByRole("button", { name, exact: true }).click();
  await paper(page).locator(":focus").waitFor();
}

/** Writes over the text that is being typed; what begins with `/` is looked for in the menu, and chosen. */
export async function writeOver(page: Page, ...all: string[]): Promise<void> {
  await paper(page).getByRole("textbox").waitFor();
  await page.keyboard.press("Control+A");
  const menu = page.getByRole("listbox", { name: "Your data" });
  for (const words of all) {
    await page.keyboard.type(words);
    if (!words.startsWith("/")) continue;
    await menu.getByRole("option", { selected: true }).waitFor();
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("Escape");
}

/** Chooses the first that is called so, whatever else is said of it. */
export async function choose(select: Locator, words: RegExp): Promise<void> {
  const option = select.getByRole("option", { name: words }).first();
  const label = (await option.textContent()) ?? "";
  await select.selectOption({ label });
}

/** What the service has of the open template's draft. */
export async function fetchDraft(page: Page): Promise<ProjectData> {
  const at = new URL(`/studio/api/drafts/${getTemplateId(page)}`, page.url());
  const response = await page.request.get(at.href);
  return draftView.parse(await response.json()).definition;
}

/** Publishes by the bar's button. */
export async function publishDraft(page: Page, note = ""): Promise<void> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What changed").fill(note);
  await dialog.getByRole("button", { name: "Publish" }).click();
  await page.getByText(/Published as version/).waitFor();
}

/** Goes back to the template and makes a PDF of its sample. @returns what a reader finds in it. */
export async function printed(page: Page) {
  await page.getByRole("link", { name: "Back to the template" }).click();
  await page.getByRole("button", { name: "Create document" }).click();
  const link = page.getByRole("link", { name: "Download" });
  const at = new URL((await link.getAttribute("href")) ?? "", page.url());
  const response = await page.request.get(at.href);
  return pdfFacts(await response.body());
}

/** Opens the editor of a template that is there already. */
export async function openTemplate(
  { page, person, service }: StudioSession,
  definition: ProjectData,
  templateType: "document" | "email" = "document",
): Promise<string> {
  const input = { definition, templateType };
  const id = await publish(service.store, person, input);
  await page.goto(`${service.url}/studio/templates/${id}/edit`);
  await paper(page).waitFor();
  return id;
}

/** The text of the first component of the draft. */
export async function firstText(page: Page): Promise<Text | undefined> {
  const [first] = (await fetchDraft(page)).components;
  return first && "text" in first ? first.text : undefined;
}

/** Somebody on the way through the studio, in a browser window of their own. */
interface StudioSession {
  page: Page;
  person: Person;
  service: TestService;
}

type SignIn = (
  role?: AppRole,
  organizationId?: string,
) => Promise<StudioSession>;

/**
 * Opens a window, in the shipped browser, that has the session of someone new, by default in a new organization; ends where
 * the templates are. After each test, no page may have complained: blocked scripts and styles count as well.
 */
export function useJourneys(service: TestService): SignIn {
  let browser: Browser | undefined;
  const windows: BrowserContext[] = [];
  const pageErrors: string[] = [];
  before(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    for (const one of windows.splice(0)) await one.close();
    expect(pageErrors.splice(0)).to.deep.equal([]);
  });
  after(() => browser?.close());
  return async (role = "editor", organizationId?: string) => {
    if (!browser) throw new Error("the browser of this suite does not run yet");
    const context = await newWindow(browser);
    windows.push(context);
    const page = await context.newPage();
    page.on("console", (message) => {
      if (!isConflict(message.text())) pageErrors.push(message.text());
    });
    page.on("pageerror", (error) => pageErrors.push(String(error)));
    const person = await newVisitor(service, role, organizationId);
    const { hostname: domain } = new URL(service.url);
    const cookies = readCookies(person);
    await context.addCookies(
      cookies.map((cookie) => ({ ...cookie, domain, path: "/" })),
    );
    await page.goto(`${service.url}/studio/`);
    await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor();
    return { page, person, service };
  };
}

/** The browser says so by itself when the service answers that somebody else was quicker, which pages reckon with. */
function isConflict(words: string): boolean {
  return words.includes("status of 409");
}

/** Waits are ended by the test's own limit alone. */
async function newWindow(browser: Browser): Promise<BrowserContext> {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ viewport });
  context.setDefaultTimeout(0);
  await context.addInitScript({ content: fastClockProgram });
  return context;
}

async function startBrowser(): Promise<Browser> {
  const home = await installBrowser(RENDER_CACHE);
  return chromium.launch({
    executablePath: home.executable,
    args: ["--no-sandbox"],
    env: {
      ...process.env,
      FONTCONFIG_FILE: home.fontConfig,
      LD_LIBRARY_PATH: home.libraries ?? "",
    },
  });
}

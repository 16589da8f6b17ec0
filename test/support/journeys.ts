import type { Locator, Page } from "playwright-core";
import { z } from "zod";
import type { ProjectData, Text } from "../../core/plugin-api/definition.js";
import { pdfFacts } from "./read-pdf.js";
import type { Traveller } from "./playwright.js";
import { publish } from "./store.js";

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
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(name);
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await paper(page).waitFor();
  return idOf(page);
}

/** The template that an editor has open. */
export function idOf(page: Page): string {
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
export async function draftOf(page: Page): Promise<ProjectData> {
  const at = new URL(`/studio/api/drafts/${idOf(page)}`, page.url());
  const answer = await page.request.get(at.href);
  return draftView.parse(await answer.json()).definition;
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
  const answer = await page.request.get(at.href);
  return pdfFacts(await answer.body());
}

/** Opens the editor of a template that is there already. */
export async function openTemplate(
  { page, person, service }: Traveller,
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
  const [first] = (await draftOf(page)).components;
  return first && "text" in first ? first.text : undefined;
}

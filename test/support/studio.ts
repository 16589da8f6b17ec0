import type { Page } from "puppeteer-core";
import type { AppRole } from "../../core/plugin-api/index.js";
import { useBrowser, type Visitor } from "./people-browser.js";
import type { TestService } from "./service.js";
import { linkFor, newPerson, type Person } from "./visitor.js";

/** Someone in the studio. */
export interface Guest extends Person {
  page: Page;
  /** What went wrong in the browser's own words, blocked scripts and styles among it. */
  wrong: string[];
}

type Enter = (
  role?: AppRole,
  visitor?: Visitor,
  organizationId?: string,
) => Promise<Guest>;

/** Signs someone new in by a link, in a browser of the suite, by default into a new organization. Ends where the templates are. */
export function useStudio(service: TestService): Enter {
  const open = useBrowser();
  return async (
    role = "owner",
    visitor = { width: 1280 },
    organizationId?: string,
  ) => {
    const page = await open(visitor);
    const wrong: string[] = [];
    page.on("console", (message) => wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(String(error)));
    const person = await newPerson(service, role, organizationId);
    await page.goto(await linkFor(service, person));
    await pressButton(page, "Sign in");
    await page.waitForSelector("nav a");
    return { ...person, page, wrong };
  };
}

/** Presses the button or link with these words, once it is there and does not wait for something itself. */
export async function pressButton(page: Page, words: string): Promise<void> {
  await page
    .locator(`::-p-aria([name="${words}"])`)
    // One that was drawn anew is looked for again by the click itself.
    .filter((one) => one.ariaDisabled !== "true" || !one.isConnected)
    .click();
}

/**
 * Waits until the page with this heading is shown. What is looked for from then on belongs to it, and not to the page
 * that was left.
 */
export async function landed(page: Page, heading: string): Promise<void> {
  await page.waitForFunction(
    `document.querySelector("h1")?.innerText === ${JSON.stringify(heading)}`,
  );
}

/** Waits until no dialog is open: what is pressed from then on is the page's own. */
export async function dialogClosed(page: Page): Promise<void> {
  await page.waitForFunction('!document.querySelector("dialog")');
}

/** Waits until so many elements are there. */
export async function counted(
  page: Page,
  selector: string,
  count: number,
): Promise<void> {
  await page.waitForFunction(
    `document.querySelectorAll(${JSON.stringify(selector)}).length === ${count}`,
  );
}

/** Waits until the page says this: to be words that it did not say before, in the names of its filters neither. */
export async function said(page: Page, words: string): Promise<void> {
  await page.waitForFunction(
    `document.body.innerText.includes(${JSON.stringify(words)})`,
  );
}

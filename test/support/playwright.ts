import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { after, afterEach, before } from "mocha";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
} from "playwright-core";
import type { AppRole } from "../../core/plugin-api/index.js";
import { installBrowser } from "../../core/rendering/index.js";
import { RENDER_CACHE } from "./renderer.js";
import type { TestService } from "./service.js";
import { linkFor, newPerson, type Person } from "./studio.js";

/** Somebody on the way through the studio, in a browser window of their own. */
export interface Traveller {
  page: Page;
  person: Person;
  service: TestService;
}

type SetOut = (role?: AppRole, organizationId?: string) => Promise<Traveller>;

/**
 * Signs someone new in by a link, in the shipped browser, by default into a new organization; ends where the templates
 * are. After each test, no page may have complained: blocked scripts and styles count as well.
 */
export function useJourneys(service: TestService): SetOut {
  let browser: Browser | undefined;
  const windows: BrowserContext[] = [];
  const wrong: string[] = [];
  before(async () => {
    browser = await start();
  });
  afterEach(async () => {
    for (const one of windows.splice(0)) await one.close();
    expect(wrong.splice(0)).to.deep.equal([]);
  });
  after(() => browser?.close());
  return async (role = "editor", organizationId?: string) => {
    if (!browser) throw new Error("the browser of this suite does not run yet");
    const context = await newWindow(browser);
    windows.push(context);
    const page = await context.newPage();
    page.on("console", (message) => {
      if (!isConflict(message.text())) wrong.push(message.text());
    });
    page.on("pageerror", (error) => wrong.push(String(error)));
    const person = await newPerson(service, role, organizationId);
    await page.goto(await linkFor(service, person));
    await page.getByRole("button", { name: "Sign in" }).click();
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
  return context;
}

async function start(): Promise<Browser> {
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

const SHORTEST_MS = 5;
const LONGEST_MS = 100;

/**
 * Asks again and again for as long as it is iterated over. The pauses grow with the time that has passed, to a tenth of
 * it: whoever waits for long is not to take the time of those that it waits for.
 */
export async function* looks(): AsyncGenerator<void> {
  const begun = Date.now();
  for (;;) {
    yield;
    const tenth = (Date.now() - begun) / 10;
    await pause(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, tenth)));
  }
}

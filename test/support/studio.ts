import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "chai";
import {
  type ElementHandle,
  type Page,
  type Browser,
  type BrowserContext,
  launch,
} from "puppeteer-core";
import { z } from "zod";
import { operator, Users, type MemberRole } from "../../core/accounts/index.js";
import { installBrowser } from "../../core/rendering/index.js";
import { LoginLinks } from "../../core/accounts/sessions/index.js";
import type { Requests } from "./caller.js";
import { stopDelays } from "./delayed-responses.js";
import { fastClockProgram } from "./fast-clock.js";
import { RENDER_CACHE, isTestWorker } from "./renderer.js";
import type { TestService } from "./service.js";
import { newOwner } from "./store.js";

/** A user who is signed in to the studio, in a browser page of their own. */
export interface StudioUser extends TestVisitor {
  page: Page;
  /** Console messages and uncaught errors of the page, including blocked scripts and styles. */
  pageErrors: string[];
  /** Opens a page of the studio, such as `documents`, by its address. */
  open: (path: string) => Promise<void>;
}

type SignIn = (
  role?: MemberRole,
  visitor?: WindowOptions,
  organizationId?: string,
) => Promise<StudioUser>;

/**
 * Opens a page, in a browser of the suite, that has the session of someone new, by default in a new organization. Ends
 * where `at` says, else where the templates are.
 */
export function useStudio(
  service: TestService,
  open: OpenPage = useBrowser(),
): SignIn {
  return async (role, visitor = { width: 1280 }, organizationId?) => {
    const page = await open(visitor);
    const user = await newVisitor(service, role, organizationId);
    const pageErrors = collectErrors(page);
    await setSession(service, page, user);
    const openPath = openerOf(service, page);
    await openPath(visitor.at ?? "");
    await page.waitForSelector("nav a");
    return { ...user, page, pageErrors, open: openPath };
  };
}

/**
 * One page of one new user for all tests of the suite; it is empty at the beginning. After each test the page must not
 * have reported errors that the test has not taken out of `pageErrors`, and what the studio remembers in the browser is
 * removed.
 */
export function usePage(
  service: TestService,
  role: MemberRole = "editor",
  visitor: WindowOptions = { width: 1280 },
  open: OpenPage = useBrowser(),
): () => StudioUser {
  let user: StudioUser | undefined;
  before(async () => {
    const page = await open(visitor);
    const someone = await newVisitor(service, role);
    await setSession(service, page, someone);
    // Asked by an editor whose changes are not saved yet.
    page.on("dialog", (dialog) => {
      if (dialog.type() === "beforeunload") void dialog.accept();
    });
    const pageErrors = collectErrors(page);
    user = { ...someone, page, pageErrors, open: openerOf(service, page) };
  });
  afterEach(async function () {
    if (!user) return;
    const { page, pageErrors } = user;
    if (this.currentTest?.isFailed())
      console.error(
        `${page.url()} showed:\n${String(await page.evaluate("document.body.innerText"))}`,
      );
    await stopDelays(page);
    if (page.url().startsWith("http"))
      await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    if (page.url().startsWith(`${service.url}/studio/`))
      await showInApp(page, restPath);
    else await page.goto("about:blank");
    expect(pageErrors.splice(0)).to.deep.equal([]);
  });
  return () => {
    if (!user) throw new Error("the page of this suite is not open yet");
    return user;
  };
}

/** Takes the browser's own reports of answers with this status from the errors of the page. There must be one. */
export async function expectRefusal(
  { page, pageErrors }: StudioUser,
  status: number,
): Promise<void> {
  await receiveReports(page);
  const isReport = (words: string) => words.includes(`a status of ${status}`);
  const others = pageErrors.filter((words) => !isReport(words));
  expect(pageErrors.length, `a ${status}`).to.be.above(others.length);
  pageErrors.splice(0, Infinity, ...others);
}

/** Waits until what the page has reported so far is there: the browser answers in turn. */
async function receiveReports(page: Page): Promise<void> {
  await page.evaluate("0");
}

/** Takes what the browser may report of requests that did not arrive, or were too late, from the errors of the page. */
export async function ignoreOutage({
  page,
  pageErrors,
}: StudioUser): Promise<void> {
  await receiveReports(page);
  const others = pageErrors.filter(
    (words) => !/net::ERR_|a status of 409/.test(words),
  );
  pageErrors.splice(0, Infinity, ...others);
}

/** Gives all pages that share the page's cookies the session of this user. */
export async function setSession(
  service: TestService,
  page: Page,
  user: TestVisitor,
): Promise<void> {
  const { hostname } = new URL(service.url);
  const context = page.browserContext();
  // Between tests, the studio still shows the user before, whose requests the service would refuse.
  if (page.url().endsWith(restPath)) await page.goto("about:blank");
  for (const cookie of readCookies(user))
    await context.setCookie({ ...cookie, domain: hostname });
}

/** The cookies of a session, by name and value. */
export function readCookies(user: TestVisitor) {
  return user.cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
}

function openerOf(service: TestService, page: Page): StudioUser["open"] {
  return async (path) => {
    if (page.url().endsWith(restPath)) await showInApp(page, path);
    else await page.goto(`${service.url}/studio/${path}`);
  };
}

/** No page of the studio: between tests it is shown, so that the next one need not load the studio's scripts again. */
const restPath = "between/tests";

/** Opens a page of the studio as its links do. Ends when the page before is gone. */
export async function showInApp(page: Page, path: string): Promise<void> {
  const url = JSON.stringify(`/studio/${path}`);
  await page.evaluate(`{
    history.pushState(null, "", ${url});
    dispatchEvent(new PopStateEvent("popstate"));
    new Promise(requestAnimationFrame)
      .then(() => new Promise(requestAnimationFrame));
  }`);
}

function collectErrors(page: Page): string[] {
  const pageErrors: string[] = [];
  page.on("console", (message) => pageErrors.push(message.text()));
  page.on("pageerror", (error) => pageErrors.push(String(error)));
  return pageErrors;
}

/**
 * Presses the button or link with these words, once it is there and does not wait for something itself.
 * @param within the selector of the only place where it may be
 */
export async function pressButton(
  page: Page,
  words: string,
  within = "",
): Promise<void> {
  const find = `(${findPressable})(${JSON.stringify([words, within])}).then((found) => {
    const press = () => { window.wasPressed = true; };
    window.wasPressed = false;
    found.addEventListener("click", press, { capture: true, once: true });
    return found;
  })`;
  await retryInNextPage(async () => {
    for (let isPressed: unknown = false; isPressed !== true;) {
      const handle = await page.evaluateHandle(find);
      const element = handle.asElement();
      // The protocol's handles do not say of what kind their element is.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      await (element as ElementHandle).click();
      // What is drawn above it meanwhile moves it away from the mouse. A page that is gone was left by the press.
      isPressed = await page
        .evaluate("window.wasPressed !== false")
        .catch(() => true);
    }
  });
}

/** Tries again when the page is left for the one that has what is looked for. */
async function retryInNextPage<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await attempt();
    } catch (error) {
      if (!/context was destroyed|navigation|detached/i.test(String(error)))
        throw error;
    }
}

/** Waits until there is a button or link with these words that can be pressed. */
export async function waitForButton(
  page: Page,
  words: string,
  within = "",
): Promise<void> {
  await runInPage(page, findPressable, [words, within]);
}

/**
 * The names of elements, in the page. Tests calculate them there, because the browser calculates those of the whole page for
 * each look.
 */
const names = `
  const squeeze = (text) => text.replace(/\\s+/g, "");
  const textOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE) return "";
    if (node.ariaHidden === "true") return "";
    if (node.matches("script, style, select, textarea")) return "";
    if (node.ariaLabel) return node.ariaLabel;
    if (node.alt) return node.alt;
    return [...node.childNodes].map(textOf).join("");
  };
  const nameOf = (one) => {
    const labels = one.ariaLabelledByElements ?? [];
    if (labels.length > 0) return labels.map(textOf).join("");
    if (one.ariaLabel) return one.ariaLabel;
    if (one.labels?.length > 0) return [...one.labels].map(textOf).join("");
    return textOf(one) || one.title || one.placeholder || "";
  };
  /** What can be seen, above everything else, and has this name. */
  const findNamed = (selector, name, within) => {
    const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
    const places = within === "" ? [document] : [...document.querySelectorAll(within)];
    const [first] = places
      .flatMap((place) => [...place.querySelectorAll(selector)])
      .filter((one) => top.contains(one) && squeeze(nameOf(one)) === squeeze(name))
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => !one.closest("[inert]"));
    return first?.disabled || first?.ariaDisabled === "true" ? undefined : first;
  };
  /** Tries in each frame, and after some of them less often, until there is a result. */
  const retry = async (what, attempt) => {
    const end = Date.now() + 30_000;
    for (let frame = 0; Date.now() < end; frame += 1) {
      if (frame > 20) await new Promise((resolve) => setTimeout(resolve, 30));
      await new Promise(requestAnimationFrame);
      const result = attempt();
      if (result !== undefined) return result;
    }
    throw new Error("there is no " + what);
  };
`;

/** Waits, in the page, for what has the name and can be pressed. */
const findPressable = `async ([words, within]) => {
  ${names}
  const roles = "button link tab menuitem menuitemradio option switch radio checkbox treeitem combobox";
  const pressable = "a[href], button, input, select, summary, textarea, " +
    roles.split(" ").map((role) => "[role=" + role + "]").join();
  let last = "";
  return retry("button " + words, () => {
    const first = findNamed(pressable, words, within);
    if (!first) return;
    const { x, y, width, height } = first.getBoundingClientRect();
    const now = [x, y, width, height].join();
    const isStill = now === last && width > 0 && height > 0;
    last = now;
    if (!isStill) return;
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    // A box that its label covers can be pressed there.
    if (first.contains(hit) || hit?.closest("label")?.control === first) return first;
    first.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  });
}`;

/** Waits, in the page, for the field with this label, and fills it, or chooses a value of a list. */
const fill = `async ([label, within, next, isBeginning]) => {
  ${names}
  const fields = "input:not([type=checkbox], [type=radio]), select, textarea";
  const send = (field, ...events) =>
    events.forEach((one) => field.dispatchEvent(new Event(one, { bubbles: true })));
  return retry("field " + label + " for " + next, () => {
    const field = findNamed(fields, label, within);
    if (!field || field.readOnly) return;
    field.focus();
    if (field.matches("select")) {
      const option = [...field.options].find(({ value, label }) =>
        isBeginning ? label.trim().startsWith(next) : value === next);
      if (!option || option.disabled) return;
      field.value = option.value;
      send(field, "input", "change");
    } else if (/^(color|date|datetime-local|time|range)$/.test(field.type)) {
      field.value = next;
      send(field, "input", "change");
    } else {
      field.select();
      document.execCommand(next === "" ? "delete" : "insertText", false, next);
    }
    return true;
  });
}`;

/** Fills the field, as a paste does, or chooses the value of the list, that has this label. */
export function fillField(
  page: Page,
  label: string,
  text: string,
  within = "",
): Promise<void> {
  return runInPage(page, fill, [label, within, text]);
}

/** Chooses the option that begins with these words in the list with this label. */
export function chooseOption(
  page: Page,
  label: string,
  words: string,
  within = "",
): Promise<void> {
  return runInPage(page, fill, [label, within, words, true]);
}

async function runInPage(page: Page, what: string, all: unknown[]) {
  const call = `(${what})(${JSON.stringify(all)})`;
  await retryInNextPage(() => page.evaluate(call));
}

/** The value of the field with this label, once it is there. */
export async function readField(page: Page, label: string): Promise<string> {
  const read = `(async () => {
    ${names}
    const field = await retry("field", () =>
      findNamed("input, select, textarea", ${JSON.stringify(label)}, ""));
    return field.value;
  })()`;
  return z.string().parse(await page.evaluate(read));
}

/** Chooses an action in the menu of the thing with this name. */
export async function chooseAction(
  page: Page,
  name: string,
  action: string,
): Promise<void> {
  await pressButton(page, `Actions for ${name}`);
  await page.locator(`:popover-open ::-p-text(${action})`).click();
}

/** The secret that a dialog shows once. */
export async function readSecret(page: Page): Promise<string> {
  const shown = await page.waitForSelector(".secret");
  return (await shown?.evaluate((one) => one.textContent)) ?? "";
}

/**
 * Waits until the page with this heading is shown. What is looked for from then on belongs to it, and not to the page
 * that was left.
 */
export async function waitForHeading(
  page: Page,
  heading: string,
): Promise<void> {
  await page.waitForFunction(
    `document.querySelector("h1")?.innerText === ${JSON.stringify(heading)}`,
  );
}

/** Waits until no dialog is open: what is pressed from then on is the page's own. */
export async function waitForDialogToClose(page: Page): Promise<void> {
  await page.waitForFunction('!document.querySelector("dialog")');
}

/** Waits until this many elements match. */
export async function waitForCount(
  page: Page,
  selector: string,
  count: number,
): Promise<void> {
  await page.waitForFunction(
    `document.querySelectorAll(${JSON.stringify(selector)}).length === ${count}`,
  );
}

/** Between two looks at the words of a page, which cost more than a frame. */
export const POLLING_MS = 40;

/**
 * Waits until the page contains this text, which it must not have contained before. While a page is being replaced, it
 * has no body, and a look that throws would be the last one.
 */
export async function waitForText(page: Page, ...all: string[]): Promise<void> {
  for (const words of all)
    await page.waitForFunction(
      `document.body?.innerText.includes(${JSON.stringify(words)})`,
      { polling: POLLING_MS },
    );
}

/** Presses one button after the other. */
export async function pressButtons(
  page: Page,
  ...all: string[]
): Promise<void> {
  for (const words of all) await pressButton(page, words);
}

interface WindowOptions {
  /** The page of the studio that is opened. Default: the templates. */
  at?: string;
  width?: number;
  isDark?: boolean;
  /** Default: they run. */
  withoutScripts?: boolean;
  /** The locale of the browser. Default: English. */
  locale?: string;
}

type OpenPage = (visitor?: WindowOptions) => Promise<Page>;

let shared: Promise<Browser> | undefined;

/**
 * The shipped browser as people use it, with scripts and network; its windows are closed in the suite's `after`. In a
 * worker of a parallel run one browser serves all files, and ends with the process.
 */
export function useBrowser(): OpenPage {
  let browser: Browser | undefined;
  const windows: BrowserContext[] = [];
  before(async () => {
    browser = await (isTestWorker ? (shared ??= start()) : start());
  });
  after(async () => {
    for (const one of windows) await one.close();
    if (!isTestWorker) await browser?.close();
  });
  return async ({
    width = 390,
    isDark = false,
    withoutScripts = false,
    locale,
  } = {}) => {
    if (!browser) throw new Error("the browser of this suite does not run yet");
    const context = await browser.createBrowserContext();
    windows.push(context);
    const page = await context.newPage();
    await page.evaluateOnNewDocument(fastClockProgram);
    // One picture point for each px: more would be painted by the processor, for nobody.
    await page.setViewport({ width, height: 844, isMobile: width < 600 });
    const value = isDark ? "dark" : "light";
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
    await page.setJavaScriptEnabled(!withoutScripts);
    if (locale !== undefined) {
      const devTools = await page.createCDPSession();
      await devTools.send("Emulation.setUserAgentOverride", {
        userAgent: await browser.userAgent(),
        acceptLanguage: locale,
      });
    }
    return page;
  };
}

/** The same for a Firefox, which is driven by WebDriver BiDi. It has scrollbars that take up space. */
export function useFirefox(executablePath: string): OpenPage {
  let browser: Browser | undefined;
  before(async () => {
    browser = await launch({
      browser: "firefox",
      executablePath,
      extraPrefsFirefox: { "widget.gtk.overlay-scrollbars.enabled": false },
    });
  });
  after(async () => {
    await browser?.close();
  });
  return async ({ width = 390 } = {}) => {
    if (!browser) throw new Error("the browser of this suite does not run yet");
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width, height: 844 });
    return page;
  };
}

async function start(): Promise<Browser> {
  const home = await installBrowser(RENDER_CACHE);
  return launch({
    executablePath: home.executable,
    headless: "shell",
    args: ["--no-sandbox"],
    env: {
      ...process.env,
      FONTCONFIG_FILE: home.fontConfig,
      LD_LIBRARY_PATH: home.libraries ?? "",
    },
  });
}

/** A signed-in user whose requests carry the session cookie. */
export interface TestVisitor extends Person, Requests {
  cookie: string;
  /** Sends the header that the studio pages send. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
}

export interface Person {
  organizationId: string;
  userId: string;
  email: string;
}

/** Someone with a role in an organization, by default a new one. */
export async function newPerson(
  service: TestService,
  role: MemberRole = "owner",
  organizationId?: string,
): Promise<Person> {
  const place =
    organizationId ?? (await newOwner(service.store)).organizationId;
  const email = `${crypto.randomUUID()}@example.com`;
  const person = { name: "Ada", email, role };
  const users = new Users(service.store);
  const { id } = await users.create(place, person, operator);
  return { organizationId: place, userId: id, email };
}

/** A link that signs this person in. */
export async function linkFor(
  service: TestService,
  person: Person,
): Promise<string> {
  const links = service.container.resolve(LoginLinks);
  return (await links.issue(person, operator)).url;
}

/** Presses the button of a link's page. */
export function pressLink(url: string): Promise<Response> {
  return fetch(url, { method: "POST", redirect: "manual" });
}

/** The cookies that an answer sets, as the browser sends them back. */
export function getCookie(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .join("; ");
}

/** Someone new with this role, signed in by a link. */
export async function newVisitor(
  service: TestService,
  role: MemberRole = "owner",
  organizationId?: string,
): Promise<TestVisitor> {
  return signInAs(service, await newPerson(service, role, organizationId));
}

export async function signInAs(
  service: TestService,
  person: Person,
): Promise<TestVisitor> {
  const answer = await pressLink(await linkFor(service, person));
  const cookie = getCookie(answer);
  const send: TestVisitor["send"] = (method, path, body) =>
    fetch(service.url + path, {
      method,
      headers: {
        cookie,
        "x-platen-app": "studio",
        "content-type": "application/json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    ...person,
    cookie,
    send,
    get: (path) => fetch(service.url + path, { headers: { cookie } }),
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    patch: (path, body) => send("PATCH", path, body),
    delete: (path) => send("DELETE", path),
  };
}

/** A browser without scripts: keeps cookies by host, follows redirects one at a time. */
export class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** The answer, whatever it is; redirects are not followed. */
  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url);
    const mine = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, mine);
    const cookie = [...mine].map(([name, value]) => `${name}=${value}`);
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: { cookie: cookie.join("; ") },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === "") mine.delete(name);
      else mine.set(name, value);
    }
    return response;
  }

  /** Follows redirects until there is a page, or the next address is `until`. */
  async follow(
    url: string | URL,
    until: (next: URL) => boolean = () => false,
  ): Promise<{ url: URL; response: Response }> {
    let here = new URL(url);
    for (;;) {
      const response = await this.fetch(here);
      const location = response.headers.get("location");
      if (location === null) return { url: here, response };
      here = new URL(location, here);
      if (until(here)) return { url: here, response };
    }
  }
}

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** The rules of axe whose result colors decide. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** Dialogs without a name, which axe asks only of elements with a role attribute. */
const nameless = `function nameless() {
  return [...document.querySelectorAll("dialog[open]")]
    .filter((one) => !one.ariaLabel && !one.ariaLabelledByElements?.some(({ innerText }) => innerText))
    .map((one) => "dialog-name: " + one.innerText);
}`;

/**
 * What axe finds wrong with a page, with the elements' markup.
 * @param within selects the part of the page that is looked at
 * @param rules only these; by default all
 */
export async function runAxe(
  page: Page,
  within = "html",
  rules?: string[],
): Promise<string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined")
    await page.evaluate(axe);
  const options = {
    resultTypes: ["violations"],
    preload: false,
    ...(rules && { runOnly: rules }),
  };
  const run = `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) =>
    [...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)), ...nameless()])`;
  return z.array(z.string()).parse(await page.evaluate(`${nameless}; ${run}`));
}

interface LooksOptions {
  /** Selects the part of the page that is looked at. */
  within?: string;
  /** Whether it is looked at on a phone too, in the dark: with all rules, or with those of colors. */
  phone?: "all" | "colors";
}

/**
 * Asserts that axe finds nothing in what the page shows in the light, nor in its colors in the dark, and that it does not
 * scroll sideways. Needs a page that is 1280 px wide.
 */
export async function checkLooks(
  page: Page,
  what: string,
  { within, phone }: LooksOptions = {},
): Promise<void> {
  const expectFit = async (where: string) => {
    const excess = await measureExcess(page);
    expect(excess, `${where} scrolls sideways`).to.be.at.most(0);
  };
  const light = await runAxe(page, within);
  expect(light, what).to.deep.equal([]);
  await expectFit(what);
  await setTheme(page, "dark");
  if (phone) await page.setViewport({ width: 390, height: 844 });
  const rules = phone === "all" ? undefined : colorRules;
  const dark = await runAxe(page, within, rules);
  expect(dark, `${what}, in the dark`).to.deep.equal([]);
  if (phone) await expectFit(`${what}, on a phone,`);
  await setTheme(page, "light");
  if (phone) await page.setViewport({ width: 1280, height: 844 });
}

/** By how many px the page is wider than its window, or something in it that does not scroll by itself. */
export async function measureExcess(page: Page): Promise<number> {
  const script = `(() => {
    const clips = (one) => {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(one);
      return /auto|scroll/.test(overflowX) || textOverflow === "ellipsis" || clipPath !== "none";
    };
    let widest = document.documentElement.scrollWidth;
    const look = (one) => {
      if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || clips(one)) return;
      const { left, right, width } = one.getBoundingClientRect();
      if (width > 0 && left < innerWidth) widest = Math.max(widest, right);
      for (const child of one.children) look(child);
    };
    look(document.querySelector("main, form") ?? document.body);
    return Math.floor(widest - innerWidth);
  })()`;
  return Number(await page.evaluate(script));
}

/** Without transitions, amid which colors are neither the old nor the new ones. */
async function setTheme(page: Page, value: "light" | "dark"): Promise<void> {
  await page.evaluate(`if (!document.adoptedStyleSheets.includes(globalThis.still)) {
    globalThis.still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { transition: none !important; }");
    document.adoptedStyleSheets.push(still);
  }`);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
}

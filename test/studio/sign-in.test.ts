import { expect } from "chai";
import type { HTTPRequest, Page } from "puppeteer-core";
import { operator } from "../../core/accounts/index.js";
import { useService } from "../support/service.js";
import { createAccounts, publish } from "../support/store.js";
import {
  chooseOption,
  linkFor,
  newPerson,
  type Person,
  pressButton,
  pressButtons,
  setSession,
  signInAs,
  type StudioUser,
  useBrowser,
  useStudio,
  waitForButton,
  waitForText,
} from "../support/studio.js";

describe("signing in to the studio", () => {
  const service = useService();
  const open = useBrowser();

  it("works with a link and the keyboard alone, and returns to the previous page", async () => {
    const page = await open({ width: 1280 });
    const link = await linkFor(service, await newPerson(service));
    await page.goto(link);
    await page.waitForSelector("form button");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await waitForText(page, "No templates yet");
    expect(new URL(page.url()).pathname).to.equal("/studio/");
    await pressButtons(page, "Account of Ada Acme", "Sign out");
    await waitForText(page, "Sign in to Platen");
    await page.goto(`${service.url}/studio/documents`);
    await waitForText(page, "Ask the operator of this server");
    expect(new URL(page.url()).pathname).to.equal("/studio/sign-in");
    await page.goto(await linkFor(service, await newPerson(service)));
    await pressButton(page, "Sign in");
    await waitForText(page, "No documents yet");
  });

  it("accepts a double click on a link's button, and says what to do about a used link", async () => {
    const page = await open();
    const link = await linkFor(service, await newPerson(service));
    await page.goto(link);
    await page.waitForSelector("form button");
    // As if the answer took long: the page stays.
    await page.evaluate(`
      window.sent = 0;
      document.addEventListener("submit", (event) => {
        window.sent += 1;
        event.preventDefault();
      });
    `);
    for (let press = 0; press < 2; press++)
      await page.evaluate("document.querySelector('form button').click()");
    expect(await page.evaluate("window.sent")).to.equal(1);
    for (const words of ["Templates", "This link has been used"]) {
      await page.goto(link);
      await pressButton(page, "Sign in");
      await waitForText(page, words);
    }
    await waitForText(page, "Request a new one");
  });

  for (const [locale, heading, ...words] of [
    [
      "de-AT",
      "Bei Platen anmelden",
      "Noch kein Konto?",
      "Vorlagen mit der Maus gestalten",
    ],
    // There is no translation.
    [
      "ja-JP",
      "Sign in to Platen",
      "No account yet?",
      "Documents and emails from your data",
    ],
  ] as const)
    it(`explains Platen to people without an account below the form, in the language of a browser in ${locale}`, async () => {
      const page = await open({ width: 390, locale });
      await page.goto(`${service.url}/studio/sign-in`);
      for (const one of [heading, ...words]) await waitForText(page, one);
      const isFormFirst = `(() => {
        const top = (selector) =>
          document.querySelector(selector).getBoundingClientRect().top;
        return top(".sign-in-card") < top(".about") &&
          document.documentElement.scrollWidth <= innerWidth;
      })()`;
      expect(await page.evaluate(isFormFirst)).to.equal(true);
    });
});

/** Chooses a language in the list that is shown, which loads the page again. */
async function chooseLanguage(page: Page, language: string): Promise<void> {
  const list = await page.waitForSelector("::-p-xpath(//select[option/@lang])");
  await Promise.all([page.waitForNavigation(), list?.select(language)]);
}

function getLanguage(page: Page): Promise<unknown> {
  return page.evaluate("document.documentElement.lang");
}

function isCatalog(request: HTTPRequest): boolean {
  return /\/de-\w+\.js$/.test(request.url());
}

describe("the language of the studio", () => {
  const service = useService();
  const open = useBrowser();
  const signIn = useStudio(service, open);

  it("is the browser's until another one is chosen, which is remembered", async () => {
    const page = await open({ locale: "de" });
    await page.goto(`${service.url}/studio/sign-in`);
    await waitForText(page, "Bei Platen anmelden");
    expect(await getLanguage(page)).to.equal("de");
    await chooseLanguage(page, "en");
    await waitForText(page, "Sign in to Platen");
    await page.goto(`${service.url}/studio/sign-in`);
    await waitForText(page, "Sign in to Platen");
    expect(await getLanguage(page)).to.equal("en");
  });

  it("is chosen in the account menu, for texts, dates, examples and what a key allows", async () => {
    const { page, ...user } = await signIn("owner", { width: 1280 });
    await pressButton(page, "Account of Ada Acme");
    await chooseLanguage(page, "de");
    await waitForText(page, "Noch keine Vorlagen");
    await pressButtons(page, "Konto von Ada Acme", "Konto und Sitzungen");
    const format = new Intl.DateTimeFormat("de", { dateStyle: "medium" });
    await waitForText(page, `Angemeldet am ${format.format()}`);
    await user.open("templates/new");
    await waitForText(page, "Positionen nach Kategorie mit Zwischensummen");
    await user.open("keys");
    await pressButtons(page, "Neuer Schlüssel", "Eigene");
    await waitForText(page, "Vorlagen und Medien sehen");
  });

  it("is that of a plugin's title and settings", async () => {
    const { page, ...user } = await signIn("owner", {
      width: 1280,
      locale: "fr",
      at: "connections",
    });
    await pressButton(page, "Nouvelle connexion");
    await page.locator(".target::-p-text(Base de données SQL)").click();
    await page.locator("dialog select").fill("postgres");
    await waitForText(page, "Ne lui donnez que les droits nécessaires.");
    await user.open("plugins");
    await waitForText(page, "Base de données SQL");
    await waitForText(page, "Démo (sans valeur juridique)");
  });

  it("is never painted in English first, and is English only when its catalog cannot be loaded", async () => {
    for (const [isLoaded, heading] of [
      [true, "Bei Platen anmelden"],
      [false, "Sign in to Platen"],
    ] as const) {
      const page = await open({ locale: "de" });
      const painted: unknown[] = [];
      await page.setRequestInterception(true);
      const handle = async (request: HTTPRequest) => {
        if (!isCatalog(request)) return request.continue();
        painted.push(await page.evaluate("document.body.innerText.trim()"));
        return isLoaded ? request.continue() : request.abort();
      };
      page.on("request", (request) => void handle(request));
      await page.goto(`${service.url}/studio/sign-in`);
      await waitForText(page, heading);
      expect(painted).to.deep.equal([""]);
    }
  });
});

describe("the studio's color scheme", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("follows the system or the user's choice, which is remembered", async () => {
    const { page } = await signIn("viewer");
    const ground = () =>
      page.evaluate("getComputedStyle(document.body).backgroundColor");
    const choose = async (scheme: string) => {
      await pressButton(page, "Account of Ada Acme");
      await pressButton(page, scheme);
    };
    const light = await ground();
    await choose("Dark");
    const dark = await ground();
    expect(dark).to.not.equal(light);
    await page.reload();
    await waitForText(page, "No templates yet");
    expect(await ground()).to.equal(dark);
    await choose("System");
    expect(await ground()).to.equal(light);
  });
});

describe("a studio page when, in another tab,", () => {
  const service = useService();
  const signIn = useStudio(service);
  let ada: StudioUser;
  let page: Page;
  let tab: Page;
  beforeEach(async () => {
    ada = await signIn("owner");
    await publish(service.store, ada, { name: "Letter" });
    ({ page } = ada);
    await page.reload();
    await page.waitForSelector(".template");
    tab = await page.browserContext().newPage();
  });
  const add = async (name: string, email: string, organizationId: string) => {
    const one = { name, email, role: "owner" } as const;
    const { users } = createAccounts(service.store);
    const { id: userId } = await users.create(organizationId, one, operator);
    return { organizationId, userId, email };
  };
  /** Opens the studio in a tab as this person, who is then signed in in all of them. */
  const signInAgain = async (where: Page, person: Person) => {
    await setSession(service, where, await signInAs(service, person));
    await where.goto(`${service.url}/studio/`);
    await where.waitForSelector("nav a");
  };
  const isFavorite = async () => {
    const response = await (await signInAs(service, ada)).get("/api/templates");
    return (await response.text()).includes('"isFavorite":true');
  };
  const star = async () => {
    await page.bringToFront();
    await pressButton(page, "Favorite: Letter");
  };

  it("somebody else signs in, changes nothing in their name and says so", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await signInAgain(tab, await add("Bob", email, ada.organizationId));
    await star();
    await waitForText(page, "You are now signed in as Bob in another tab.");
    expect(await isFavorite()).to.equal(false);
    await pressButton(page, "Continue as Bob");
    await waitForButton(page, "Account of Bob Acme");
  });

  it("another organization is opened, changes nothing there and switches back on request", async () => {
    const { organizations } = createAccounts(service.store);
    const beta = { name: "Beta", plan: "free" } as const;
    const { id } = await organizations.create(beta, operator);
    // To join another organization ends the sessions.
    await add("Ada", ada.email, id);
    await signInAgain(page, ada);
    await page.bringToFront();
    await waitForText(page, "Letter");
    await tab.goto(`${service.url}/studio/`);
    await tab.bringToFront();
    await pressButton(tab, "Account of Ada Acme");
    await chooseOption(tab, "Organization", "Beta");
    await waitForText(tab, "No templates yet");
    await star();
    await waitForText(page, "You opened Beta in another tab.");
    expect(await isFavorite()).to.equal(false);
    await pressButton(page, "Switch back to Acme");
    await page.waitForFunction("!document.querySelector('.standing')");
    await star();
    await page.waitForSelector(".star.on");
  });

  it("the user signs out, stays open, says so, and continues after signing in", async () => {
    await tab.goto(`${service.url}/studio/`);
    await pressButtons(tab, "Account of Ada Acme", "Sign out");
    await waitForText(tab, "Sign in to Platen");
    await star();
    await waitForText(page, "You are signed out.", "Letter");
    await signInAgain(tab, ada);
    await page.bringToFront();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.waitForFunction("!document.querySelector('.standing')");
  });
});

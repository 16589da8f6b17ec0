import { expect } from "chai";
import { describe, it } from "mocha";
import type { HTTPRequest, Page } from "puppeteer-core";
import { useService } from "../support/service.js";
import {
  pressButton,
  useBrowser,
  useStudio,
  waitForText,
} from "../support/studio.js";

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
  const signIn = useStudio(service);
  const open = useBrowser();

  it("is the browser's until another one is chosen, which is remembered", async () => {
    const page = await open({ locale: "de-AT" });
    await page.goto(`${service.url}/studio/sign-in`);
    await waitForText(page, "Bei Platen anmelden");
    expect(await getLanguage(page)).to.equal("de");
    await chooseLanguage(page, "en");
    await waitForText(page, "Sign in to Platen");
    expect(await getLanguage(page)).to.equal("en");
    await page.goto(`${service.url}/studio/sign-in`);
    await waitForText(page, "Sign in to Platen");
  });

  it("is English for a browser in a language without translation", async () => {
    const page = await open({ locale: "ja-JP" });
    await page.goto(`${service.url}/studio/sign-in`);
    await waitForText(page, "Sign in to Platen");
    expect(await getLanguage(page)).to.equal("en");
  });

  it("is chosen in the account menu, for texts, dates and numbers", async () => {
    const { page } = await signIn("owner", { width: 1280, locale: "en-US" });
    await pressButton(page, "Account of Ada Acme");
    await chooseLanguage(page, "de");
    await waitForText(page, "Noch keine Vorlagen");
    await pressButton(page, "Konto von Ada Acme");
    await pressButton(page, "Konto und Sitzungen");
    const format = new Intl.DateTimeFormat("de", { dateStyle: "medium" });
    await waitForText(page, `Angemeldet am ${format.format()}`);
    await pressButton(page, "Konto von Ada Acme");
    await chooseLanguage(page, "en");
    await waitForText(page, "Where you are signed in");
  });

  it("is that of the examples, and of what a key allows", async () => {
    const { page } = await signIn("owner", { width: 1280, locale: "de" });
    await page.goto(`${service.url}/studio/templates/new`);
    await waitForText(page, "Positionen nach Kategorie mit Zwischensummen");
    await page.goto(`${service.url}/studio/keys`);
    await pressButton(page, "Neuer Schlüssel");
    await pressButton(page, "Eigene");
    await waitForText(page, "Vorlagen und Medien sehen");
  });

  it("is that of a plugin's title and settings", async () => {
    const { page } = await signIn("owner", { width: 1280, locale: "fr" });
    await page.goto(`${service.url}/studio/connections`);
    await pressButton(page, "Nouvelle connexion");
    await page.locator(".target::-p-text(Base de données SQL)").click();
    await page.locator("::-p-aria([role='combobox'])").fill("postgres");
    await waitForText(page, "Ne lui donnez que les droits nécessaires.");
    await page.goto(`${service.url}/studio/plugins`);
    await waitForText(page, "Base de données SQL");
    await waitForText(page, "Démo (sans valeur juridique)");
  });

  it("is never painted in English first", async () => {
    const page = await open({ locale: "de" });
    const shown: unknown[] = [];
    await page.setRequestInterception(true);
    const handle = async (request: HTTPRequest) => {
      if (isCatalog(request))
        shown.push(await page.evaluate("document.body.innerText.trim()"));
      await request.continue();
    };
    page.on("request", (request) => void handle(request));
    await page.goto(`${service.url}/studio/sign-in`);
    await waitForText(page, "Bei Platen anmelden");
    expect(shown).to.deep.equal([""]);
  });

  it("is English when the catalog of another language cannot be loaded", async () => {
    const page = await open({ locale: "de" });
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      void (isCatalog(request) ? request.abort() : request.continue());
    });
    await page.goto(`${service.url}/studio/sign-in`);
    await waitForText(page, "Sign in to Platen");
    expect(await getLanguage(page)).to.equal("en");
  });
});

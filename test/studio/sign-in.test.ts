import { expect } from "chai";
import { describe, it } from "mocha";
import {
  useBrowser,
  pressButton,
  waitForText,
  linkFor,
  newPerson,
} from "../support/studio.js";
import { useService } from "../support/service.js";

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
    await pressButton(page, "Account of Ada Acme");
    await pressButton(page, "Sign out");
    await waitForText(page, "Sign in to Platen");
    await page.goto(`${service.url}/studio/documents`);
    await waitForText(page, "Ask the operator of this server");
    expect(new URL(page.url()).pathname).to.equal("/studio/sign-in");
    await page.goto(await linkFor(service, await newPerson(service)));
    await pressButton(page, "Sign in");
    await waitForText(page, "No documents yet");
  });

  it("explains to people without an account what Platen is and how to get in, with the form first", async () => {
    for (const [locale, words] of [
      ["en", ["Documents and emails from your data", "No account yet?"]],
      ["de", ["Noch kein Konto?", "Vorlagen mit der Maus gestalten"]],
      ["fr", ["Pas encore de compte", "Créez un modèle à la souris"]],
      ["es", ["¿Aún no tiene una cuenta?", "Diseñe una plantilla"]],
    ] as const) {
      const page = await open({ width: 390, locale });
      await page.goto(`${service.url}/studio/sign-in`);
      for (const one of words) await waitForText(page, one);
      const isFormFirst = `(() => {
        const top = (selector) =>
          document.querySelector(selector).getBoundingClientRect().top;
        return top(".sign-in-card") < top(".about") &&
          document.documentElement.scrollWidth <= innerWidth;
      })()`;
      expect(await page.evaluate(isFormFirst), locale).to.equal(true);
    }
  });

  it("accepts a double click on a link's button", async () => {
    const page = await open();
    await page.goto(await linkFor(service, await newPerson(service)));
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
  });

  it("says what to do about a used link", async () => {
    const page = await open();
    const link = await linkFor(service, await newPerson(service));
    for (const words of ["Templates", "This link has been used"]) {
      await page.goto(link);
      await pressButton(page, "Sign in");
      await waitForText(page, words);
    }
    await waitForText(page, "Request a new one");
  });
});

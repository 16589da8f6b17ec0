import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { operator } from "../../core/accounts/index.js";
import { useService } from "../support/service.js";
import { createAccounts, publish } from "../support/store.js";
import {
  type StudioUser,
  pressButton,
  waitForText,
  useStudio,
  linkFor,
  type Person,
  signInAs,
} from "../support/studio.js";

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
    await page.goto(`${service.url}/studio/`);
    await page.waitForSelector(".template");
    tab = await page.browserContext().newPage();
  });
  const add = async (name: string, email: string, organizationId: string) => {
    const one = { name, email, role: "owner" } as const;
    const { users } = createAccounts(service.store);
    const { id: userId } = await users.create(organizationId, one, operator);
    return { organizationId, userId, email };
  };
  const signInAgain = async (where: Page, person: Person) => {
    await where.goto(await linkFor(service, person));
    await pressButton(where, "Sign in");
    await where.waitForSelector("nav a");
  };
  const newOrganization = async (name: string) => {
    const { organizations } = createAccounts(service.store);
    return (await organizations.create({ name, plan: "free" }, operator)).id;
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
    const bob = await add("Bob", email, ada.organizationId);
    await signInAgain(tab, bob);
    await star();
    await waitForText(page, "You are now signed in as Bob in another tab.");
    expect(await isFavorite()).to.equal(false);
    await pressButton(page, "Continue as Bob");
    await page.waitForSelector("::-p-aria([name='Account of Bob Acme'])");
  });

  it("another organization is opened, changes nothing there and switches back on request", async () => {
    const organizationId = await newOrganization("Beta");
    // To join another organization ends the sessions.
    await add("Ada", ada.email, organizationId);
    await signInAgain(page, ada);
    await page.bringToFront();
    await waitForText(page, "Letter");
    await tab.goto(`${service.url}/studio/`);
    await tab.bringToFront();
    await pressButton(tab, "Account of Ada Acme");
    await tab.select("#organization", organizationId);
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
    await pressButton(tab, "Account of Ada Acme");
    await pressButton(tab, "Sign out");
    await waitForText(tab, "Sign in to Platen");
    await star();
    await waitForText(page, "You are signed out.");
    await waitForText(page, "Letter");
    await signInAgain(tab, ada);
    await page.bringToFront();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.waitForFunction("!document.querySelector('.standing')");
  });
});

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import { PlatformError } from "../../../core/plugin-api/index.js";
import { eventually } from "../../support/eventually.js";
import {
  createLink,
  waitForFinishedPage,
  openAndSubmit,
} from "../../support/links.js";
import { useBrowser } from "../../support/studio.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  useRecordService,
} from "../../support/records.js";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const run = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`;

/** What axe finds wrong, with the elements' markup. */
async function getFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return z.array(z.string()).parse(await page.evaluate(run));
}

const press = (page: Page) =>
  Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
const readWords = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent ?? "");

describe("a link in a browser", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform, {
    config: { platforms: { writeBackDelaysMs: Array(200).fill(100) } },
  });
  const open = useBrowser();
  let url = "";
  before(async () => {
    const caller = await newRecordCaller(service);
    ({ url } = await createLink(caller));
    for (const id of ["A", "B"]) addOrder(platform, id);
  });
  afterEach(() => {
    platform.beforeCall = () => undefined;
  });

  it("has the studio's font, from the service itself", async () => {
    const page = await open();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${url}?recordId=A`);
    await page.evaluate("document.fonts.ready.then(() => undefined)");
    const loaded = await page.evaluate(
      `[...document.fonts].some(({ family, status }) => family.includes("Inter Variable") && status === "loaded")`,
    );
    expect(loaded).to.equal(true);
    const hosts = asked
      .filter((one) => !one.startsWith("data:"))
      .map((one) => new URL(one).origin);
    expect(new Set(hosts)).to.deep.equal(new Set([service.url]));
  });

  it("can be used by keyboard from the question to the files without a page load", async () => {
    const page = await open();
    const wrong: string[] = [];
    page.on("console", (message) => wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(String(error)));
    let isOpen = false;
    platform.beforeCall = (what) => {
      if (what === "writeBack" && !isOpen)
        throw new PlatformError("unavailable", "Not yet.");
    };
    await page.goto(`${url}?recordId=A,B`);
    await page.keyboard.press("Tab");
    await press(page);
    const address = page.url();
    await page.evaluate("window.isTheSame = true");
    await page.waitForFunction(
      "document.querySelectorAll('.files a').length === 2",
    );
    expect(await readWords(page, "#heading")).to.contain("Saving your files");
    isOpen = true;
    await page.waitForFunction(
      "document.getElementById('heading')?.textContent.includes('are ready')",
    );
    expect(await readWords(page, "[role=status]")).to.contain(
      "saved in the field “Invoice”",
    );
    expect(page.url()).to.equal(address);
    expect(await page.evaluate("window.isTheSame")).to.equal(true);
    expect(wrong).to.deep.equal([]);
  });

  it("polls when server-sent events are blocked", async () => {
    const page = await open();
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (request.url().endsWith("/events")) void request.abort();
      else void request.continue();
    });
    await page.goto(`${url}?recordId=A`);
    await page.keyboard.press("Tab");
    await press(page);
    await page.waitForFunction(
      "document.getElementById('heading')?.textContent.includes('is ready')",
    );
  });

  it("works without JavaScript", async () => {
    const page = await open({ withoutScripts: true });
    await page.goto(`${url}?recordId=A`);
    await page.keyboard.press("Tab");
    await press(page);
    // While it loads itself anew, it has no words to be asked for.
    const heading = () => readWords(page, "#heading").catch(() => "");
    await eventually(async () => (await heading()).includes("is ready"));
    expect(await readWords(page, ".files")).to.contain("Order-A.html");
  });

  for (const [how, visitor] of Object.entries({
    "on a phone": { width: 390 },
    "on a desktop in dark mode": { width: 1280, isDark: true },
  }))
    it(`has no accessibility violations and fits ${how}`, async () => {
      const page = await open(visitor);
      const done = await openAndSubmit(url, "A", "B");
      await waitForFinishedPage(done);
      platform.beforeCall = (what) => {
        if (what === "writeBack") throw new PlatformError("forbidden", "No.");
      };
      const unsaved = await openAndSubmit(url, "A");
      await waitForFinishedPage(unsaved);
      for (const address of [`${url}?recordId=A,B,gone`, done, unsaved, url]) {
        await page.goto(address);
        expect(await getFaults(page), address.slice(-60)).to.deep.equal([]);
        const overflow = "document.documentElement.scrollWidth - innerWidth";
        expect(await page.evaluate(overflow)).to.be.at.most(0);
      }
    });
});

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import * as tokens from "../../core/app/tokens.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  waitForHeading,
  type Person,
  waitForText,
  useStudio,
} from "../support/studio.js";
import { allowBatches, shopOutbound, useShop } from "../support/wizard-shop.js";

const tables = `
  CREATE TABLE invoice (id integer PRIMARY KEY, invoice_no text, notes text, papers text, photo blob, pdf_copy blob);
  INSERT INTO invoice (id, invoice_no) VALUES (7, '2026-7');`;

const listColumns = (page: Page) =>
  page.$$eval(".radio-line .strong", (all) =>
    all.map((one) => one.textContent),
  );
const findChosen = (page: Page) =>
  page.$eval(".radio-line:has(:checked) .strong", (one) => one.textContent);

describe("the step of the wizard that asks where the file goes", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const signIn = useStudio(service);
  const shop = useShop();

  before(() => {
    const folder = join(service.dataFolder, "databases");
    mkdirSync(folder, { recursive: true });
    new Database(join(folder, "shop.sqlite")).exec(tables).close();
  });

  /** Opens the step for the table of invoices. */
  async function openStep(page: Page, owner: Person, isWritable: boolean) {
    await allowBatches(service, owner);
    const credentials = {
      engine: "sqlite",
      file: "shop.sqlite",
      writable: isWritable,
      linkColumns: ["invoice.papers"],
    };
    const { id: connection } = await service.container
      .resolve(tokens.CONNECTIONS)
      .create(owner, { platform: "sql", name: "Shop", credentials }, operator);
    const template = await publish(service.store, owner);
    const query = new URLSearchParams({
      connection,
      table: "invoice",
      template,
    });
    const path = `start/file?${query.toString()}`;
    await page.goto(`${service.url}/studio/${path}`);
    await waitForHeading(page, "Choose where the file goes");
    await page.waitForSelector(".radio-line");
  }

  it("offers only columns that can hold a file, and chooses the one that is named like a document", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await openStep(page, owner, true);
    expect(await listColumns(page)).to.deep.equal([
      "papers",
      "photo",
      "pdf_copy",
      "Don't save to the table",
    ]);
    expect(await findChosen(page)).to.equal("pdf_copy");
    const line = await page.$eval(
      ".radio-line:has(:checked)",
      (one) => one.textContent,
    );
    expect(line).to.include("blob");
    expect(pageErrors).to.deep.equal([]);
  });

  it("says when the links of a text column expire", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await openStep(page, owner, true);
    await page.locator(".radio-line::-p-text(papers)").click();
    await waitForText(page, "The link expires after 24 hours");
    await page.locator(".radio-line::-p-text(photo)").click();
    await page.waitForFunction(
      '!document.body.innerText.includes("expires after")',
    );
    expect(pageErrors).to.deep.equal([]);
  });

  it("offers no column of a read-only connection, and says how to change that", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await openStep(page, owner, false);
    expect(await listColumns(page)).to.deep.equal(["Don't save to the table"]);
    await waitForText(page, "The connection must allow writing");
    expect(pageErrors).to.deep.equal([]);
  });

  it("names the kind of the column as the platform does", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await allowBatches(service, owner);
    const connection = await shop.connect(service, owner);
    const template = await publish(service.store, owner);
    const path = shop.wizardPath("file", { connection, template });
    await page.goto(`${service.url}/studio/${path}`);
    await page.waitForSelector(".radio-line");
    const line = await page.$eval(
      ".radio-line:has(:checked)",
      (one) => one.textContent,
    );
    expect(line).to.include("Invoice PDF").and.to.include("Attachment");
    expect(pageErrors).to.deep.equal([]);
  });
});

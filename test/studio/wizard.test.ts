import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import { replies } from "../support/caller.js";
import { delayResponses, holdResponses } from "../support/delayed-responses.js";
import {
  getFormToken,
  submitForm,
  waitForFinishedPage,
} from "../support/links.js";
import { pdfFacts } from "../support/read-pdf.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  chooseOption,
  fillField,
  newVisitor,
  pressButton,
  pressButtons,
  readField,
  setSession,
  type TestVisitor,
  usePage,
  waitForCount,
  waitForHeading,
  waitForText,
} from "../support/studio.js";
import { allowBatches, shopOutbound, useShop } from "../support/wizard-shop.js";

/** A template whose list comes from a table that is linked to the orders. */
const linked = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "reference", label: "Reference", type: "String" },
        {
          name: "parts",
          label: "Parts",
          type: "OneToManyLink",
          target: "part",
        },
      ],
    },
    {
      id: "part",
      label: "Part",
      fields: [
        { name: "title", label: "Title", type: "String" },
        { name: "weight", label: "Weight", type: "Number" },
      ],
    },
  ],
  components: [
    {
      type: "text",
      id: "line",
      text: "{{ part.title }} {{ part.weight }}",
      collection: { collectionId: "part", path: "root.parts" },
    },
  ],
  styles: { quiet: { color: "#667085" } },
};

const readSchema = z.looseObject({
  schema: z.array(
    z.looseObject({
      connection: z.unknown().optional(),
      source: z.unknown().optional(),
      fields: z.array(z.looseObject({ source: z.string().optional() })),
    }),
  ),
});

/** A template whose only field is the number of an order. */
const numbered = {
  schema: [
    {
      id: "root",
      fields: [{ name: "number", source: "Order No.", type: "String" }],
    },
  ],
  components: [{ type: "text", text: "Order {{ root.number }}" }],
  fileName: "Order {{ root.number }}",
};

/** What fills each field of the example certificate, if anything. */
const certificateSources = {
  "Signatories Linked records": "Leave it empty",
  "Number Text": "Order No.",
  "Recipient Text": "Customer",
  "Programme Text": "Leave it empty",
  "Level Text": "Leave it empty",
  "Hours Number": "Total",
  "Place Text": "Leave it empty",
  "Issued on Date": "Issued on",
  "Academy Text": "Leave it empty",
};

const files = z.array(z.object({ filename: z.string(), url: z.string() }));
const tables = `
  CREATE TABLE invoice (id integer PRIMARY KEY, invoice_no text, notes text, papers text, photo blob, pdf_copy blob);
  INSERT INTO invoice (id, invoice_no) VALUES (7, '2026-7');`;

describe("the wizard from a spreadsheet to a button", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const shop = useShop();
  const user = usePage(service, "owner");
  let page: Page;
  let owner: TestVisitor;
  before(() => {
    const folder = join(service.dataFolder, "databases");
    mkdirSync(folder, { recursive: true });
    new Database(join(folder, "shop.sqlite")).exec(tables).close();
    ({ page } = user());
  });
  beforeEach(async () => {
    owner = await newVisitor(service);
    await allowBatches(service, owner);
    await setSession(service, page, owner);
    const { id } = shop.orders.field("Invoice PDF");
    for (const { cells } of shop.orders.records.values()) cells.delete(id);
  });

  /** Opens a step, as somebody comes to it who has chosen the orders and a template. */
  async function openStep(step: string, definition: object, formats = "html") {
    const connection = await shop.connect(service, owner);
    const template = await publish(service.store, owner, { definition });
    const chosen = { connection, template, formats };
    await user().open(shop.wizardPath(step, chosen));
    return template;
  }

  const readList = async (what: string) =>
    (await owner.get(`/api/${what}`)).text();

  /** The files in the cell of an order. */
  function readFiles(order: string) {
    const { id } = shop.orders.field("Order No.");
    const record = [...shop.orders.records.values()].find(
      ({ cells }) => cells.get(id) === order,
    );
    const cell = record?.cells.get(shop.orders.field("Invoice PDF").id);
    return files.parse(cell ?? []);
  }

  it("leads from a mistyped token to a file in the record's cell, and keeps all choices on the way back", async () => {
    await user().open("");
    await pressButton(page, "Connect a spreadsheet");
    await page.locator(".target::-p-text(Airtable)").click();
    await fillField(page, "Personal access token", "pat-mistyped");
    await pressButton(page, "More settings");
    for (const label of ["API address", "Upload address"])
      await fillField(page, label, shop.airtable.url);
    await pressButton(page, "Connect");
    await waitForText(page, "The token is not valid");
    expect(await page.content()).to.not.contain("pat-mistyped");
    await fillField(page, "Personal access token", shop.token);
    await pressButton(page, "Connect");
    await waitForHeading(page, "Choose the table");
    await page.locator("input[type=search]").fill("invoice pdf");
    await page.locator(".pick::-p-text(Orders)").click();

    // A template of the table, and then another thought.
    await pressButton(page, "Create a template from the table");
    await waitForText(page, "Lindvey & Sons");
    await pressButton(page, "Back");
    await waitForHeading(page, "Choose the template");
    await page.locator("::-p-text(Start from an example)").click();
    await page.locator("button::-p-text(Certificate)").click();
    await waitForHeading(page, "Fill the template");
    await pressButton(page, "Save and continue");
    await waitForText(page, "Some template fields aren't mapped yet");
    for (const [field, source] of Object.entries(certificateSources))
      await chooseOption(page, field, source);
    await pressButton(page, "Table");
    await waitForHeading(page, "Choose the table");
    await pressButton(page, "Fields");
    await waitForHeading(page, "Fill the template");
    expect(await readField(page, "Recipient Text")).to.equal(
      shop.orders.field("Customer").id,
    );
    await pressButton(page, "Save and continue");
    await waitForHeading(page, "Choose where the file goes");

    // The column is named as the platform names it.
    const column = await page.waitForSelector(".radio-line:has(:checked)");
    expect(await column?.evaluate((one) => one.textContent))
      .to.include("Invoice PDF")
      .and.to.include("Attachment");
    await pressButtons(page, "Web page (HTML)", "Continue");
    // Each step has its own "Back".
    await waitForText(page, "Button name");
    await pressButton(page, "Back");
    await page.waitForSelector(".checks");
    const ticked = await page.$$eval(".checks :checked", (all) =>
      all.map((one) => one.closest("label")?.textContent),
    );
    expect(ticked).to.deep.equal(["PDF", "Web page (HTML)"]);
    await pressButtons(page, "Web page (HTML)", "Continue");
    await fillField(page, "Button name", "Diploma");
    await pressButton(page, "Create button");
    const formula = await page.waitForSelector(".formula-shown code");
    expect(await formula?.evaluate((one) => one.textContent)).to.match(
      /^"http.*\/run\/.*\?recordId=" & RECORD_ID\(\)$/,
    );
    expect(page.url()).to.not.contain("/run/");

    await pressButton(page, "Try it");
    await page.locator("input[type=search]").fill("2031");
    await waitForText(page, "No matches.");
    await page.locator("input[type=search]").fill("118");
    await waitForCount(page, ".pick", 1);
    await pressButtons(page, "2026-118", "Create the document for “2026-118”");
    await waitForText(page, "It works");
    const [file, ...others] = readFiles("2026-118");
    expect(others).to.deep.equal([]);
    const written = await fetch(file?.url ?? "");
    const { pages } = await pdfFacts(
      new Uint8Array(await written.arrayBuffer()),
    );
    expect(pages[0])
      .to.include("This is to certify that")
      .and.include("Ada Byron")
      .and.include("2026-118");
    expect(readFiles("2026-117")).to.deep.equal([]);
    expect(await readList("links")).to.include('"name":"Diploma"');
    expect((await readList("connections")).match(/"airtable"/g)).to.have.length(
      1,
    );
  });

  it("maps the fields of a linked table by hand without changing the rest of the template", async () => {
    await shop.connect(service, owner);
    const templateId = await publish(service.store, owner, {
      definition: linked,
    });
    await user().open(`templates/${templateId}`);
    await pressButton(page, "Add a button to your spreadsheet");
    await page.locator(".pick::-p-text(Our shop)").click();
    await page.locator(".pick::-p-text(6 fields)").click();
    await page.locator(".pick::-p-text(Letter)").click();
    await waitForText(page, "2 fields to choose");
    await pressButton(page, "Save and continue");
    await waitForText(page, "aren't mapped yet");
    await chooseOption(page, "Reference Text", "Order No.");
    const mapping = await holdResponses(page, "wizard/mapping");
    await chooseOption(page, "Parts Linked records", "Items");
    await mapping.requested;
    const save = "button[aria-disabled=true] ::-p-text(Save and continue)";
    expect(await page.$$(save)).to.have.length(1);
    mapping.release();
    await waitForText(page, "Oak table");
    await chooseOption(page, "Weight Number", "Leave it empty");
    await pressButton(page, "Back");
    await waitForHeading(page, "Choose the template");
    await pressButton(page, "Fields");
    await waitForHeading(page, "Fill the template");
    await pressButton(page, "Save and continue");
    await waitForText(page, "File format");
    const saved = await replies.template(
      await owner.get(`/api/templates/${templateId}`),
    );
    const { schema, ...others } = readSchema.parse(saved.definition);
    const [root, part] = schema;
    expect(root?.connection).to.include({
      platform: "airtable",
      tableId: shop.orders.id,
    });
    expect(part?.source).to.deep.equal({ tableId: shop.lines.id });
    expect(part?.fields.map(({ source }) => source)).to.deep.equal([
      shop.lines.field("Title").id,
      "",
    ]);
    const { schema: _, ...unchanged } = linked;
    expect(others).to.deep.include(unchanged);
  });

  it("makes a button for all records without a file, or for those of a view", async () => {
    shop.orders.addView("Due", "");
    await openStep("button", numbered);
    const list = await page.waitForSelector("#button-records");
    const options = await list?.$$eval("option", (all) =>
      all.map((one) => one.textContent),
    );
    expect(options).to.deep.equal([
      "The record whose button is clicked",
      "All records without a file in “Invoice PDF”",
      "All records in the view “Due”",
      "All records that match a filter",
    ]);
    await page.select("#button-records", "empty");
    const { url, question } = await createButton();
    expect(url).to.match(/\/run\/[\w.-]+$/);
    expect(question).to.contain("Create 2 documents?");
    const answer = await submitForm(url, getFormToken(question));
    const run = new URL(answer.headers.get("location") ?? "", url).href;
    await waitForFinishedPage(run);
    expect(shop.listFiles()).to.contain("Order 2026-117");
    await pressButton(page, "Buttons");
    await waitForText(page, "for all records without a file");
  });

  it("makes a button for all records that match a filter, which is entered in the words of the table", async () => {
    await openStep("button", numbered);
    await page.waitForSelector("#button-records");
    await page.select("#button-records", "filter");
    await chooseOption(page, "Field", "Total");
    await page.waitForSelector('option[value="isAtLeast"]');
    await page.select('select[aria-label="Condition"]', "isAtLeast");
    await fillField(page, "Value", "500");
    const { question } = await createButton();
    expect(question).to.contain("Create this document?");
    expect(question).to.contain("2026-117").and.not.contain("2026-118");
  });

  /** @returns the address of the new button, and what its page asks */
  async function createButton() {
    await pressButton(page, "Create button");
    await waitForText(page, "Open this page from “Orders”");
    const url = await page.$eval(
      ".formula-shown code",
      (one) => one.textContent ?? "",
    );
    return { url, question: await (await fetch(url)).text() };
  }

  it("reports a file that could not be saved in its cell, with the reason and where to fix it", async () => {
    await openStep("try", numbered);
    const readOnly = ["data.records:read", "schema.bases:read"];
    shop.airtable.addToken(shop.token, readOnly);
    await pressButtons(page, "2026-118", "Create the document for “2026-118”");
    await waitForText(
      page,
      "The document was created but not saved to your table",
    );
    await waitForText(page, "data.records:write");
    await pressButton(page, "Back to “File”");
    await waitForHeading(page, "Choose where the file goes");
    shop.airtable.addToken(shop.token);
  });

  it("cannot be entered before the previous choices are made", async () => {
    await shop.connect(service, owner);
    await user().open("start/button");
    await waitForHeading(page, "Connect your spreadsheet");
  });

  it("keeps the search field for templates after it is cleared", async () => {
    await openStep("template", numbered);
    const search = "input[type=search]";
    await page.locator(search).fill("q");
    await waitForText(page, "No matches for “q”");
    const all = await holdResponses(page, "templates?q=&");
    await page.keyboard.press("Backspace");
    await all.requested;
    expect(await page.$$(search)).to.have.length(1);
    all.release();
    await page.waitForSelector(".pick::-p-text(Letter)");
  });

  it("shows a document's progress over a network that is slower than the polling", async () => {
    await openStep("try", numbered);
    await delayResponses(page, "api/batches/", 100);
    await pressButtons(page, "2026-117", "Create the document for “2026-117”");
    await waitForText(page, "It works");
  });

  /** Opens the step of the file for a table of a database. */
  async function openFileStep(isWritable: boolean) {
    const credentials = {
      engine: "sqlite",
      file: "shop.sqlite",
      writable: isWritable,
      linkColumns: ["invoice.papers"],
    };
    const order = { platform: "sql", name: "Shop", credentials };
    const made = await owner.send("POST", "/api/connections", order);
    const { id: connection } = z
      .object({ id: z.string() })
      .parse(await made.json());
    const template = await publish(service.store, owner);
    const chosen = { connection, table: "invoice", template };
    await user().open(`start/file?${new URLSearchParams(chosen).toString()}`);
    await page.waitForSelector(".radio-line");
    return page.$$eval(".radio-line .strong", (all) =>
      all.map((one) => one.textContent),
    );
  }

  it("offers only columns that can hold a file, prefers one that is named like a document, and says when links expire", async () => {
    expect(await openFileStep(true)).to.deep.equal([
      "papers",
      "photo",
      "pdf_copy",
      "Don't save to the table",
    ]);
    const chosen = await page.$eval(
      ".radio-line:has(:checked)",
      (one) => one.textContent,
    );
    expect(chosen).to.include("pdf_copy").and.include("blob");
    await page.locator(".radio-line::-p-text(papers)").click();
    await waitForText(page, "The link expires after 24 hours");
    await page.locator(".radio-line::-p-text(photo)").click();
    await page.waitForFunction(
      'document.body?.innerText.includes("expires after") === false',
    );
  });

  it("offers no column of a read-only connection, and says how to change that", async () => {
    expect(await openFileStep(false)).to.deep.equal([
      "Don't save to the table",
    ]);
    await waitForText(page, "The connection must allow writing");
  });
});

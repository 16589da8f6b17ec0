import { expect } from "chai";
import type { Page } from "puppeteer-core";
import type { Config } from "../../config/index.js";
import {
  Document,
  insertRow,
  newId,
} from "../../core/storage/database/index.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { dropResponses, holdResponses } from "../support/delayed-responses.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/free-port.js";
import { readPdf } from "../support/read-pdf.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  chooseOption,
  expectRefusal,
  newVisitor,
  pressButton,
  readField,
  setSession,
  type TestVisitor,
  usePage,
  useStudio,
  waitForCount,
  waitForHeading,
  waitForText,
} from "../support/studio.js";
import { makeXlsx } from "../support/table-files.js";
import { allowBatches } from "../support/wizard-shop.js";

const numbered = (fileName: string) => ({
  schema: [{ id: "root", fields: [{ name: "no", type: "String" }] }],
  fileName,
  components: [],
});

const invoice = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", label: "Invoice no", type: "String" },
        { name: "total", label: "Total", type: "Number" },
        { name: "lines", type: "OneToManyLink", target: "line" },
        { name: "payments", type: "OneToManyLink", target: "payment" },
      ],
    },
    {
      id: "line",
      fields: [
        { name: "item", type: "String" },
        { name: "price", type: "Number" },
      ],
    },
    { id: "payment", fields: [{ name: "amount", type: "Number" }] },
  ],
  components: [{ type: "text", text: "No. {{ root.number }}" }],
};

/** Drops a file on the page. */
const dropScript = (content: string | Uint8Array, name: string) => `(() => {
  const transfer = new DataTransfer();
  const content = ${JSON.stringify(typeof content === "string" ? content : [...content])};
  const bytes = typeof content === "string" ? content : new Uint8Array(content);
  transfer.items.add(new File([bytes], ${JSON.stringify(name)}));
  document.querySelector(".file-drop").dispatchEvent(
    new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }),
  );
})()`;

describe("an office manager in the studio", () => {
  const service = useService();
  const user = usePage(service);
  let page: Page;
  let editor: TestVisitor;
  before(() => {
    ({ page } = user());
  });
  beforeEach(async () => {
    editor = await newVisitor(service, "editor");
    await allowBatches(service, editor);
    await setSession(service, page, editor);
  });

  it("finds a template and creates a PDF with the entered data", async () => {
    for (const name of ["Letter of thanks", "Quote"])
      await publish(service.store, editor, { name });
    await user().open("");
    await page.locator("input[type=search]").fill("thanks");
    await waitForCount(page, ".template", 1);
    await page.locator(".template-link").click();
    await pressButton(page, "Custom JSON");
    await page.locator("textarea").fill('{ "name": "Ada Lovel');
    await waitForText(page, "This isn't valid JSON yet");
    await page.locator("textarea").fill('{ "name": "Ada Lovelace" }');
    await pressButton(page, "Create document");
    await waitForText(page, "Document created");
    const url = await page.$eval("a[download]", (link) => link.href);
    const file = await fetch(url);
    const [sheet] = await readPdf(new Uint8Array(await file.arrayBuffer()));
    expect(sheet?.text).to.include("Hello Ada Lovelace");
    await pressButton(page, "Documents");
    await page.waitForSelector(".document ::-p-text(Done)");
  });

  it("finds documents by text, template and date, and clears the filters at once", async () => {
    for (const name of ["Bill", "Quote"]) {
      const definition = numbered(`${name} {{ root.no }}`);
      const input = { name, definition };
      const templateId = await publish(service.store, editor, input);
      const items = ["A1", "A2"].map((no) => ({ data: { no } }));
      const order = { templateId, formats: ["html"], items };
      await batchWhen(editor, (await sendBatch(editor, order)).batchId);
    }
    await user().open("documents");
    await waitForCount(page, ".document", 4);
    await page.locator("[placeholder='Search documents']").fill("a1");
    await waitForCount(page, ".document", 2);
    await page.locator("[placeholder='All templates']").fill("Quote");
    await waitForCount(page, ".document", 1);
    await waitForText(page, "Quote A1");
    await page.reload();
    await waitForCount(page, ".document", 1);
    await page.waitForFunction(
      `document.querySelector("[placeholder='All templates']")?.value === "Quote"`,
    );
    await pressButton(page, "Clear filters");
    await waitForCount(page, ".document", 4);
    await page.locator("input[type=date]").fill("2099-01-01");
    await waitForText(page, "No matching documents");
  });

  it("is told that a search lists the newest 1,000 matches", async () => {
    const input = { name: "Bill" };
    const templateId = await publish(service.store, editor, input);
    await editor.post("/api/export", { templateId, formats: ["html"] });
    const { read, unitOfWork } = service.store;
    const row = await read.findOneByOrFail(Document, { templateId });
    await unitOfWork.run(async (tx) => {
      for (let count = 0; count < 1000; count += 1)
        await insertRow(tx, Document, Object.assign(row, { id: newId() }));
    });
    await user().open("documents");
    await waitForText(page, "Page 1 of 42");
    const listed = "Only the newest 1,000 matches are listed";
    expect(await page.content()).to.not.contain(listed);
    await page.locator("[placeholder='Search documents']").fill("bill");
    await waitForText(page, listed);
  });

  it("sees a batch without a reload, why some of it failed, downloads it and retries the rest", async () => {
    await user().open("batches");
    await waitForText(page, "No batches yet");
    const input = { name: "Quote" };
    const templateId = await publish(service.store, editor, input);
    const items = [
      { data: { name: "Ada" } },
      { data: { name: "Eve", prototype: 1 } },
    ];
    const order = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(editor, order);
    await waitForText(page, "1 failed");
    await pressButton(page, "Quote");
    await waitForText(page, "Done with errors", "Why 1 document failed");
    await waitForText(page, "Done 1");
    await page.locator("::-p-text(Failed 1)").click();
    await waitForCount(page, ".document", 1);
    await waitForText(page, "prototype", "Download all");
    const at = await page.$eval("a[download]", (link) => link.href);
    const archive = await editor.get(new URL(at).pathname);
    expect(archive.headers.get("content-type")).to.equal("application/zip");
    await pressButton(page, "Retry failed documents");
    await waitForText(page, "Retry of the failed documents in another batch");
    await waitForText(page, "1 of 1");
    expect(page.url()).to.not.include(batchId);
  });

  it("makes documents of a file: dropped, mapped, seen, made and downloaded with links", async () => {
    const input = { name: "Invoice", definition: invoice };
    const id = await publish(service.store, editor, input);
    await user().open(`templates/${id}`);
    await pressButton(page, "Create documents from a file");
    await waitForHeading(page, "Create documents from a file");
    await page.waitForSelector(".file-drop");

    // A wrong value is named by its row and column, and nothing can be made.
    const wrong = "Invoice no;Sum;Total\n1;2;x\n";
    await page.evaluate(dropScript(wrong, "wrong.csv"));
    await waitForText(page, "Row 2 · Column “Total”");
    await waitForText(page, "“x” isn't a number.");

    // The columns of a file without a header are called by their letters.
    await page.evaluate(dropScript("A-9;5\n", "plain.csv"));
    await page.locator("label ::-p-text(No header row)").click();
    await chooseOption(page, "Field for the column A", "Invoice no");
    await page.waitForSelector("img.first-document");
    // As a header, its row has none below.
    await expectRefusal(user(), 400);

    // A column with the name of another is a question.
    const twice = "Invoice no;Total;Total\nA-9;5;6\n";
    await page.evaluate(dropScript(twice, "twice.csv"));
    await waitForText(page, "It isn't clear whether this column is for total.");
    await chooseOption(page, "Field for the column Total (C)", "Leave out");
    await page.waitForFunction(
      `!document.body.textContent.includes("It isn't clear")`,
    );

    // So are rows that belong together.
    const items = "Invoice no;Item\nA-1;Pen\nA-1;Ink\nA-2;Cap\n";
    await page.evaluate(dropScript(items, "items.csv"));
    await waitForText(page, "The table looks like 2 documents");
    await chooseOption(page, "One document for", "Each Invoice no");
    await waitForText(page, "Create 2 documents");
    await chooseOption(page, "One document for", "Each row");
    await waitForText(page, "Create 3 documents");

    // A column's field is no answer, and stays as it was chosen.
    const sums = "Invoice no;Total;Item\nA-1;7;Pen\nA-1;7;Ink\nA-2;8;Cap\n";
    await page.evaluate(dropScript(sums, "sums.csv"));
    await waitForText(page, "7 · 7 · 8", "The table looks like 2 documents");
    await chooseOption(page, "Field for the column Total", "Leave out");
    await page.waitForSelector('[title="Choose “One document for” first."]');
    await chooseOption(page, "One document for", "Each Invoice no");
    await waitForText(page, "Create 2 documents");
    const isLeftOut = async (name: string) =>
      (await readField(page, `Field for the column ${name}`)) === "";
    expect(await isLeftOut("Total")).to.equal(true);
    expect(await isLeftOut("Item")).to.equal(false);

    // So are sheets with lists, whose columns have fields as well.
    const workbook = makeXlsx([
      {
        name: "Orders",
        rows: [
          ["Invoice no", "Total"],
          ["A-1", 5],
          ["A-2", 6],
        ],
      },
      {
        name: "Lines",
        rows: [
          ["Invoice no", "Article", "Price"],
          ["A-1", "Pen", "1,234"],
          ["A-2", "Ink", "2,345"],
        ],
      },
      {
        name: "Payments",
        state: "hidden",
        rows: [
          ["Invoice no", "Amount"],
          ["A-2", 6],
        ],
      },
    ]);
    await page.evaluate(dropScript(workbook, "orders.xlsx"));
    await waitForText(page, "The sheet “Lines” has columns of the list");
    await chooseOption(page, "Field for the column Total", "Leave out");
    await page.waitForSelector('[title="Choose “List lines from” first."]');
    await chooseOption(
      page,
      "List lines from",
      "Lines (Invoice no = Invoice no)",
    );
    await page.waitForSelector('[title="Choose “List payments from” first."]');
    await chooseOption(
      page,
      "List payments from",
      "Payments (hidden) (Invoice no = Invoice no)",
    );
    await waitForText(page, "“1,234” may be 1234 or 1.234.");
    await chooseOption(page, "Numbers", "1,234.50");
    await waitForText(page, "Create 2 documents");
    await chooseOption(page, "Field for the column Lines: Article", "item");
    await eventually(async () => !(await isLeftOut("Lines: Article")));
    expect(await isLeftOut("Total")).to.equal(true);
    await page.waitForSelector("img.first-document");

    const orders = "Invoice no;Sum;Total\nA-1;7,50;\nA-2;8,00;\n";
    await page.evaluate(dropScript(orders, "orders.csv"));
    await waitForText(page, "2 rows", "A-1 · A-2");
    await chooseOption(page, "Field for the column Sum", "Total");
    // The preview is made of the first row.
    await page.waitForSelector("img.first-document");
    await pressButton(page, "Create 2 documents");
    await waitForHeading(page, "Batch of Invoice");
    await waitForText(page, "2 of 2");
    const links = await page.$$eval(".button[download]", (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(links).to.deep.equal(["Download all", "Download rows with links"]);
  });
});

describe("a page of the studio", () => {
  const config: Partial<Config> = {};
  before(async () => {
    config.port = await freePort();
  });
  // Nobody works, so that batches stay as they are.
  const service = useService({ config, role: "serve" });
  const user = usePage(service, "owner");
  const signIn = useStudio(service);
  let page: Page;
  let owner: TestVisitor;
  beforeEach(async () => {
    ({ page } = user());
    owner = await newVisitor(service);
    await setSession(service, page, owner);
  });

  /** Creates a document elsewhere, of a template with this name. */
  async function create(visitor: TestVisitor, name: string, more = {}) {
    const templateId = await publish(service.store, visitor, { name });
    const order = { templateId, formats: ["html"], data: {}, ...more };
    await visitor.post("/api/export", order);
  }

  async function newBatch() {
    await allowBatches(service, owner);
    const templateId = await publish(service.store, owner, { name: "Quote" });
    const items = [{ data: { name: "Ada" } }, { data: { name: "Eve" } }];
    return sendBatch(owner, { templateId, formats: ["html"], items });
  }

  it("follows the stream of changes instead of asking regularly, and asks while there is none", async () => {
    const ada = await signIn("owner", { width: 1280, at: "more" });
    const asked: string[] = [];
    ada.page.on("request", (request) => asked.push(request.url()));
    const streams = () => asked.filter((url) => url.includes("api/events"));
    const lists = () => asked.filter((url) => url.includes("api/documents"));
    await pressButton(ada.page, "Documents");
    await waitForText(ada.page, "No documents yet");
    await eventually(() => streams().length > 0 && lists().length > 1);
    await create(ada, "Report", { strict: true });
    await waitForText(ada.page, "The data has no root.name");
    expect(lists().length).to.be.at.most(4);
    // Without a stream, the page asks by itself.
    await ada.page.setRequestInterception(true);
    ada.page.on("request", (request) => {
      const isStream = request.url().includes("api/events");
      void (isStream ? request.abort() : request.continue());
    });
    await ada.page.evaluate("dispatchEvent(new Event('online'))");
    await create(ada, "Letter");
    await waitForText(ada.page, "Letter");
    const others = ada.pageErrors.filter((one) => !one.includes("ERR_FAILED"));
    expect(others).to.eql([]);
  });

  it("shows what happened while its process was replaced, and follows the stream of the next one", async () => {
    const ada = await signIn("owner", { width: 1280, at: "documents" });
    const streams: number[] = [];
    ada.page.on("response", (response) => {
      if (response.url().includes("api/events"))
        streams.push(response.status());
    });
    await ada.page.reload();
    await waitForText(ada.page, "No documents yet");
    // The page before the reload may have had one, too.
    await eventually(() => streams.length > 0);
    await ada.page.evaluate("window.isSamePage = true");
    const earlier = streams.length;
    await service.stop();
    await service.start();
    await create(ada, "Meanwhile");
    await waitForText(ada.page, "Meanwhile");
    await eventually(() => streams.at(-1) === 200 && streams.length > earlier);
    await create(ada, "Afterwards");
    await waitForText(ada.page, "Afterwards");
    expect(await ada.page.evaluate("window.isSamePage")).to.equal(true);
  });

  it("does not call a list empty before it is loaded", async () => {
    await user().open("templates");
    await waitForText(page, "No templates yet");
    const trash = await holdResponses(page, "show=trash");
    await pressButton(page, "Trash");
    await trash.requested;
    const text = await page.$eval("main", (main) => main.innerText);
    expect(text).to.not.match(/is empty|No templates/);
    trash.release();
    await waitForText(page, "The trash is empty");
  });

  it("is loaded later when its code could not be loaded, without being asked to", async () => {
    await user().open("templates");
    const restore = await dropResponses(page, "/brand-");
    await page.locator('a[href$="/brand"]').click();
    await waitForText(page, "Couldn't load this page");
    restore();
    await waitForHeading(page, "Brand");
    expect(user().pageErrors.splice(0).join()).to.match(/ERR_|dynamically/);
  });

  it("shows the last document of a batch that ended between two responses", async () => {
    const { batchId } = await newBatch();
    const line = await holdResponses(page, "batches?batchId=", {
      isRequest: true,
    });
    const counts = page.waitForResponse((one) =>
      one.url().includes("pageSize=1"),
    );
    await user().open(`batches/${batchId}?show=failed`);
    await Promise.all([line.requested, counts]);
    await owner.post(`/api/batches/${batchId}/cancel`, {});
    line.release();
    await waitForText(page, "Failed 2");
    await waitForCount(page, ".document", 2);
  });

  it("does not lead a user away who has already left", async () => {
    const { batchId } = await newBatch();
    await owner.post(`/api/batches/${batchId}/cancel`, {});
    await user().open(`batches/${batchId}`);
    const retry = await holdResponses(page, "/retry");
    await pressButton(page, "Retry failed documents");
    await retry.requested;
    await pressButton(page, "Documents");
    retry.release();
    await waitForText(page, "Started a new batch");
    await waitForHeading(page, "Documents");
    expect(new URL(page.url()).pathname).to.equal("/studio/documents");
  });

  it("creates one key for two clicks and shows it whatever is clicked", async () => {
    await user().open("keys");
    await pressButton(page, "New key");
    await page.locator("#key-name").fill("Web shop");
    const made = await holdResponses(page, "api/keys");
    await page.evaluate(`{
      const create = document.querySelector("dialog [type=submit]");
      create.click();
      create.click();
    }`);
    await made.requested;
    await page.keyboard.press("Escape");
    made.release();
    await page.waitForSelector(".secret");
    await pressButton(page, "I've saved it");
    await waitForText(page, "Web shop");
    expect(await page.$$("main li.line")).to.have.length(1);
  });
});

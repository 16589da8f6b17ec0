import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import type { ProjectData } from "../../core/plugin-api/definition.js";
import { reader } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { pdfFacts } from "../support/read-pdf.js";
import { toSchema } from "../support/schema.js";
import { useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import { getDraft, openEditor, pressKeys } from "../support/studio-editor.js";
import {
  chooseOption,
  fillField,
  pressButton,
  pressButtons,
  usePage,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";
import { shopOutbound, useShop } from "../support/wizard-shop.js";

const left = ".editor-left";
const right = ".editor-right";

/** Clicks the text of the page that has these words. */
async function clickText(page: Page, words: string, count = 1): Promise<void> {
  await page.locator(`.sheet ::-p-text(${words})`).click({ count });
}

/** Begins to type in the text of the page that has these words; the caret is at its end. */
async function typeAt(page: Page, words: string): Promise<void> {
  await clickText(page, words, 2);
  await page.waitForSelector(".canvas .ProseMirror-focused");
  await pressKeys(page, "Control+End");
}

/** Types at the end of a text of the page. */
async function write(page: Page, at: string, words: string): Promise<void> {
  await typeAt(page, at);
  await page.keyboard.type(words);
  await page.keyboard.press("Escape");
}

/** Looks for a field in the menu, and chooses the first. */
async function chooseField(page: Page, words: string): Promise<void> {
  await page.keyboard.type(words);
  await page.waitForSelector(".path-menu [role=option][aria-selected=true]");
  await page.keyboard.press("Enter");
}

/** Writes over the text that is being typed; what begins with `/` is looked for in the menu, and chosen. */
async function writeOver(page: Page, ...all: string[]): Promise<void> {
  await page.waitForSelector(".canvas .ProseMirror-focused");
  await pressKeys(page, "Control+A");
  for (const words of all)
    if (words.startsWith("/")) await chooseField(page, words);
    else await page.keyboard.type(words);
  await page.keyboard.press("Escape");
}

/** Adds a part by the palette. Ends when the part is ready for the next key. */
async function addPart(page: Page, name: string): Promise<void> {
  await pressButton(page, "Add", left);
  await pressButton(page, name, left);
  await page.waitForSelector(".canvas :focus");
}

async function addText(page: Page, ...all: string[]): Promise<void> {
  await addPart(page, "Text");
  await writeOver(page, ...all);
}

/** Publishes by the bar's button. */
async function publishDraft(page: Page, note = ""): Promise<void> {
  await pressButton(page, "Publish");
  if (note !== "") await page.locator("dialog input[maxlength]").fill(note);
  await pressButton(page, "Publish", "dialog");
  await waitForText(page, "Published as version");
  await waitForDialogToClose(page);
}

/** Counts the clicks that reach the pages, and the keys. */
async function countHands(page: Page) {
  const hands = { clicks: 0, keys: 0 };
  await page.exposeFunction("noteHand", (kind: "clicks" | "keys") => {
    hands[kind] += 1;
  });
  await page.evaluate(`
    addEventListener("pointerdown", () => noteHand("clicks"), true);
    addEventListener("keydown", () => noteHand("keys"), true);
  `);
  return hands;
}

/** Presses Tab, or Shift+Tab, until this is true of what has the focus. */
async function tabTo(
  page: Page,
  key: "Tab" | "Shift+Tab",
  condition: string,
): Promise<void> {
  const isThere = () =>
    page.evaluate(`(({ classList, labels, innerText }) => ${condition})
      (document.activeElement)`);
  for (let presses = 0; (await isThere()) !== true; presses++) {
    if (presses === 100) throw new Error(`${key} never reaches ${condition}`);
    await pressKeys(page, key);
  }
}

const readId = reader(z.object({ id: z.string() }));

const line = (title: string, amount: number) => ({ title, amount });

const order = (
  number: string,
  placedOn: string,
  paid: boolean,
  ...lines: object[]
) => ({ number, placedOn, paid, lines });
const category = (name: string, title: string, amount: number) => ({
  category: name,
  title,
  amount,
});

describe("a user", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const user = usePage(service, "editor", { width: 1440 });
  const shop = useShop();
  const folder = suiteFolder();
  afterEach(() => user().page.mouse.reset());

  /** Makes a template of an example, or of nothing, and opens its editor. */
  async function startWith(blueprint?: string): Promise<Page> {
    const body = { name: "Ours", ...(blueprint && { blueprint }) };
    const { id } = await readId(await user().post("/api/templates", body), 201);
    await user().open(`templates/${id}/edit`);
    await user().page.waitForSelector(".sheet");
    return user().page;
  }

  /** The template that the editor has open. */
  const templateId = () =>
    /templates\/([\w-]+)/.exec(user().page.url())?.[1] ?? "";

  async function fetchDefinition(): Promise<ProjectData> {
    const { definition } = await getDraft(user(), templateId());
    // A draft is kept as a definition.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return definition as unknown as ProjectData;
  }

  const drafted = async () => JSON.stringify(await fetchDefinition());

  /** Goes back to the template, makes a document of its sample, and downloads it. */
  async function printed(): Promise<Buffer> {
    const { page } = user();
    const downloadPath = await mkdtemp(join(folder, "download-"));
    const session = await page.createCDPSession();
    const behavior = "allow" as const;
    await session.send("Page.setDownloadBehavior", { behavior, downloadPath });
    await pressButtons(page, "Back to the template", "Create document");
    await pressButton(page, "Download");
    const name = await eventually(async () =>
      (await readdir(downloadPath)).find((one) => !one.endsWith(".crdownload")),
    );
    return readFile(join(downloadPath, name));
  }

  const printedPages = async () => (await pdfFacts(await printed())).pages;

  it("who writes a newsletter changes subject and button, previews it on a phone, and restores a version", async () => {
    const page = await startWith("newsletter");
    await page.locator('::-p-aria([name="Subject"][role="textbox"])').click();
    await page.waitForSelector(".ProseMirror-focused");
    await pressKeys(page, "Control+End");
    await page.keyboard.type(", ");
    await chooseField(page, "/first name");
    await write(page, "Read the issue", " and more");
    await pressButton(page, "Preview");
    await page.locator("label ::-p-text(Phone)").click();
    await page.waitForSelector('img[alt="Email preview"]');
    await publishDraft(page, "For readers");
    const published = await drafted();
    expect(published)
      .to.include("Read the issue and more")
      .and.include("{{ root.headline }}, {{ root.reader.firstName }}");
    // Another thought, and back.
    await write(page, "In the diary", " of May");
    await eventually(async () => (await drafted()).includes("of May"));
    await pressButton(page, "Versions");
    await page.locator(".version-lines ::-p-text(For readers)").click();
    await waitForText(page, "In the diary of May");
    await pressButton(page, "Restore this version");
    await eventually(async () => (await drafted()) === published);
    expect(String(await printed()))
      .to.include("Read the issue and more")
      .and.not.include("of May");
  });

  it("whose records are in a table imports its fields, uses them in a text, and sees the first record", async () => {
    await shop.connect(service, user());
    const page = await startWith();
    await pressButtons(page, "Data", "Import fields from a table");
    await chooseOption(page, "Table", "Orders", "dialog");
    await waitForText(page, "Customer");
    await pressButton(page, "Import", "dialog");
    await waitForText(page, "Fields imported.");
    const fields = [" of ", "/customer", ", ", "/issued", "."];
    await addText(page, "Order ", "/order no", ...fields);
    await pressButton(page, "Data", left);
    await page
      .locator(`${left} .data-insert[aria-label="Insert Items"]`)
      .click();
    const definition = await eventually(async () => {
      const draft = await fetchDefinition();
      return draft.components.length === 2 && draft;
    });
    const named = (name: string) =>
      definition.schema[0]?.fields.find(
        ({ source }) => source === shop.orders.field(name).id,
      )?.name;
    expect(definition.components[0]).to.include({
      text: `Order {{ root.${named("Order No.")} }} of {{ root.${named("Customer")} }}, {{ root.${named("Issued on")} | date("medium") }}.`,
    });
    expect(JSON.stringify(definition.sample)).to.include("Lindvey & Sons");
    await pressButton(page, "Preview");
    await page.waitForSelector("[aria-label='Page 1 of 1'] canvas");
    await publishDraft(page);
    const [first] = await printedPages();
    expect(first)
      .to.include("Order 2026-117 of Lindvey & Sons, Nov 21, 2026.")
      .and.include("Oak table")
      .and.include("Two chairs");
  });

  it("whose data has nested lists builds them by hand, sorted and without empty values, and prints them", async () => {
    const sample = {
      customers: [
        {
          name: "Zoe",
          orders: [
            order("Z-1", "2026-02-01", true, line("lamp", 2), line("bulb", 0)),
          ],
        },
        {
          name: "Ada",
          orders: [
            order(
              "A-1",
              "2026-01-10",
              false,
              line("desk", 1),
              line("mat", 0),
              line("chair", 4),
            ),
            order("A-2", "2026-03-05", true, line("shelf", 3)),
          ],
        },
      ],
    };
    const page = await startWith();
    const addFor = async (part: string, list: string) => {
      await addPart(page, part);
      await pressButton(page, "Rules");
      await chooseOption(page, "For each", list);
    };
    const sort = async (by: string, way: string) => {
      await pressButton(page, "Sort");
      await chooseOption(page, "Order by", by);
      await chooseOption(page, "Direction", way);
    };
    await pressButtons(page, "Data", "Sample data");
    await page.locator("dialog label ::-p-text(As JSON)").click();
    await fillField(page, "Record", JSON.stringify(sample), "dialog");
    await waitForText(page, "9 fields were added.");
    await pressButton(page, "Done", "dialog");
    await waitForDialogToClose(page);
    await addFor("Box", "Customers");
    await sort("Name", "A to Z");
    await addText(page, "Customer ", "/name");
    await addFor("Box", "Orders");
    await sort("Placed on", "Newest first");
    await addText(page, "Order ", "/number");
    await addFor("Text", "Lines");
    // The first is that of the filter.
    await page.locator('.rule-part [aria-label="Add a rule"]').click();
    await chooseOption(page, "Field", "Amount");
    await chooseOption(page, "Comparison", "is more than");
    await fillField(page, "Value", "0");
    await clickText(page, "Text", 2);
    await writeOver(page, "/amount", " x ", "/title", ".");
    // One of two texts, by what the order says.
    await addText(page, "Paid, thank you.");
    await pressButton(page, "Add a rule");
    await chooseOption(page, "Field", "Paid");
    await chooseOption(page, "Comparison", "is yes");
    await pressButton(page, "Otherwise", right);
    await page.locator(".canvas button ::-p-text(Otherwise)").click();
    await clickText(page, "Otherwise: this text.", 2);
    await writeOver(page, "/number", " is to be paid.");
    await publishDraft(page);
    const pages = await printedPages();
    expect(pages.join("").replaceAll(/\s/g, "")).to.equal(
      "CustomerAdaOrderA-23xshelf.Paid,thankyou." +
        "OrderA-11xdesk.4xchair.A-1istobepaid." +
        // At the end, the watermark of what is made to try a template.
        "CustomerZoeOrderZ-12xlamp.Paid,thankyou.TEST",
    );
  });

  it("who designs a document rotates the paper, numbers the pages, and shares a style between two components", async () => {
    const { page } = user();
    await openEditor(service, user(), [
      { type: "text", id: "one", text: "First part" },
      { type: "text", id: "two", text: "Second part" },
      { type: "page-break", id: "end" },
      { type: "text", id: "three", text: "Third part" },
    ]);
    const id = templateId();
    // The paper, while nothing is selected.
    await chooseOption(page, "Size", "A5 (148 × 210 mm)", right);
    await pressButton(page, "Landscape", right);
    await pressButtons(page, "Add a header", "Page number");
    // A look that gets a name, and is put on another part.
    await clickText(page, "First part");
    await pressButton(page, "Style", right);
    await fillField(page, "Size", "20pt", right);
    await fillField(page, "Save as style", "loud", right);
    await pressButton(page, "Save the style", right);
    await clickText(page, "Second part");
    await chooseOption(page, "Add style", "loud", right);
    await pressButton(page, "Edit the style loud", right);
    await waitForText(page, "2 components use it.");
    await pressButton(page, "Right", "dialog");
    await pressButton(page, "Done", "dialog");
    await waitForDialogToClose(page);
    await publishDraft(page);
    const pages = await printedPages();
    expect(pages).to.have.length(2);
    expect(pages[0]).to.include("First part").and.include("Page 1 of 2");
    expect(pages[1]).to.include("Third part").and.include("Page 2 of 2");
    const text = await (await user().get(`/api/templates/${id}`)).text();
    expect(text).to.include('"loud":{"font-size":"20pt","text-align":"right"}');
    expect(text).to.include('"size":"A5","landscape":true');
    expect(text.match(/"class":"loud"/g)).to.have.length(2);
  });

  it("with only a mouse designs a letterhead with a logo, a grouped table with totals, a condition and a footer, and publishes it, with 28 clicks and no key", async () => {
    const { page } = user();
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><rect width="90" height="30" fill="#3d4bd1"/></svg>';
    const base64Data = Buffer.from(svg).toString("base64");
    await user().post("/api/assets", { name: "logo.svg", base64Data });
    await openEditor(service, user(), {
      schema: toSchema({
        root: "seller String, customer String, total Number, note String, lines OneToManyLink lines",
        lines: "category String, title String, amount Number",
      }),
      components: [],
      sample: {
        seller: "Atelier Lindvey, Berlin",
        customer: "Meridian Coffee",
        total: 4000,
        note: "Please pay at once.",
        lines: [
          category("Design", "Logo", 1500),
          category("Print", "Cards", 1000),
          category("Design", "Menu", 1500),
        ],
      },
    });
    const hands = await countHands(page);
    const insert = (field: string) =>
      page
        .locator(`${left} .data-insert[aria-label^="Insert ${field}"]`)
        .click();
    /** The list opens with a click and closes with another, which the browser draws itself. */
    const choose = async (list: string, words: string) => {
      await chooseOption(page, list, words, right);
      hands.clicks += 2;
    };
    const path = '[aria-label="Selection path"]';

    // The logo in the header.
    await pressButton(page, "Add a header");
    await pressButton(page, "Image", left);
    await pressButton(page, "Choose", right);
    await page.locator("dialog button ::-p-text(logo)").click();
    // The footer, which starts with the number of the page.
    await pressButton(page, "Add a footer");
    // The letterhead.
    await pressButton(page, "Page", path);
    await pressButton(page, "Data", left);
    await insert("Seller");
    await insert("Customer");
    // The table, grouped, with subtotals and the total in bold.
    await insert("Lines");
    await insert("Total");
    await page
      .locator('[aria-label="Text style"] [aria-label^="Bold"]')
      .click();
    await clickText(page, "Logo");
    await pressButton(page, "Row", path);
    await pressButton(page, "Rules", right);
    await choose("Group by", "Category");
    await waitForText(page, "2 groups in the sample");
    // The note, if there is one.
    await pressButton(page, "Page", path);
    await insert("Note");
    await clickText(page, "Please pay at once.");
    await pressButton(page, "Rules", right);
    await pressButton(page, "Add a rule", right);
    await choose("Field", "Note");
    await choose("Comparison", "is not empty");
    await pressButton(page, "Publish");
    await pressButton(page, "Publish", "dialog");
    await waitForText(page, "Published as version");
    expect(hands).to.eql({ clicks: 28, keys: 0 });
    const { page: frame, components } = await fetchDefinition();
    const total = components.find(
      (one) => "text" in one && one.text === "{{ root.total }}",
    );
    expect(total?.style).to.have.property("font-weight", "600");
    expect(JSON.stringify(frame?.header)).to.include("asset:");
    const [first] = await printedPages();
    expect(first?.replaceAll(/\s/g, "")).to.include(
      "AtelierLindvey,BerlinMeridianCoffeeCategoryTitleAmount" +
        "DesignDesignLogo1500DesignMenu1500Subtotal3000" +
        "PrintPrintCards1000Subtotal10004000Pleasepayatonce.",
    );
    expect(first).to.include("Page 1 of 1");
  });

  it("without a mouse builds a table with a row for each line", async () => {
    const { page } = user();
    const { keys, draft } = await openEditor(service, user(), {
      schema: toSchema({
        root: "lines OneToManyLink lines",
        lines: "title String, amount Number",
      }),
      components: [{ type: "heading", id: "title", text: "Delivery" }],
      sample: { lines: [line("Oak table", 420), line("Two chairs", 180)] },
    });
    /** The cells of all tables, and what their rows repeat for. */
    const getLines = async () =>
      (await draft()).components
        .flatMap((table) => (table.type === "table" ? table.components : []))
        .flatMap((row) => [
          ...(row.collection ? [row.collection.collectionId] : []),
          ...(row.type === "table-row" ? row.components : []).map((cell) =>
            "text" in cell ? cell.text : cell.type,
          ),
        ]);
    const fill = async (words: string) => {
      await keys("Enter", "Control+A");
      await page.keyboard.type(words);
    };
    await keys("/");
    await page.waitForSelector("dialog input");
    await page.keyboard.type("table");
    await keys("Enter", "ArrowRight", "ArrowRight");
    await fill("What");
    await keys("Escape", "ArrowRight");
    await fill("Price");
    await keys("Escape", "ArrowLeft", "ArrowLeft", "ArrowDown");
    await tabTo(page, "Tab", `innerText === "Content"`);
    await keys("ArrowRight", "ArrowRight");
    await tabTo(page, "Tab", `labels?.[0]?.innerText === "For each"`);
    await page.keyboard.type("Lines");
    await waitForText(page, "2 lines in the sample");
    await tabTo(page, "Shift+Tab", `classList.contains("canvas")`);
    await keys("ArrowRight");
    for (const field of ["/title", "/amount"]) {
      await keys("Enter", "Control+A");
      await chooseField(page, field);
      await keys("Escape", "ArrowRight");
    }
    await keys("ArrowLeft", "ArrowLeft", "ArrowLeft");
    // Copied, pasted under another name, taken back, and put in front.
    await keys("Control+C", "Control+V");
    await eventually(async () => (await getLines()).includes("line2"));
    await keys("Control+Z", "Alt+ArrowUp");
    await eventually(
      async () =>
        (await draft()).components.map(({ type }) => type).join() ===
        "table,heading",
    );
    expect(await getLines()).to.deep.equal([
      "What",
      "Price",
      "line",
      "{{ line.title }}",
      "{{ line.amount }}",
    ]);
  });

  it("sees the same pages whichever were open before", async () => {
    const { page } = user();
    const boxOf = async (selector: string) =>
      (await page.waitForSelector(selector))?.boundingBox();
    const { visit } = await openEditor(service, user(), [
      { type: "text", id: "words", text: "Dear all" },
    ]);
    await visit();
    const sheetAtFirst = await boxOf(".sheet");
    const id = templateId();
    await page.goto(`${service.url}/studio/`);
    const searchAtFirst = await boxOf("input[type=search]");
    await pressButton(page, "Assets");
    await page.waitForFunction("!document.querySelector('.template')");
    await pressButton(page, "Templates");
    await page.locator(`.template a[href$="${id}"]`).click();
    await pressButton(page, "Edit");
    expect(await boxOf(".sheet")).to.deep.equal(sheetAtFirst);
    await page.goBack();
    await pressButton(page, "Templates");
    expect(await boxOf("input[type=search]")).to.deep.equal(searchAtFirst);
  });
});

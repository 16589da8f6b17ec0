import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import { partialSchema } from "../../core/templates/index.js";
import type { Component } from "../../core/plugin-api/definition.js";
import { reader } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { useService } from "../support/service.js";
import {
  chooseAction,
  expectRefusal,
  newVisitor,
  pressButton,
  pressButtons,
  setSession,
  type StudioUser,
  useBrowser,
  usePage,
  waitForDialogToClose,
  waitForHeading,
  waitForText,
} from "../support/studio.js";
import {
  getDraft,
  getTemplate,
  openEditor,
  saveDraft,
} from "../support/studio-editor.js";

describe("the brand in the studio", () => {
  const service = useService();
  const user = usePage(service, "owner", { width: 1440 });
  let page: Page;
  before(() => {
    ({ page } = user());
  });

  const openBrand = async () => {
    await user().open("brand");
    await page.waitForFunction(
      `document.querySelector(".brand-sample img")?.naturalWidth > 0`,
    );
  };
  const chooseColor = (color: string) =>
    page
      .locator('input[type="color"][aria-labelledby="color-primary"]')
      .fill(color);

  it("saves colors, fonts and a text style, with a printed sample page, and offers them first in the editor", async () => {
    await openBrand();
    await chooseColor("#1446a0");
    await page.select('select[aria-label="Headings"]', "Playfair Display");
    await pressButton(page, "Add text style");
    await page.locator("dialog input").fill("Note");
    await pressButton(page, "Add");
    await waitForDialogToClose(page);
    await page.select('select[aria-label="Size of Note"]', "8pt");
    await pressButton(page, "Save");
    await waitForText(page, "Saved.");
    await page.reload();
    await page.waitForFunction(
      `document.querySelector('select[aria-label="Headings"]')?.value === "Playfair Display"`,
    );
    await waitForText(page, "#1446a0", "Note");
    await openEditor(service, user(), [{ id: "a", type: "text", text: "A" }]);
    await page.locator('.sheet [data-id="a"]').click();
    await pressButton(page, "Style");
    await page.waitForFunction(
      `[...document.querySelectorAll(".editor-right select")].some((one) => one.options[1]?.value === "Playfair Display")`,
    );
  });

  it("asks which templates follow a change, and changes those that are chosen", async () => {
    const style = { color: "#1446a0" };
    const text = { id: "a", type: "text", text: "Blue", style } as const;
    const kit = {
      colors: { primary: style.color },
      headingFont: null,
      bodyFont: null,
      logo: null,
      textStyles: {},
    };
    expect((await user().put("/api/brand", { kit })).status).to.equal(200);
    const follows = await openEditor(service, user(), [text]);
    const stays = await openEditor(service, user(), [text]);
    await openBrand();
    await chooseColor("#0b6b50");
    await pressButton(page, "Save");
    await page.waitForSelector("dialog li");
    expect(await page.$$("dialog input:checked")).to.have.length(2);
    const boxes = await page.$$("dialog input");
    await boxes[1]?.click();
    await pressButton(page, "Save and change 1 template");
    await waitForText(page, "Saved. 1 template was changed.");
    const templates = await Promise.all(
      [follows, stays].map(({ templateId }) => getTemplate(user(), templateId)),
    );
    const colors = templates.map(({ definition, version }) => {
      const { style: current } = Object(definition.components[0]);
      return [version, current.color];
    });
    expect(colors).to.have.deep.members([
      [2, "#0b6b50"],
      [1, "#1446a0"],
    ]);
  });
});

const rows: Component[] = [
  { id: "bank", type: "text", text: "IBAN of {{ root.name }}", class: "fine" },
  { id: "end", type: "text", text: "The end" },
];
const content = {
  schema: [{ id: "root", fields: [{ name: "name", type: "String" as const }] }],
  components: rows,
  styles: { fine: { color: "#b42318" } },
  sample: { name: "Ada" },
};
const payment = {
  name: "payment-details",
  title: "Payment details",
  components: [{ id: "bank", type: "text", text: "IBAN of {{ root.name }}" }],
};
const readBlock = reader(partialSchema);

describe("a reusable block in the studio", () => {
  const service = useService();
  const user = usePage(service, "owner", { width: 1440 });
  let page: Page;
  let owner: StudioUser;
  beforeEach(async () => {
    ({ page } = user());
    owner = { ...user(), ...(await newVisitor(service)) };
    await setSession(service, page, owner);
  });

  const block = async () =>
    readBlock(await owner.get("/api/partials/payment-details"));
  /** Opens a template in whose organization the block exists. */
  const openWithBlock = async () => {
    const made = await owner.post("/api/partials", payment);
    expect(made.status).to.equal(201);
    const editor = await openEditor(service, owner, content);
    await pressButton(page, "Payment details");
    await page.waitForSelector(".block-frame p");
    return editor;
  };
  const waitForFrame = (text: string) =>
    page.waitForFunction(
      `document.querySelector(".block-frame")?.innerText === ${JSON.stringify(text)}`,
    );

  it("is made of the selected component, and drawn with the values of the sample", async () => {
    const editor = await openEditor(service, owner, content);
    await page.locator('.sheet [data-id="bank"]').click();
    await pressButton(page, "Save as block");
    await page.locator("dialog input").fill("Payment details");
    await pressButton(page, "Save");
    await waitForDialogToClose(page);
    await waitForFrame("IBAN of Ada");
    await eventually(async () => {
      const [first] = (await editor.draft()).components;
      return first?.type === "partial" && first.name === "payment-details";
    });
    const { title, components, usedBy } = await block();
    expect(title).to.equal("Payment details");
    expect(components[0]).to.deep.include({ style: { color: "#b42318" } });
    expect(components[0]).to.not.have.property("class");
    expect(usedBy.map(({ id }) => id)).to.deep.equal([editor.templateId]);
  });

  it("is added from the palette, selected as a whole, and detached in one step", async () => {
    const editor = await openWithBlock();
    await page.locator('.sheet [data-id="end"]').click();
    await page.locator(".block-frame p").click();
    await page.waitForSelector(".block-frame[data-selected]");
    expect(await page.$(".block-frame [data-id]")).to.equal(null);
    await pressButton(page, "Detach");
    await page.waitForFunction(`!document.querySelector(".block-frame")`);
    const copy = await eventually(async () => {
      const { components } = await editor.draft();
      return components.find(
        (one) => one.type === "text" && one.id !== "bank" && one.id !== "end",
      );
    });
    expect(copy).to.include({ text: "IBAN of {{ root.name }}" });
    await pressButton(page, "Undo: Detach “Payment details”");
    await page.waitForSelector(".block-frame");
  });

  it("is edited for all templates, keeps what was not saved in the browser, is renamed, and stays while it is used", async () => {
    const editor = await openWithBlock();
    await eventually(async () =>
      JSON.stringify(await editor.draft()).includes("payment-details"),
    );
    await pressButton(page, "Edit block");
    await page.waitForSelector(".block-editor-bar");
    const typed = await page.waitForSelector(".sheet p[data-id]");
    await typed?.click({ count: 2 });
    await page.keyboard.press("End");
    await page.keyboard.type(" and more");
    await waitForText(page, "Unsaved changes");
    await page.reload();
    await page.waitForFunction(
      `document.querySelector(".sheet p[data-id]")?.innerText.endsWith("and more")`,
    );
    await pressButton(page, "Save");
    await waitForText(page, "Saved.");
    const { components } = await block();
    const text = "IBAN of {{ root.name }} and more";
    expect(components[0]).to.include({ text });
    await owner.open(`templates/${editor.templateId}/edit`);
    await waitForFrame("IBAN of Ada and more");

    await owner.open("blocks");
    await waitForHeading(page, "Reusable blocks");
    await chooseAction(page, "Payment details", "Rename");
    await page.locator("dialog input").fill("Bank");
    await page.locator("dialog button[type=submit]").click();
    await waitForDialogToClose(page);
    await chooseAction(page, "Bank", "Delete");
    await page.locator("dialog button.danger").click();
    await waitForText(page, "Templates use this block");
    await expectRefusal(owner, 409);
    expect((await block()).title).to.equal("Bank");
  });

  it("is no part of a table, and nothing that is apart", async () => {
    const cell: Component = { id: "cell", type: "table-cell", text: "Cell" };
    const row: Component = { id: "row", type: "table-row", components: [cell] };
    await openEditor(service, owner, [
      { id: "table", type: "table", components: [row] },
    ]);
    await page.locator('.sheet [data-id="cell"]').click();
    await pressButton(page, "Save as block");
    await waitForText(page, "Select the whole table");
    expect(await page.$("dialog")).to.equal(null);
  });
});

const readId = reader(z.object({ id: z.string() }));

describe("the first steps on the studio's home", () => {
  const service = useService();
  const open = useBrowser();
  const user = usePage(service, "owner", { width: 1280 }, open);

  it("tick themselves by what the person has created, and are gone when all is done", async () => {
    const { page, ...owner } = user();
    await owner.open("");
    await waitForText(page, "0 of 4 done");
    const order = { name: "Our invoice", blueprint: "invoice" };
    const { id } = await readId(await owner.post("/api/templates", order), 201);
    await owner.open("");
    await waitForText(page, "1 of 4 done");
    const ticked = await page.$$eval(".first-steps .done a", (all) =>
      all.map((one) => one.firstChild?.textContent ?? ""),
    );
    expect(ticked).to.eql(["Choose an example"]);
    // The example's own data is not the person's.
    await pressButton(page, "Add your data");
    await page.waitForSelector('[role=tab][aria-selected="true"]');
    expect(page.url()).to.match(new RegExp(`templates/${id}/edit(?:$|\\?)`));
    await waitForText(page, "Sample data");
    const { definition } = await getDraft(owner, id);
    const sample = { number: "2026-1" };
    await saveDraft(owner, id, { ...definition, sample });
    await owner.open("");
    await waitForText(page, "2 of 4 done");
    await pressButtons(page, "Create a PDF", "Create document");
    await waitForText(page, "Document created");
    await owner.open("");
    await waitForText(page, "3 of 4 done");
    const key = { name: "Web shop", scopes: ["documents:write"] };
    expect((await owner.post("/studio/api/keys", key)).status).to.equal(201);
    await pressButton(page, "Documents");
    await waitForHeading(page, "Documents");
    await pressButton(page, "Templates");
    await waitForText(page, "You're all set");
    await owner.open("");
    await waitForText(page, "Our invoice");
    expect(await page.$(".first-steps")).to.equal(null);
  });

  it("never come back in any browser once they are hidden", async () => {
    const { page, open: openPath } = user();
    const editor = await newVisitor(service, "editor");
    await setSession(service, page, editor);
    await openPath("");
    await pressButton(page, "Hide the first steps");
    await page.waitForFunction("!document.querySelector('.first-steps')");
    const other = await open({ width: 1280 });
    await setSession(service, other, editor);
    await other.goto(`${service.url}/studio/`);
    await waitForText(other, "No templates yet");
    expect(await other.$(".first-steps")).to.equal(null);
  });
});

/**
 * Waits until the step with this title is shown, with the ring around the element but for parts of a pixel, and takes
 * keys.
 */
const waitForStep = (page: Page, title: string, target: string) =>
  page.waitForFunction(`(() => {
    const box = (selector) =>
      document.querySelector(selector)?.getBoundingClientRect();
    const ring = box(".tour-spot");
    const inner = box(${JSON.stringify(target)});
    const { clientWidth, clientHeight } = document.documentElement;
    return (
      document.querySelector(".tour h2")?.innerText === ${JSON.stringify(title)} &&
      document.activeElement?.matches(".tour button") &&
      ring.left <= Math.max(inner.left, 2) + 1 &&
      ring.top <= Math.max(inner.top, 2) + 1 &&
      ring.right >= Math.min(inner.right, clientWidth - 2) - 1 &&
      ring.bottom >= Math.min(inner.bottom, clientHeight - 2) - 1
    );
  })()`);

const waitForEnd = (page: Page) =>
  page.waitForFunction("!document.querySelector('.tour, .tour-offer')");

describe("the tour of the editor", () => {
  const service = useService();
  const user = usePage(service, "editor");

  it("is offered once, points at the real elements and is walked by keyboard", async () => {
    const { page } = await openEditor(service, user(), [
      { type: "text", id: "text", text: "Hello" },
    ]);
    await pressButton(page, "Take the tour");
    const stops: [title: string, target: string][] = [
      ["Add components", ".palette"],
      ["Write on the page", ".sheet"],
      ["Add your data", ".panel-tabs [role=tab]:nth-child(3)"],
      ["Change how it looks", ".editor-right"],
      ["See the real PDF", ".preview-switch"],
      ["Publish when it is ready", ".bar-end .primary"],
    ];
    for (const [index, [title, target]] of stops.entries()) {
      await waitForStep(page, title, target);
      // What loads later moves the elements.
      await page.evaluate(
        `document.querySelector(${JSON.stringify(target)}).style.translate = "-30px 20px"`,
      );
      await waitForStep(page, title, target);
      await page.keyboard.press(index % 2 === 0 ? "Enter" : "ArrowRight");
      // The last step ends with its button alone.
      if (index === stops.length - 1) await page.keyboard.press("Enter");
    }
    await waitForEnd(page);
    await page.reload();
    await page.waitForSelector(".sheet");
    expect(await page.$(".tour-offer")).to.equal(null);
  });

  it("can be skipped, goes back, is offered again in the help menu, and points at the panels' buttons on a phone", async () => {
    const someone = { ...user(), ...(await newVisitor(service, "editor")) };
    await setSession(service, someone.page, someone);
    const { page } = await openEditor(service, someone, []);
    const start = async () => {
      await pressButtons(page, "Help", "Tour of the editor");
    };
    await pressButton(page, "No, thanks");
    await waitForEnd(page);
    await page.setViewport({ width: 390, height: 844 });
    await start();
    await waitForStep(page, "Add components", ".phone-bar button");
    const isWhole = `(() => {
      const { left, right } = document.querySelector(".tour-card").getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    })()`;
    expect(await page.evaluate(isWhole)).to.equal(true);
    await pressButton(page, "Next");
    await waitForText(page, "2 of 6");
    await pressButton(page, "Back");
    await waitForText(page, "1 of 6");
    // The button that had the focus is gone.
    expect(await page.evaluate("document.activeElement.textContent")).to.equal(
      "Next",
    );
    await page.keyboard.press("Escape");
    await waitForEnd(page);
    await start();
    await pressButton(page, "Skip the tour");
    await waitForEnd(page);
    await page.setViewport({ width: 1280, height: 844 });
  });
});

import { expect } from "chai";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { blueprint } from "../../../core/templates/blueprints/index.js";
import { toSchema } from "../../support/schema.js";
import { useService } from "../../support/service.js";
import {
  type OpenEditor,
  selectInJson,
  useEditor,
} from "../../support/studio-editor.js";
import { fillField } from "../../support/studio.js";

const fill = ({ page }: OpenEditor, name: string, value: string) =>
  fillField(page, name, value, ".inspector");

/** Replaces a part of the JSON at once. */
async function replaceInJson(
  { page }: OpenEditor,
  part: string,
  next: string,
): Promise<void> {
  await selectInJson(page, part);
  await page.keyboard.sendCharacter(next);
}

/** Opens the group of the e-invoice, which is closed without one, and chooses a profile. */
const chooseProfile = `(() => {
  const group = [...document.querySelectorAll("details.prop-group")]
    .find((one) => one.innerText.includes("E-invoice"));
  group.open = true;
  group.scrollIntoView();
  const select = group.querySelector("select");
  select.value = "factur-x-en16931";
  select.dispatchEvent(new Event("change", { bubbles: true }));
})()`;

describe("the properties", () => {
  const open = useEditor(useService());
  const text = { type: "text", id: "one", text: "One" } as const;

  it("of the selection change it, and are restored by undo", async () => {
    const [gap, code] = [
      { type: "spacer", id: "gap", height: "8mm" },
      { type: "barcode", id: "code", value: "123", symbology: "code128" },
    ] as const;
    const editor = await open([gap, code]);
    const { click, press, keys, waitForDraft } = editor;
    const waitForComponents = (...expected: object[]) =>
      waitForDraft(({ components }) => components, expected);
    await click("gap");
    await fill(editor, "Height", "20");
    await keys("Enter");
    await click("code");
    await fill(editor, "Type", "code39");
    await fill(editor, "Text below", "false");
    const taller = { ...gap, height: "20mm" };
    await waitForComponents(taller, {
      ...code,
      symbology: "code39",
      showText: false,
    });
    await press("Undo: Change “Text below”", "Undo: Change “Type”");
    await waitForComponents(taller, code);
  });

  it("are those of the page, its files and its standards when nothing is selected", async () => {
    const editor = await open([text]);
    const { page, press, waitForDraft } = editor;
    await fill(editor, "Size", "A5");
    await press("Landscape");
    await fill(editor, "Margins, all sides", "15mm");
    await press("Header");
    await fill(editor, "Language", "de-DE");
    await page.locator('.text-typing[aria-label="File name"]').click();
    await editor.type("Invoice");
    await waitForDraft(
      ({ page: all, locale, fileName }) => {
        const { header, ...paper } = all ?? {};
        return [header !== undefined, paper, locale, fileName];
      },
      [
        true,
        { size: "A5", landscape: true, margin: "15mm" },
        "de-DE",
        "Invoice",
      ],
    );
    const waitForStandards = (expected: unknown) =>
      waitForDraft(({ pdf }) => pdf?.conformance, expected);
    await page.locator(".inspector summary ::-p-text(PDF)").click();
    await fill(editor, "PDF/A standard", "pdf/a-2u");
    await waitForStandards("pdf/a-2u");
    await press("Accessible (PDF/UA)");
    await waitForStandards(["pdf/a-2u", "pdf/ua-1"]);
    await fill(editor, "PDF/A standard", "");
    await waitForStandards("pdf/ua-1");
    await press("Accessible (PDF/UA)");
    await waitForDraft(({ pdf }) => pdf, undefined);
  });

  it("of HTML show its problems with line and column beside the text that has them, and it is drawn as it prints", async () => {
    const { page, click, keys, type, waitFor } = await open([
      {
        type: "markup",
        id: "own",
        html: '<p class="sum" style="margin: 4px">{{ 1 + 2 }} pieces</p>',
        css: ".sum { color: rgb(180, 0, 0) }",
      },
    ]);
    await waitFor('[data-id="own"] >>> .sum');
    const look = await page.evaluate(`(() => {
      const hosts = [...document.querySelectorAll('[data-id="own"] *')];
      const root = hosts.find((one) => one.shadowRoot).shadowRoot;
      const sum = root.querySelector(".sum");
      const { color, marginTop } = getComputedStyle(sum);
      return [sum.textContent, color, marginTop];
    })()`);
    expect(look).to.eql(["3 pieces", "rgb(180, 0, 0)", "4px"]);
    await click("own");
    const html = await page.waitForSelector("textarea");
    await html?.click({ count: 3 });
    await keys("End");
    await type("<script></script>");
    await page.waitForFunction(`
      /^Line 1, column 58.*<script> is not allowed/.test(
        document.querySelector(".code-problems li")?.textContent ?? "")`);
  });

  describe("as JSON", () => {
    it("are applied while typing, undone as one step, and kept while they are invalid", async () => {
      const editor = await open([{ ...text, text: "First." }]);
      const { page, press, waitForText } = editor;
      await press("JSON");
      await replaceInJson(editor, "First.", "Changed.");
      await replaceInJson(editor, "Changed.", "Changed again.");
      await editor.waitForBody("Changed again.");
      await press("Undo: Edit as JSON");
      await page.waitForFunction(
        `document.querySelector("textarea")?.value.includes("First.")`,
      );
      await replaceInJson(editor, `"First."`, `"First`);
      await waitForText("Not applied yet");
      await waitForText("a closing quotation mark is missing");
      await press("Design");
      await editor.waitFor(".sheet");
      await press("JSON");
      await waitForText("Not applied yet");
      await replaceInJson(editor, `"First`, `"First."`);
      await page.waitForFunction(
        "document.body?.innerText.includes('Not applied yet') === false",
      );
    });

    it("list the checker's problems, which lead to their position", async () => {
      const editor = await open([text]);
      await editor.press("JSON");
      await replaceInJson(editor, `"One"`, `"{{ root. }}"`);
      await editor.waitForText("1 problem");
      await editor.page.locator(".finding-list button").click();
      const marked = await editor.page.$eval("textarea.code", (area) =>
        area.value.slice(area.selectionStart, area.selectionEnd),
      );
      expect(marked).to.equal(`"{{ root. }}"`);
    });
  });

  describe("of an e-invoice", () => {
    const { einvoice: _einvoice, ...invoice }: ProjectData =
      blueprint("invoice").definition;

    it("begin with the fields that the schema's names suggest, and show in place what the sample breaks", async () => {
      const { page, press, waitForText, waitForDraft } = await open(invoice);
      await page.evaluate(chooseProfile);
      await waitForDraft(
        ({ einvoice }) => [
          einvoice?.profile,
          einvoice?.map.buyerName,
          einvoice?.map.sellerCountryCode,
        ],
        ["factur-x-en16931", "root.customer.name", undefined],
      );
      await press("Assign fields");
      await waitForText("The seller has no country (BR-09).");
      const country = ".einvoice-term:has(.einvoice-problem) input";
      await page.locator(country).fill('"DE"');
      await page.waitForFunction(
        '!document.querySelector(".einvoice")?.innerText.includes("BR-09")',
      );
      await waitForDraft(
        ({ einvoice }) => einvoice?.map.sellerCountryCode,
        '"DE"',
      );
    });

    it("say that the sample keeps all rules", async () => {
      const { definition } = blueprint("german-invoice");
      const { page, press, waitForText } = await open(definition);
      await page.evaluate(chooseProfile);
      await press("Assign fields");
      await waitForText("The sample keeps all rules of this profile.");
    });
  });
});

const lines: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  sample: {
    total: 5,
    lines: [
      { sum: 1, kind: "a" },
      { sum: 20, kind: "b" },
      { sum: 30, kind: "b" },
    ],
  },
  components: [
    { type: "heading", id: "head", text: "Offer" },
    {
      type: "text",
      id: "line",
      text: "{{ line.sum }}",
      collection: {
        collectionId: "line",
        path: "root.lines",
        filter: {
          combinator: "and",
          rules: [{ field: "sum", operator: ">", value: 10 }],
        },
        empty: [{ type: "text", id: "none", text: "No lines at all" }],
      },
      condition: {
        combinator: "and",
        rules: [{ field: "root.total", operator: ">", value: 1 }],
      },
    },
    { type: "spacer", id: "space", height: "20mm" },
    {
      type: "text",
      id: "rich",
      text: "Thank you",
      condition: {
        combinator: "and",
        rules: [{ field: "root.total", operator: ">", value: 10 }],
        else: [{ type: "text", id: "poor", text: "Thank you all the same" }],
      },
    },
    {
      type: "fragment",
      id: "group",
      collection: { collectionId: "other", path: "root.lines" },
      components: [{ type: "text", id: "inner", text: "Inner" }],
    },
  ],
};

const choose = ({ page }: OpenEditor, name: string, value: string) =>
  fillField(page, name, value, ".inspector");

describe("the rules of a component", () => {
  const service = useService();
  const open = useEditor(service);

  it("say how to list the items of groups, also when something is inside already", async () => {
    const { page, click, press, waitForText } = await open({
      schema: toSchema({
        root: "customers OneToManyLink customers",
        customers: "name String",
      }),
      sample: { customers: [{ name: "Ada" }, { name: "Eve" }] },
      components: [
        {
          type: "container",
          id: "box",
          collection: {
            collectionId: "customer",
            path: "root.customers",
            groupBy: { field: "name" },
          },
          components: [],
        },
      ],
    });
    await click("box");
    await press("Rules");
    await waitForText("Add a row inside");
    await page.locator('[data-new="text"]').click();
    await page.locator(".canvas-crumbs button:nth-child(2)").click();
    await press("Rules");
    await waitForText("Repeat a component inside for “customer.items”");
    const words = await page.$eval("body", (body) => body.innerText);
    expect(words).not.to.contain("Add a row inside");
  });

  it("are shown beside it with its alternatives, and what the sample hides takes no space", async () => {
    const editor = await open(lines);
    const { page, press, waitFor, waitForText } = editor;
    await waitFor('[data-id="line"][data-note*="2 of 3"]');
    const descriptionOf = (id: string) =>
      page.$eval(`[data-id="${id}"]`, (one) =>
        one.getAttribute("aria-description"),
      );
    expect(await descriptionOf("line")).to.equal(
      "Repeats for each line · 2 of 3. Shown if total is more than 1",
    );
    expect(await descriptionOf("rich")).to.equal(
      "Shown if total is more than 10",
    );
    for (const words of ["20", "30", "Thank you all the same"])
      await waitForText(words);
    const hidden = '[data-id="rich"][data-unshown]';
    const heightOfHidden = () =>
      page.$eval(hidden, (one) => one.getBoundingClientRect().height);
    expect(await heightOfHidden()).to.equal(0);
    await page.click('[data-copy="line"]');
    await waitFor('[data-id="line"][data-selected]');
    await press("If the list is empty 1 component");
    await waitForText("No lines at all");
    // A hidden component opens while it is selected.
    await press("Outline");
    await page.locator("[role=treeitem] ::-p-text(Thank you)").click();
    await waitFor('[data-id="rich"][data-selected]');
    expect(await heightOfHidden()).to.be.greaterThan(10);
    // In words: the list's element, or what it is grouped by.
    await waitFor('[data-id="line"][data-note^="Each line"]');
    await editor.click("line");
    await press("Rules");
    await choose(editor, "Group by", "kind");
    await waitFor('[data-note^="Each kind"]');
  });

  it("open from the badge that shows them", async () => {
    const { page, click, waitFor } = await open(lines);
    const waitForRules = (id: string, part: string) =>
      page.waitForFunction(`
        document.querySelector("[data-id='${id}'][data-selected]") &&
        document.activeElement?.closest(".rules details")
          ?.querySelector("summary")?.textContent === "${part}"`);
    const pressBadge = async (selector: string, line = 0) => {
      const { right, top } = await page.$eval(selector, (one) =>
        one.getBoundingClientRect().toJSON(),
      );
      await page.mouse.click(right + 16, top + 7 + line * 13);
    };
    await waitFor('[data-id="line"][data-note*="2 of 3"]');
    // The sample hides it, so it has no height, and a sign at the other side.
    const { left, top } = await page.$eval('[data-id="rich"]', (one) =>
      one.getBoundingClientRect().toJSON(),
    );
    await page.mouse.click(left - 8, top);
    await waitForRules("rich", "Show only if");
    // Its words after the check move no button.
    await waitFor(".rules .rule-adds + .rule-fact:last-child:not(:empty)");
    await click("head");
    await pressBadge('[data-id="line"]');
    await waitForRules("line", "Repeat");
    await pressBadge('[data-id="line"]', 2);
    await waitForRules("line", "Show only if");
    await pressBadge('[data-id="group"] .note-holder');
    await waitForRules("group", "Repeat");
  });
});

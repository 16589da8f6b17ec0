import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import {
  BAND_ONLY,
  DOCUMENT_ONLY,
  EMAIL_ONLY,
  REQUIRED_PARENTS,
} from "../../../core/definition/schema/placement.js";
import {
  type Component,
  type ProjectData,
  SIGN_FIELD_TYPES,
} from "../../../core/plugin-api/index.js";
import { blueprint } from "../../../core/templates/index.js";
import {
  COMPONENT_TYPES,
  getCatalogEntry,
} from "../../../studio/src/editor/model/catalog.js";
import { assignMissingIds } from "../../../studio/src/editor/model/tree.js";
import { merged, mergedEmail } from "../../compiler/support.js";
import { eventually } from "../../support/eventually.js";
import { readPdf } from "../../support/read-pdf.js";
import { useService } from "../../support/service.js";
import { type OpenEditor, useEditor } from "../../support/studio-editor.js";
import type { StudioUser } from "../../support/studio.js";

const PX_PER_MM = 96 / 25.4;

/** Blueprints with the lists of their sample that are made long, and the field that tells their elements apart. */
const LONG: readonly [id: string, lists: Record<string, [string, number]>][] = [
  ["invoice", { lines: ["description", 60] }],
  ["report", { routes: ["name", 40], months: ["month", 55] }],
  ["statement", { transactions: ["description", 90] }],
];

const samples = z.record(z.string(), z.json());
const rows = z.array(samples);
const textsOfPages = z.array(z.array(z.string()));

/** A blueprint whose lists repeat the elements of its sample, each with a name of its own. */
function lengthen(
  id: string,
  lists: Record<string, [string, number]>,
): ProjectData {
  const { definition } = structuredClone(blueprint(id));
  const sample = samples.parse(definition.sample);
  for (const [name, [field, count]] of Object.entries(lists)) {
    const list = rows.parse(sample[name]);
    sample[name] = Array.from({ length: count }, (_none, index) => ({
      ...list[index % list.length],
      [field]: `${field} ${index + 1}.`,
    }));
  }
  return { ...definition, sample };
}

/** The text of each row, heading and paragraph of the body, by the page on which it begins. */
async function readCanvas(page: Page): Promise<string[][]> {
  const found = await page.evaluate(`(() => {
    const papers = [...document.querySelectorAll(".page-sheet")]
      .map((one) => one.getBoundingClientRect());
    const pages = papers.map(() => []);
    const blocks = document.querySelectorAll(
      ".d-main :is(tr, h1, h2, h3, p):not(.aside)");
    for (const one of blocks) {
      if (one.parentElement.closest("tr")) continue;
      const [box] = one.getClientRects();
      const copy = one.cloneNode(true);
      for (const words of copy.querySelectorAll(".hidden-text")) words.remove();
      const text = copy.textContent.replace(/\\s/g, "");
      if (!box || text === "") continue;
      const at = papers.findIndex((paper) =>
        box.left >= paper.left && box.left <= paper.right &&
        box.top >= paper.top && box.top <= paper.bottom);
      (pages[at] ??= []).push(text);
    }
    return pages;
  })()`);
  return textsOfPages.parse(found);
}

/** The text of each page of the PDF that the preview prints. */
async function printDraft(
  user: StudioUser,
  definition: ProjectData,
): Promise<string[]> {
  const body = { templateType: "document", definition };
  const response = await user.send("POST", "/studio/api/drafts/print", body);
  const pages = await readPdf(new Uint8Array(await response.arrayBuffer()));
  return pages.map(({ text }) => text.replaceAll(/\s/g, ""));
}

/** Left, top, right and bottom in CSS px, from the corner of the page or email. */
type Box = readonly [number, number, number, number];

/**
 * Where all that can be seen stands: words by themselves, and what has none by its kind and its turn.
 * @param root selects the element that holds it in this drawing
 * @param kinds CSS selector by name
 */
async function boxesIn(
  page: Page,
  root: string,
  kinds: Readonly<Record<string, string>>,
): Promise<Map<string, Box>> {
  const measure = `(async () => {
    const sheet = document.querySelector(${JSON.stringify(root)});
    // What is laid out asks for its fonts, and is laid out anew with them.
    sheet.getBoundingClientRect();
    await document.fonts.ready;
    const seen = [];
    const texts = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      seen.push([texts.currentNode.textContent.trim(), range]);
    }
    for (const [kind, selector] of Object.entries(${JSON.stringify(kinds)}))
      for (const [index, one] of sheet.querySelectorAll(selector).entries())
        seen.push([kind + " " + (index + 1), one]);
    const { x, y, width } = sheet.getBoundingClientRect();
    const zoom = width / sheet.offsetWidth;
    return seen.map(([name, one]) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      return [name, [left - x, top - y, right - x, bottom - y].map((side) => side / zoom)];
    });
  })()`;
  // What the expression above answers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const found = (await page.evaluate(measure)) as [string, Box][];
  return new Map(found.filter(([name]) => name !== ""));
}

/**
 * Where production's own html shows it, in a page beside this one.
 * @param root as in `boxesIn`
 */
async function printedBoxes(
  beside: Page,
  html: string,
  width: number,
  root: string,
  kinds: Readonly<Record<string, string>>,
): Promise<Map<string, Box>> {
  const page = await beside.browser().newPage();
  try {
    await page.setViewport({ width, height: 844 });
    await page.setContent(html);
    return await boxesIn(page, root, kinds);
  } finally {
    await page.close();
  }
}

/** What stands elsewhere by more than a px, and what is in one drawing alone. */
function differing(
  names: readonly string[],
  one: ReadonlyMap<string, Box>,
  other: ReadonlyMap<string, Box>,
): string[] {
  return names.flatMap((name) => {
    const [here, there] = [one.get(name), other.get(name)];
    const isSame =
      here && there && here.every((side, at) => isNear(side, there[at]));
    return isSame
      ? []
      : [`${name}: ${describeBox(here)}, not ${describeBox(there)}`];
  });
}

function isNear(side: number, other: number | undefined): boolean {
  return other !== undefined && Math.abs(side - other) <= 1;
}

function describeBox(box: Box | undefined): string {
  return box?.map((side) => side.toFixed(1)).join(" ") ?? "nowhere";
}

const spacer = (height: string): Component => ({ type: "spacer", height });

const hidden = (): Component => ({
  type: "text",
  text: "Hidden",
  condition: {
    combinator: "and",
    rules: [{ field: "root.total", operator: ">", value: 10 }],
  },
});

const heading = (id: string): Component => ({
  type: "heading",
  id,
  text: id,
  level: 2,
});

function getTops({ page }: OpenEditor, selector: string) {
  return page.$$eval(selector, (all) =>
    all.map((one) => {
      const { y, height } = one.getBoundingClientRect();
      return { y, height };
    }),
  );
}

describe("the page in the editor", () => {
  const open = useEditor(useService(), "editor", { width: 1440 });

  for (const type of ["document", "email"] as const)
    it(`draws every component that can be added to a template of type ${type}, so that it can be pressed`, async () => {
      const foreign = type === "email" ? DOCUMENT_ONLY : EMAIL_ONLY;
      const types = COMPONENT_TYPES.filter(
        (one) => one !== "partial" && !foreign.has(one),
      );
      const added = types.filter(
        (one) => !REQUIRED_PARENTS.has(one) && !BAND_ONLY.has(one),
      );
      const { page } = await open(
        assignMissingIds({
          schema,
          components: added.map((one) => getCatalogEntry(one).make(type)),
          ...(type === "email"
            ? { email: { subject: "Hello" } }
            : { page: { footer: [{ type: "page-number" }] } }),
        }),
        type,
      );
      const drawn = await page.$$eval(".sheet [data-id]", (all) =>
        all.map((one) => one.getAttribute("data-type")),
      );
      expect([...new Set(drawn)]).to.have.members(types);
      const flat = await page.$$eval(".sheet [data-id]:not(.fragment)", (all) =>
        all
          // The words of a page break, which has no height in print, can be pressed.
          .filter((one) => {
            const seen = one.querySelector(".page-break-words") ?? one;
            return seen.getBoundingClientRect().height === 0;
          })
          .map((one) => one.getAttribute("data-type")),
      );
      expect(flat).to.deep.equal([]);
    });

  it("shows every component of a document where it is printed", async () => {
    const { page, waitFor } = await open(onPaper);
    await waitFor(".d-chart > svg");
    const kinds = {
      field: ".sign-field, .d-sign-field",
      chart: ".chart, .d-chart",
      button: ".button, .d-button",
      cell: "td, th",
      rule: "hr",
    };
    const drawn = await boxesIn(page, ".d-main", kinds);
    const { html } = merged(onPaper, { months: [{ name: "May", amount: 3 }] });
    const printed = await printedBoxes(page, html, 1440, "main", kinds);
    const names = [
      ...wordsIn(onPaper),
      ...SIGN_FIELD_TYPES.map((_field, index) => `field ${index + 1}`),
      "chart 1",
      "May",
      "12345678",
      "button 1",
      "rule 1",
      "cell 1",
      "cell 4",
      "Signature",
      "Initials",
      "Date",
      "the stamp",
    ];
    expect(differing(names, drawn, printed)).to.deep.equal([]);
  });

  it("shows every component of an email where it is sent", async () => {
    const { page } = await open(inEmail, "email");
    const kinds = {
      button: ".d-button, a[style*='inline-block'][style*='padding']",
      icon: ".social-link, img[title]",
    };
    const drawn = await boxesIn(page, ".mail-body", kinds);
    const { html } = mergedEmail(inEmail);
    const printed = await printedBoxes(page, html, 560, "body", kinds);
    const buttons = [1, 2, 3, 4].map((one) => `button ${one}`);
    const names = [...wordsIn(inEmail), ...buttons, "icon 1", "icon 2"];
    expect(differing(names, drawn, printed)).to.deep.equal([]);
  });

  it("stacks the columns of an email on a phone, in its width", async () => {
    const { page, press, waitFor, waitForText } = await open(
      {
        schema,
        sample: { name: "Ada" },
        email: { subject: "Your order", width: 500 },
        components: [
          {
            type: "section",
            id: "row",
            components: [
              { ...column("{{ root.name }}", "60%"), id: "left" },
              column("Right"),
            ],
          },
        ],
      },
      "email",
    );
    const getWidths = () =>
      page.$$eval('[data-id="row"], [data-id="left"]', (all) =>
        all.map((one) => one.clientWidth),
      );
    await waitForText("Your order");
    await waitForText("Ada");
    expect(await getWidths()).to.deep.equal([500, 300]);
    await press("Phone");
    await waitFor(".sheet.on-phone");
    expect(await getWidths()).to.deep.equal([375, 375]);
  });

  it("keeps its true size and margins at any zoom, with the headers of the first page and of others", async () => {
    const { page, press, waitFor, waitForText } = await open({
      schema,
      page: {
        size: "A5",
        landscape: true,
        margin: { top: "30mm", left: "25mm" },
        header: [{ type: "text", id: "others", text: "On the others" }],
        firstHeader: [{ type: "text", id: "first", text: "On the first" }],
      },
      components: [{ type: "text", id: "body", text: "Body" }],
    });
    const measure = async () => {
      // At one moment, since the page is fitted while it opens.
      const [sheet, , body] = await page.$$eval(".page-sheet, .d-main", (all) =>
        all.map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return { x, y, width, height };
        }),
      );
      if (!sheet || !body) throw new Error("there is no sheet");
      const zoom = sheet.width / (210 * PX_PER_MM);
      const mm = (px: number) => Math.round(px / zoom / PX_PER_MM);
      return {
        zoom: Math.round(zoom * 100),
        height: mm(sheet.height),
        left: mm(body.x - sheet.x),
        top: mm(body.y - sheet.y),
      };
    };
    const paper = { height: 148, left: 25, top: 30 };
    await waitForText("On the first");
    const { zoom: fitting, ...fitted } = await measure();
    expect(fitted).to.deep.equal(paper);
    await waitFor(`.zoom-now[aria-label^="${fitting}%"]`);
    await page.click(".zoom-now");
    await waitFor('.zoom-now[aria-label^="100%"]');
    expect(await measure()).to.deep.equal({ zoom: 100, ...paper });
    await press("Zoom in");
    await waitFor('.zoom-now[aria-label^="125%"]');
    expect(await measure()).to.deep.equal({ zoom: 125, ...paper });
    await page.reload();
    await waitFor('.zoom-now[aria-label^="125%"]');
    const onPages = await page.$$eval(".page-sheet, [data-type=text]", (all) =>
      all.map((one) => ({
        id: one.getAttribute("data-id"),
        y: one.getBoundingClientRect().y,
      })),
    );
    const tops = onPages.filter(({ id }) => id === null).map(({ y }) => y);
    const pageOf = (id: string) => {
      const at = onPages.find((one) => one.id === id)?.y ?? Number.NaN;
      return tops.filter((y) => y < at).length;
    };
    expect(["first", "body", "others"].map(pageOf)).to.deep.equal([1, 1, 2]);
  });

  it("moves the body of each page away from a header or footer that is taller than its margin", async () => {
    const editor = await open({
      schema,
      page: {
        size: "A4",
        firstHeader: [spacer("60mm")],
        header: [spacer("10mm")],
        footer: [spacer("50mm")],
      },
      components: [text("Body"), { type: "page-break" }, text("Body")],
    });
    const tall = { header: 60, body: 60, footer: 50, sheet: 297 };
    const expected = [tall, { ...tall, header: 20, body: 20 }];
    let measured: unknown;
    await eventually(async () => {
      const papers = await getTops(editor, ".page-sheet");
      const headers = await getTops(editor, ".at-header");
      const bodies = await getTops(editor, '[data-type="text"]');
      const footers = await getTops(editor, ".at-footer");
      const mm = (px = 0) => Math.round((px / (papers[0]?.height ?? 0)) * 297);
      measured = papers.map(({ y, height }, index) => ({
        header: mm(headers[index]?.height),
        body: mm((bodies[index]?.y ?? 0) - y),
        footer: mm(footers[index]?.height),
        sheet: mm(height),
      }));
      return JSON.stringify(measured) === JSON.stringify(expected);
    });
  });

  it("gives the first and the last component that the sample prints the margins of the first and the last", async () => {
    const components = [
      hidden(),
      hidden(),
      heading("first"),
      heading("last"),
      hidden(),
    ];
    const { page, waitFor } = await open({
      schema,
      sample: { total: 5 },
      components: [
        { type: "columns", components: [{ type: "column", components }] },
      ],
    });
    await waitFor(".sheet [data-unshown]:last-child");
    const margins = await page.evaluate(
      `[...document.querySelectorAll("[data-type=heading]")].map((one) => {
        const { marginTop, marginBottom } = getComputedStyle(one);
        return [marginTop === "0px", marginBottom === "0px"];
      })`,
    );
    expect(margins).to.deep.equal([
      [true, false],
      [false, true],
    ]);
  });

  for (const [id, lists] of LONG)
    it(`breaks where the print breaks: ${id}`, async () => {
      const definition = lengthen(id, lists);
      const { page, user } = await open(definition);
      const printed = await printDraft(user, definition);
      expect(printed.length).to.be.greaterThan(2);
      const drawn = await eventually(async () => {
        const texts = await readCanvas(page);
        return texts.length === printed.length && texts;
      });
      expect(drawn.flat().length).to.be.greaterThan(60);
      const strays = drawn.map((texts, index) =>
        texts.filter((words) => !printed[index]?.includes(words)),
      );
      expect(strays).to.deep.equal(printed.map(() => []));
    });
});

const text = (words: string): Component => ({ type: "text", text: words });
const column = (words: string, width?: string): Component => ({
  type: "column",
  width,
  components: [text(words)],
});
const schema: ProjectData["schema"] = [{ id: "root", fields: [] }];

/**
 * Definitions with one of all that can stand in them, on one long page and in an email: there in columns, in boxes, and by itself.
 * Their words are all unlike each other: by them their parts are found again, wherever they are drawn.
 */
const { onPaper, inEmail }: Record<"onPaper" | "inEmail", ProjectData> =
  JSON.parse(readFileSync(new URL("pages.json", import.meta.url), "utf8"));

/** All that its texts say. */
function wordsIn(definition: ProjectData): string[] {
  const found = JSON.stringify(definition).matchAll(/"text":"([^"]+)"/g);
  return [...found].map(([, words = ""]) => words);
}

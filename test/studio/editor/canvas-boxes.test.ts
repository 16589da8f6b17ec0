import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import {
  SIGN_FIELD_TYPES,
  type Component,
  type ProjectData,
} from "../../../core/plugin-api/index.js";
import { merged, mergedEmail } from "../../compiler/support.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

describe("the page in the editor, compared with the printed document", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("shows every component of a document in the same place", async () => {
    const editor = await signIn("editor");
    const { page } = await openEditor(service, editor, onPaper);
    const kinds = {
      field: ".sign-field, .d-sign-field",
      chart: ".chart, .d-chart",
      button: ".button, .d-button",
      cell: "td, th",
      rule: "hr",
    };
    const drawn = await boxesIn(page, ".d-main", kinds);
    const { html } = merged(onPaper, { months: [{ name: "May", amount: 3 }] });
    const printed = await printedBoxes(page, html, 1280, "main", kinds);
    const names = [
      ...wordsIn(onPaper),
      ...SIGN_FIELD_TYPES.map((_field, index) => `field ${index + 1}`),
      "chart 1",
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

  it("shows every component of an email in the same place", async () => {
    const editor = await signIn("editor");
    const { page } = await openEditor(service, editor, inEmail, "email");
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
});

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

// Definitions whose words are all unlike each other: by them their parts are found again, wherever they are drawn.

const text = (words: string): Component => ({ type: "text", text: words });
const column = (words: string, width?: string): Component => ({
  type: "column",
  width,
  components: [text(words)],
});
const cells = (words: string, header: boolean): Component => ({
  type: "table-row",
  header,
  components: [
    { type: "table-cell", text: `${words} left` },
    { type: "table-cell", text: `${words} right` },
  ],
});

/** With unlike words each time: they are what is found again. */
const shared = (where: string): Component[] => [
  text(`${where} text`),
  text(`${where} 11.11.2011`),
  { type: "heading", text: `${where} heading` },
  { type: "heading", level: 4, text: `${where} small heading` },
  { type: "button", text: `${where} button`, href: "https://a.example" },
  text(`${where} after the button`),
  { type: "divider" },
  text(`${where} after the divider`),
  { type: "spacer", height: "20px" },
  {
    type: "list",
    components: [
      { type: "list-item", text: `${where} point` },
      { type: "list-item", text: `${where} next point` },
    ],
  },
  {
    type: "table",
    columns: [{ width: "60%" }, {}],
    components: [cells(`${where} head`, true), cells(`${where} body`, false)],
  },
  { type: "qrcode", value: "https://a.example" },
  text(`${where} end`),
];

const barcodes: Component[] = (
  [
    ["code128", "12345678", "Code"],
    ["code39", "12345678", "Code of letters"],
    ["ean13", "4006381333931", "EAN"],
    ["ean8", "73513537", "short EAN"],
    ["upca", "036000291452", "UPC"],
    ["itf14", "10012345678902", "ITF"],
    ["datamatrix", "12345678", "Data Matrix"],
    ["pdf417", "12345678", "PDF"],
  ] as const
).flatMap(([symbology, value, words]): Component[] => [
  { type: "barcode", symbology, value },
  text(`after ${words}`),
  { type: "barcode", symbology, value, height: "20mm" },
  text(`after a high ${words}`),
  { type: "barcode", symbology, value, showText: false },
  text(`after a bare ${words}`),
]);

const sample = { months: [{ name: "May", amount: 3 }] };
const schema: ProjectData["schema"] = [{ id: "root", fields: [] }];
/** A document with one of all that can stand in it. */
const onPaper: ProjectData = {
  schema,
  sample,
  components: [
    ...SIGN_FIELD_TYPES.flatMap((field): Component[] => [
      {
        type: "sign-field",
        field,
        name: `the ${field}`,
        submitter: "Client",
        ...(field === "select" && { options: ["Yes"] }),
      },
      text(`after the ${field}`),
    ]),
    ...shared("page"),
    {
      type: "columns",
      components: [column("even"), column("part", "30%"), column("mm", "50mm")],
    },
    {
      type: "chart",
      chart: "bar",
      data: "root.months",
      label: "name",
      series: [{ field: "amount" }],
    },
    text("after the chart"),
    ...barcodes,
  ],
};

/** The same of an email: in columns, in boxes, and by itself. */
const inEmail: ProjectData = {
  schema,
  sample: {},
  email: { subject: "Hello", width: 560 },
  components: [
    text("loose"),
    text("also loose"),
    {
      type: "section",
      components: [
        { type: "column", width: "60%", components: shared("wide") },
        { type: "column", components: shared("narrow") },
      ],
    },
    {
      type: "columns",
      gap: "40px",
      components: [column("even"), column("also even"), column("px", "100px")],
    },
    { type: "columns", components: [column("usual"), column("also usual")] },
    { type: "hero", background: "", components: [text("on the hero")] },
    {
      type: "container",
      style: { padding: "10px" },
      components: [text("padded")],
    },
    { type: "container", components: shared("box") },
    {
      type: "section",
      style: { padding: "10px" },
      components: [
        {
          type: "column",
          components: [
            { type: "container", components: shared("inner") },
            { type: "columns", components: [column("deep"), column("deeper")] },
          ],
        },
      ],
    },
    {
      type: "social",
      items: [
        { network: "github", href: "https://github.com" },
        { network: "x", href: "https://x.com" },
      ],
    },
    text("last"),
  ],
};

/** All that its texts say. */
function wordsIn(definition: ProjectData): string[] {
  const found = JSON.stringify(definition).matchAll(/"text":"([^"]+)"/g);
  return [...found].map(([, words = ""]) => words);
}

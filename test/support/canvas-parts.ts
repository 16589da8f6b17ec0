import {
  type Component,
  type ProjectData,
  SIGN_FIELD_TYPES,
} from "../../core/plugin-api/index.js";

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
export const onPaper: ProjectData = {
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
export const inEmail: ProjectData = {
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
export function wordsIn(definition: ProjectData): string[] {
  const found = JSON.stringify(definition).matchAll(/"text":"([^"]+)"/g);
  return [...found].map(([, words = ""]) => words);
}

import type { ComponentType } from "../../../../../../../core/plugin-api/definition.js";

/** What is written, and what people read. */
type Choice = readonly [value: string, words: string];

/** How a property of a component is changed; `custom` has a panel of its own. */
export type ContentControl = {
  property: string;
  label: string;
  hint?: string;
  /** It stays, empty; what is not required is taken away when it is emptied. */
  isRequired?: true;
} & (
  | { kind: "text" | "template" | "long-template" | "rich-text" }
  | { kind: "picture" | "color" | "custom" }
  /** `isOn`: so it is while nothing is said. */
  | { kind: "switch"; isOn?: boolean }
  | { kind: "size"; placeholder?: string; isRelative?: boolean }
  | { kind: "number"; min: number; max: number; placeholder?: string }
  | {
      kind: "select";
      none?: string;
      /** What holds while nothing is said. */
      usual?: string;
      /** What is written in the definition, where that is no text. */
      writes?: "number" | "boolean";
      options: readonly Choice[];
    }
);

const aligns: readonly Choice[] = [
  ["left", "Left"],
  ["center", "Centre"],
  ["right", "Right"],
];
const text: ContentControl = {
  property: "text",
  label: "Text",
  kind: "rich-text",
};
const link: ContentControl = {
  property: "href",
  label: "Link",
  kind: "template",
};
const levels = [1, 2, 3, 4, 5, 6].map((level): Choice => [
  String(level),
  `Level ${level}`,
]);

const contentControls: Readonly<
  Record<ComponentType, readonly ContentControl[]>
> = {
  // Words, and what bears them.
  heading: [
    text,
    {
      property: "level",
      label: "Size",
      kind: "select",
      usual: "1",
      writes: "number",
      options: levels,
    },
  ],
  text: [text],
  markdown: [
    {
      property: "value",
      label: "Markdown",
      kind: "long-template",
      isRequired: true,
      hint: "Choose a field that holds Markdown, or write it here.",
    },
  ],
  html: [
    {
      property: "value",
      label: "HTML",
      kind: "long-template",
      isRequired: true,
      hint: "Scripts and style sheets in it are taken out.",
    },
  ],
  list: [{ property: "ordered", label: "Numbers", kind: "switch" }],
  "list-item": [text],
  "table-cell": [
    text,
    {
      property: "align",
      label: "Align",
      kind: "select",
      none: "As the column",
      options: aligns,
    },
    {
      property: "colspan",
      label: "Columns",
      kind: "number",
      min: 1,
      max: 1000,
    },
    { property: "rowspan", label: "Rows", kind: "number", min: 1, max: 1000 },
  ],
  button: [text, { ...link, isRequired: true }],
  // What arranges other parts, and stretches of page.
  fragment: [],
  container: [],
  columns: [
    { property: "gap", label: "Gap", kind: "size", placeholder: "24px" },
  ],
  column: [
    {
      property: "width",
      label: "Width",
      kind: "size",
      isRelative: true,
      placeholder: "Shared",
    },
  ],
  divider: [],
  spacer: [
    {
      property: "height",
      label: "Height",
      kind: "size",
      isRelative: true,
      isRequired: true,
    },
  ],
  table: [{ property: "columns", label: "Columns", kind: "custom" }],
  "table-row": [
    {
      property: "header",
      label: "Header row",
      kind: "switch",
      hint: "At the top of the table, it is printed again on every page.",
    },
  ],
  section: [
    { property: "fullWidth", label: "Full width", kind: "switch" },
    { property: "background", label: "Background", kind: "color" },
  ],
  // Pictures, codes and charts.
  image: [
    { property: "src", label: "Picture", kind: "picture", isRequired: true },
    {
      property: "alt",
      label: "Description",
      kind: "template",
      hint: "Read aloud to those who cannot see it.",
    },
    {
      property: "width",
      label: "Width",
      kind: "size",
      isRelative: true,
      placeholder: "As usual",
    },
    {
      property: "height",
      label: "Height",
      kind: "size",
      isRelative: true,
      placeholder: "As usual",
    },
    {
      property: "fit",
      label: "Fill",
      kind: "select",
      none: "Stretch",
      options: [
        ["contain", "Show all of it"],
        ["cover", "Fill the box"],
      ],
    },
    link,
  ],
  qrcode: [
    {
      property: "value",
      label: "Contents",
      kind: "long-template",
      isRequired: true,
    },
    {
      property: "size",
      label: "Size",
      kind: "size",
      isRelative: true,
      placeholder: "28mm",
    },
    {
      property: "ecc",
      label: "Damage",
      kind: "select",
      none: "Usual (15 %)",
      hint: "How much of the code may be lost and it still reads.",
      options: [
        ["L", "Little (7 %)"],
        ["M", "Usual (15 %)"],
        ["Q", "Much (25 %)"],
        ["H", "Most (30 %)"],
      ],
    },
  ],
  barcode: [
    {
      property: "value",
      label: "Contents",
      kind: "template",
      isRequired: true,
    },
    {
      property: "symbology",
      label: "Kind",
      kind: "select",
      options: [
        ["code128", "Code 128"],
        ["code39", "Code 39"],
        ["ean13", "EAN-13"],
        ["ean8", "EAN-8"],
        ["upca", "UPC-A"],
        ["itf14", "ITF-14"],
        ["datamatrix", "Data Matrix"],
        ["pdf417", "PDF417"],
      ],
    },
    {
      property: "showText",
      label: "Text below",
      kind: "select",
      none: "As usual",
      writes: "boolean",
      options: [
        ["true", "Shown"],
        ["false", "Not shown"],
      ],
    },
    {
      property: "height",
      label: "Height",
      kind: "size",
      isRelative: true,
      placeholder: "As usual",
    },
  ],
  chart: [
    {
      property: "chart",
      label: "Kind",
      kind: "select",
      options: [
        ["bar", "Bars"],
        ["line", "Lines"],
        ["pie", "Pie"],
        ["doughnut", "Ring"],
      ],
    },
    { property: "data", label: "List", kind: "custom" },
    { property: "label", label: "Names", kind: "custom" },
    { property: "series", label: "Values", kind: "custom" },
    {
      property: "height",
      label: "Height",
      kind: "size",
      isRelative: true,
      placeholder: "As usual",
    },
  ],
  hero: [
    {
      property: "background",
      label: "Picture",
      kind: "picture",
      isRequired: true,
    },
  ],
  // What is for printed pages alone, or for emails.
  "page-break": [],
  "page-number": [
    {
      property: "format",
      label: "Words",
      kind: "text",
      hint: "{page} and {pages} stand for the numbers.",
    },
  ],
  "sign-field": [
    {
      property: "field",
      label: "Kind",
      kind: "select",
      options: [
        ["signature", "Signature"],
        ["initials", "Initials"],
        ["date", "Date"],
        ["text", "Text"],
        ["checkbox", "Checkbox"],
        ["select", "Choice"],
        ["number", "Number"],
        ["image", "Picture"],
        ["stamp", "Stamp"],
      ],
    },
    { property: "name", label: "Name", kind: "text", isRequired: true },
    {
      property: "submitter",
      label: "Who",
      kind: "template",
      isRequired: true,
      hint: "The role of the person, such as Client.",
    },
    { property: "required", label: "Must be filled in", kind: "switch" },
    {
      property: "width",
      label: "Width",
      kind: "size",
      isRelative: true,
      placeholder: "As usual",
    },
    {
      property: "height",
      label: "Height",
      kind: "size",
      isRelative: true,
      placeholder: "As usual",
    },
    { property: "options", label: "Choices", kind: "custom" },
  ],
  social: [{ property: "items", label: "Links", kind: "custom" }],
  preheader: [
    { property: "text", label: "Text", kind: "template", isRequired: true },
  ],
};

/** The properties that only this type has; components inside it are arranged on the page. */
export function controlsOf(type: ComponentType): readonly ContentControl[] {
  return contentControls[type];
}

import type { ComponentType } from "../../../../../../../core/plugin-api/definition.js";

type Choice = readonly [value: string, words: string];

/** How a property of a component is edited; `custom` properties have their own fields in the panel. */
export type ContentControl = {
  property: string;
  label: string;
  hint?: string;
  /** Kept when empty; other properties are removed. */
  isRequired?: true;
} & (
  | { kind: "text" | "template" | "long-template" | "rich-text" }
  | { kind: "picture" | "color" | "custom" }
  /** `isOn`: the default. */
  | { kind: "switch"; isOn?: boolean }
  | { kind: "size"; placeholder?: string; isRelative?: boolean }
  | { kind: "number"; min: number; max: number; placeholder?: string }
  | {
      kind: "select";
      none?: string;
      /** The default. */
      usual?: string;
      /** The type of the value, if it is not a string. */
      writes?: "number" | "boolean";
      options: readonly Choice[];
    }
);

const aligns: readonly Choice[] = [
  ["left", "Left"],
  ["center", "Center"],
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
  // Text.
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
      hint: "Scripts and style sheets are removed.",
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
      none: "Same as column",
      options: aligns,
    },
    {
      property: "colspan",
      label: "Column span",
      kind: "number",
      min: 1,
      max: 1000,
    },
    {
      property: "rowspan",
      label: "Row span",
      kind: "number",
      min: 1,
      max: 1000,
    },
  ],
  button: [text, { ...link, isRequired: true }],
  // Layout.
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
      hint: "Repeats on every page when it is at the top of the table.",
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
      hint: "Read aloud by screen readers.",
    },
    {
      property: "width",
      label: "Width",
      kind: "size",
      isRelative: true,
      placeholder: "Default",
    },
    {
      property: "height",
      label: "Height",
      kind: "size",
      isRelative: true,
      placeholder: "Default",
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
      label: "Error correction",
      kind: "select",
      none: "Medium (15%)",
      hint: "How much of the code can be damaged and still scan.",
      options: [
        ["L", "Low (7%)"],
        ["M", "Medium (15%)"],
        ["Q", "High (25%)"],
        ["H", "Highest (30%)"],
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
      none: "Default",
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
      placeholder: "Default",
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
      placeholder: "Default",
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
  // Only for printed pages or only for emails.
  "page-break": [],
  "page-number": [
    {
      property: "format",
      label: "Words",
      kind: "text",
      hint: "Use {page} and {pages} for the numbers.",
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
      label: "Signer role",
      kind: "template",
      isRequired: true,
      hint: "The signer's role, such as Client.",
    },
    { property: "required", label: "Required", kind: "switch" },
    {
      property: "width",
      label: "Width",
      kind: "size",
      isRelative: true,
      placeholder: "Default",
    },
    {
      property: "height",
      label: "Height",
      kind: "size",
      isRelative: true,
      placeholder: "Default",
    },
    { property: "options", label: "Choices", kind: "custom" },
  ],
  social: [{ property: "items", label: "Links", kind: "custom" }],
  preheader: [
    { property: "text", label: "Text", kind: "template", isRequired: true },
  ],
};

/** The properties that only this type has; components inside it are arranged on the page. */
export function getControls(type: ComponentType): readonly ContentControl[] {
  return contentControls[type];
}

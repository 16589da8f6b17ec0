import type {
  Choice,
  ContentControl,
  ContentControls,
} from "./content-control.js";

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

/** Words, and what bears them. */
export const textControls: ContentControls<
  | "heading"
  | "text"
  | "markdown"
  | "html"
  | "list"
  | "list-item"
  | "table-cell"
  | "button"
> = {
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
};

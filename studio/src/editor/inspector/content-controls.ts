import type { ComponentType } from "../../../../core/plugin-api/definition.js";
import type { Choice, Control } from "./control.js";
import { t } from "../../messages/index.js";

export const aligns = [
  ["left", t("common.left")],
  ["center", t("common.center")],
  ["right", t("common.right")],
] as const;
const text: Control = {
  property: "text",
  label: t("common.text"),
  kind: "rich-text",
};
const link: Control = {
  property: "href",
  label: t("common.link"),
  kind: "template",
};
const width: Control = {
  property: "width",
  label: t("common.width"),
  kind: "size",
  isRelative: true,
  placeholder: t("common.default"),
};
const height: Control = {
  ...width,
  property: "height",
  label: t("common.height"),
};
const levels = [1, 2, 3, 4, 5, 6].map((level): Choice => [
  String(level),
  t("content.levelLevel", { level }),
]);

const contentControls: Readonly<Record<ComponentType, readonly Control[]>> = {
  // Text.
  heading: [
    text,
    {
      property: "level",
      label: t("common.size"),
      kind: "select",
      initial: "1",
      writes: "number",
      options: levels,
    },
  ],
  text: [text],
  markdown: [
    {
      property: "value",
      label: t("components.markdown"),
      kind: "long-template",
      isRequired: true,
      hint: t("content.markdownHelp"),
    },
  ],
  html: [
    {
      property: "value",
      label: "HTML",
      kind: "long-template",
      isRequired: true,
      hint: t("content.htmlHelp"),
    },
  ],
  markup: [
    { property: "html", label: "HTML", kind: "code" },
    { property: "css", label: "CSS", kind: "code" },
    { property: "mjml", label: "MJML", kind: "code" },
  ],
  list: [{ property: "ordered", label: t("content.numbers"), kind: "switch" }],
  "list-item": [text],
  "table-cell": [
    text,
    {
      property: "align",
      label: t("content.align"),
      kind: "select",
      none: t("content.sameAsColumn"),
      options: aligns,
    },
    {
      property: "colspan",
      label: t("content.columnSpan"),
      placeholder: "1",
      kind: "number",
      min: 1,
      max: 1000,
    },
    {
      property: "rowspan",
      label: t("content.rowSpan"),
      placeholder: "1",
      kind: "number",
      min: 1,
      max: 1000,
    },
  ],
  button: [text, { ...link, isRequired: true }],
  // Layout.
  fragment: [],
  partial: [],
  container: [],
  columns: [
    {
      property: "gap",
      label: t("content.gap"),
      kind: "size",
      placeholder: "24px",
    },
  ],
  column: [{ ...width, placeholder: t("content.shared") }],
  divider: [],
  spacer: [
    {
      property: "height",
      label: t("common.height"),
      kind: "size",
      isRelative: true,
      isRequired: true,
    },
  ],
  table: [
    { property: "columns", label: t("components.columns"), kind: "custom" },
  ],
  "table-row": [
    {
      property: "header",
      label: t("content.headerRow"),
      kind: "switch",
      hint: t("content.headerRowHelp"),
    },
  ],
  section: [
    { property: "fullWidth", label: t("style.fullWidth"), kind: "switch" },
    { property: "background", label: t("style.background"), kind: "color" },
  ],
  // Images, codes and charts.
  image: [
    {
      property: "src",
      label: t("common.image"),
      kind: "image",
      isRequired: true,
    },
    {
      property: "alt",
      label: t("common.description"),
      kind: "template",
      hint: t("content.readAloudByScreenReaders"),
    },
    width,
    height,
    {
      property: "fit",
      label: t("content.scaling"),
      kind: "select",
      none: t("content.stretch"),
      options: [
        ["contain", t("content.fitInside")],
        ["cover", t("content.fillBox")],
      ],
    },
    link,
  ],
  qrcode: [
    {
      property: "value",
      label: t("common.contents"),
      kind: "long-template",
      isRequired: true,
    },
    {
      property: "size",
      label: t("common.size"),
      kind: "size",
      isRelative: true,
      placeholder: "28mm",
    },
    {
      property: "ecc",
      label: t("content.errorCorrection"),
      kind: "select",
      none: t("content.medium15"),
      hint: t("content.errorCorrectionHelp"),
      options: [
        ["L", t("content.low7")],
        ["M", t("content.medium15")],
        ["Q", t("content.high25")],
        ["H", t("content.highest30")],
      ],
    },
  ],
  barcode: [
    {
      property: "value",
      label: t("common.contents"),
      kind: "template",
      isRequired: true,
    },
    {
      property: "symbology",
      label: t("common.type"),
      kind: "select",
      options: [
        ["code128", "Code 128"],
        ["code39", "Code 39"],
        ["ean13", "EAN-13"],
        ["ean8", "EAN-8"],
        ["upca", "UPC-A"],
        ["itf14", "ITF-14"],
        ["gs1-128", "GS1-128"],
        ["datamatrix", "Data Matrix"],
        ["gs1datamatrix", "GS1 DataMatrix"],
        ["pdf417", "PDF417"],
      ],
    },
    {
      property: "showText",
      label: t("content.textBelow"),
      kind: "select",
      none: t("common.default"),
      writes: "boolean",
      options: [
        ["true", t("common.show")],
        ["false", t("common.hide")],
      ],
    },
    width,
    height,
  ],
  chart: [
    {
      property: "chart",
      label: t("common.type"),
      kind: "select",
      options: [
        ["bar", t("content.bar")],
        ["line", t("content.line")],
        ["pie", t("content.pie")],
        ["doughnut", t("content.donut")],
      ],
    },
    { property: "data", label: t("common.list"), kind: "custom" },
    { property: "label", label: t("content.names"), kind: "custom" },
    { property: "series", label: t("common.values"), kind: "custom" },
    height,
  ],
  hero: [
    {
      property: "background",
      label: t("common.image"),
      kind: "image",
      isRequired: true,
    },
  ],
  // Only for printed pages or only for emails.
  "page-break": [],
  "page-number": [
    {
      property: "format",
      label: t("common.text"),
      kind: "text",
      hint: t("content.usePageAndPagesFor"),
    },
  ],
  "sign-field": [
    {
      property: "field",
      label: t("common.type"),
      kind: "select",
      options: [
        ["signature", t("content.signature")],
        ["initials", t("content.initials")],
        ["date", t("common.date")],
        ["text", t("common.text")],
        ["checkbox", t("content.checkbox")],
        ["select", t("content.choice")],
        ["number", t("common.number")],
        ["image", t("common.image")],
        ["stamp", t("content.stamp")],
      ],
    },
    {
      property: "name",
      label: t("common.name"),
      kind: "template",
      isRequired: true,
      hint: t("content.signFieldName"),
    },
    {
      property: "submitter",
      label: t("content.signerRole"),
      kind: "template",
      isRequired: true,
      hint: t("content.signersRoleSuchAsClient"),
    },
    { property: "required", label: t("content.required"), kind: "switch" },
    width,
    height,
    { property: "options", label: t("content.choices"), kind: "custom" },
  ],
  social: [
    { property: "items", label: t("content.links"), kind: "custom" },
    { property: "size", label: t("common.size"), kind: "size", unit: "px" },
  ],
  preheader: [
    {
      property: "text",
      label: t("common.text"),
      kind: "template",
      isRequired: true,
    },
  ],
};

/**
 * The properties that only this type has, in this type of template or in any; components inside it are arranged on the
 * page.
 */
export function getControls(
  type: ComponentType,
  templateType?: "document" | "email",
): readonly Control[] {
  const controls = contentControls[type];
  if (type !== "markup" || templateType === undefined) return controls;
  const isEmail = templateType === "email";
  return controls.filter(({ property }) => (property === "mjml") === isEmail);
}

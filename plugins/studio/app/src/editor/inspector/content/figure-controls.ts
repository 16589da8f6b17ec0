import type { ContentControl, ContentControls } from "./content-control.js";

const link: ContentControl = {
  property: "href",
  label: "Link",
  kind: "template",
};

/** Pictures, codes and charts. */
export const figureControls: ContentControls<
  "image" | "qrcode" | "barcode" | "chart" | "hero"
> = {
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
};

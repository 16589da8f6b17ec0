import type {
  ComponentType,
  Component,
  ComponentOf,
} from "../../../../../../core/plugin-api/definition.js";
import type { IconName } from "../../ui/icon-paths.js";

type CatalogGroup =
  "Text" | "Layout" | "Media" | "Data" | "Codes and charts" | "Page" | "Email";

interface CatalogEntry {
  /** Its display name: "Table". */
  words: string;
  /** What it is for, in one line. */
  purpose: string;
  icon: IconName;
  /** Its group in the palette; null for components that only come with their parent. */
  group: CatalogGroup | null;
  /** Creates a new component with placeholder content and without ids. */
  make: () => Component;
}

export function getCatalogEntry(type: ComponentType): CatalogEntry {
  return catalog[type];
}

const cell = (text: string): ComponentOf<"table-cell"> => ({
  type: "table-cell",
  text,
});
const row = (...texts: string[]): ComponentOf<"table-row"> => ({
  type: "table-row",
  components: texts.map(cell),
});
const column = (): ComponentOf<"column"> => ({
  type: "column",
  components: [],
});

/** One entry for each component type. Its order is the order of the palette. */
const catalog: Readonly<Record<ComponentType, CatalogEntry>> = {
  heading: {
    words: "Heading",
    purpose: "A title, in six sizes",
    icon: "heading",
    group: "Text",
    make: () => ({ type: "heading", text: "Heading", level: 2 }),
  },
  text: {
    words: "Text",
    purpose: "A paragraph, with your data in it",
    icon: "text",
    group: "Text",
    make: () => ({ type: "text", text: "Text" }),
  },
  list: {
    words: "List",
    purpose: "Bullets or numbers",
    icon: "list",
    group: "Text",
    make: () => ({
      type: "list",
      components: [{ type: "list-item", text: "First point" }],
    }),
  },
  "list-item": {
    words: "List item",
    purpose: "One point of a list",
    icon: "list",
    group: null,
    make: () => ({ type: "list-item", text: "Point" }),
  },
  markdown: {
    words: "Markdown",
    purpose: "Formatted text from a field",
    icon: "markdown",
    group: "Text",
    make: () => ({ type: "markdown", value: "Some **bold** words" }),
  },
  html: {
    words: "HTML",
    purpose: "Markup from a field, made safe",
    icon: "code",
    group: "Text",
    make: () => ({ type: "html", value: "<p>HTML</p>" }),
  },
  container: {
    words: "Box",
    purpose: "Keeps things together, with a frame or color",
    icon: "box",
    group: "Layout",
    make: () => ({ type: "container", components: [] }),
  },
  columns: {
    words: "Columns",
    purpose: "Things side by side",
    icon: "columns",
    group: "Layout",
    make: () => ({ type: "columns", components: [column(), column()] }),
  },
  column: {
    words: "Column",
    purpose: "One of the columns",
    icon: "columns",
    group: null,
    make: column,
  },
  fragment: {
    words: "Group",
    purpose: "Repeats or hides several things at once",
    icon: "group",
    group: "Layout",
    make: () => ({ type: "fragment", components: [] }),
  },
  divider: {
    words: "Line",
    purpose: "A rule across the page",
    icon: "divider",
    group: "Layout",
    make: () => ({ type: "divider" }),
  },
  spacer: {
    words: "Space",
    purpose: "An empty stretch",
    icon: "spacer",
    group: "Layout",
    make: () => ({ type: "spacer", height: "8mm" }),
  },
  table: {
    words: "Table",
    purpose: "Rows and columns; a row can repeat",
    icon: "table",
    group: "Data",
    make: () => ({
      type: "table",
      components: [
        { ...row("Item", "Amount"), header: true },
        row("Text", "Text"),
      ],
    }),
  },
  "table-row": {
    words: "Row",
    purpose: "One row of a table",
    icon: "row",
    group: null,
    make: () => row("Text", "Text"),
  },
  "table-cell": {
    words: "Cell",
    purpose: "One cell of a row",
    icon: "cell",
    group: null,
    make: () => cell("Text"),
  },
  image: {
    words: "Picture",
    purpose: "A logo, a photo, a picture from your data",
    icon: "image",
    group: "Media",
    make: () => ({ type: "image", src: "", alt: "" }),
  },
  button: {
    words: "Button",
    purpose: "A link that looks like a button",
    icon: "button",
    group: "Media",
    make: () => ({ type: "button", text: "Open", href: "https://example.com" }),
  },
  qrcode: {
    words: "QR code",
    purpose: "For phones to scan",
    icon: "qrcode",
    group: "Codes and charts",
    make: () => ({
      type: "qrcode",
      value: "https://example.com",
      size: "28mm",
    }),
  },
  barcode: {
    words: "Barcode",
    purpose: "For goods, parcels and tickets",
    icon: "barcode",
    group: "Codes and charts",
    make: () => ({ type: "barcode", value: "12345678", symbology: "code128" }),
  },
  chart: {
    words: "Chart",
    purpose: "Bars, lines or a pie from a list",
    icon: "chart",
    group: "Codes and charts",
    make: () => ({
      type: "chart",
      chart: "bar",
      data: "root",
      label: "name",
      series: [{ field: "value" }],
      height: "60mm",
    }),
  },
  "page-break": {
    words: "Page break",
    purpose: "Goes on with a new page",
    icon: "break",
    group: "Page",
    make: () => ({ type: "page-break" }),
  },
  "page-number": {
    words: "Page number",
    purpose: "In headers and footers",
    icon: "number",
    group: "Page",
    make: () => ({ type: "page-number", format: "Page {page} of {pages}" }),
  },
  "sign-field": {
    words: "Signature field",
    purpose: "Where someone signs or fills in",
    icon: "sign",
    group: "Page",
    make: () => ({
      type: "sign-field",
      field: "signature",
      name: "signature",
      submitter: "Signer",
      required: true,
    }),
  },
  section: {
    words: "Section",
    purpose: "A band across the email, with columns",
    icon: "section",
    group: "Email",
    make: () => ({
      type: "section",
      components: [{ type: "column", components: [] }],
    }),
  },
  hero: {
    words: "Hero",
    purpose: "A large picture with words on it",
    icon: "hero",
    group: "Email",
    make: () => ({ type: "hero", background: "", components: [] }),
  },
  social: {
    words: "Social links",
    purpose: "Icons that lead to your pages",
    icon: "social",
    group: "Email",
    make: () => ({
      type: "social",
      items: [{ network: "linkedin", href: "https://www.linkedin.com" }],
    }),
  },
  preheader: {
    words: "Preheader",
    purpose: "What inboxes show beside the subject",
    icon: "mail",
    group: "Email",
    make: () => ({ type: "preheader", text: "Preview text" }),
  },
};

// The keys of a record are those of its type.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const COMPONENT_TYPES = Object.keys(catalog) as ComponentType[];

import type {
  ComponentType,
  Component,
  ComponentOf,
} from "../../../../core/plugin-api/definition.js";
import type { IconName } from "../../ui/icon-paths.js";
import { t } from "../../messages/index.js";

/** The groups of the palette by name, in their order. */
const groups = {
  text: t("common.text"),
  layout: t("components.groupLayout"),
  media: t("components.groupMedia"),
  data: t("common.data"),
  codes: t("components.groupCodes"),
  page: t("common.page"),
  email: t("common.email"),
};

interface CatalogEntry {
  /** Its display name: "Table". */
  words: string;
  /** What it is for, in one line. */
  purpose: string;
  icon: IconName;
  /** Its group in the palette; null for components that only come with their parent. */
  group: string | null;
  /** Creates a new component without ids. Its texts are empty: the page shows placeholders that are not saved. */
  make: (templateType?: "document" | "email") => Component;
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

/** In the order of the palette. */
const catalog: Readonly<Record<ComponentType, CatalogEntry>> = {
  heading: {
    words: t("components.heading"),
    purpose: t("components.headingPurpose"),
    icon: "heading",
    group: groups.text,
    make: () => ({ type: "heading", text: "", level: 2 }),
  },
  text: {
    words: t("common.text"),
    purpose: t("components.textPurpose"),
    icon: "text",
    group: groups.text,
    make: () => ({ type: "text", text: "" }),
  },
  list: {
    words: t("common.list"),
    purpose: t("components.listPurpose"),
    icon: "list",
    group: groups.text,
    make: () => ({
      type: "list",
      components: [{ type: "list-item", text: "" }],
    }),
  },
  "list-item": {
    words: t("components.listItem"),
    purpose: t("components.listItemPurpose"),
    icon: "list",
    group: null,
    make: () => ({ type: "list-item", text: "" }),
  },
  markdown: {
    words: t("components.markdown"),
    purpose: t("components.markdownPurpose"),
    icon: "markdown",
    group: groups.text,
    make: () => ({ type: "markdown", value: t("components.someBoldWords") }),
  },
  html: {
    words: "HTML",
    purpose: t("components.htmlPurpose"),
    icon: "code",
    group: groups.text,
    make: () => ({ type: "html", value: "<p>HTML</p>" }),
  },
  markup: {
    words: t("components.htmlTemplate"),
    purpose: t("components.htmlTemplatePurpose"),
    icon: "code",
    group: groups.layout,
    make: (templateType) =>
      templateType === "email"
        ? {
            type: "markup",
            mjml: "<mj-text>\n  <p>MJML</p>\n</mj-text>\n",
          }
        : {
            type: "markup",
            html: '<section class="card">\n  <h2>HTML</h2>\n</section>\n',
            css: ".card {\n  display: grid;\n}\n",
          },
  },
  container: {
    words: t("components.box"),
    purpose: t("components.boxPurpose"),
    icon: "box",
    group: groups.layout,
    make: () => ({ type: "container", components: [] }),
  },
  columns: {
    words: t("components.columns"),
    purpose: t("components.columnsPurpose"),
    icon: "columns",
    group: groups.layout,
    make: () => ({ type: "columns", components: [column(), column()] }),
  },
  column: {
    words: t("components.column"),
    purpose: t("components.columnPurpose"),
    icon: "columns",
    group: null,
    make: column,
  },
  fragment: {
    words: t("components.group"),
    purpose: t("components.groupPurpose"),
    icon: "group",
    group: groups.layout,
    make: () => ({ type: "fragment", components: [] }),
  },
  partial: {
    words: t("blocks.block"),
    purpose: t("blocks.blockPurpose"),
    icon: "block",
    group: null,
    make: () => ({ type: "partial", name: "" }),
  },
  divider: {
    words: t("components.line"),
    purpose: t("components.linePurpose"),
    icon: "divider",
    group: groups.layout,
    make: () => ({ type: "divider" }),
  },
  spacer: {
    words: t("components.space"),
    purpose: t("components.spacePurpose"),
    icon: "spacer",
    group: groups.layout,
    make: () => ({ type: "spacer", height: "8mm" }),
  },
  table: {
    words: t("common.table"),
    purpose: t("components.tablePurpose"),
    icon: "table",
    group: groups.data,
    make: () => ({
      type: "table",
      components: [
        { ...row(t("components.item"), t("common.amount")), header: true },
        row("", ""),
      ],
    }),
  },
  "table-row": {
    words: t("components.row"),
    purpose: t("components.rowPurpose"),
    icon: "row",
    group: null,
    make: () => row("", ""),
  },
  "table-cell": {
    words: t("components.cell"),
    purpose: t("components.cellPurpose"),
    icon: "cell",
    group: null,
    make: () => cell(""),
  },
  image: {
    words: t("common.image"),
    purpose: t("components.imagePurpose"),
    icon: "image",
    group: groups.media,
    make: () => ({ type: "image", src: "", alt: "" }),
  },
  button: {
    words: t("common.button"),
    purpose: t("components.buttonPurpose"),
    icon: "button",
    group: groups.media,
    make: () => ({
      type: "button",
      text: t("common.open"),
      href: "https://example.com",
    }),
  },
  qrcode: {
    words: t("components.qrCode"),
    purpose: t("components.qrCodePurpose"),
    icon: "qrcode",
    group: groups.codes,
    make: () => ({
      type: "qrcode",
      value: "https://example.com",
      size: "28mm",
    }),
  },
  barcode: {
    words: t("components.barcode"),
    purpose: t("components.barcodePurpose"),
    icon: "barcode",
    group: groups.codes,
    make: () => ({ type: "barcode", value: "12345678", symbology: "code128" }),
  },
  chart: {
    words: t("components.chart"),
    purpose: t("components.chartPurpose"),
    icon: "chart",
    group: groups.codes,
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
    words: t("components.pageBreak"),
    purpose: t("components.pageBreakPurpose"),
    icon: "break",
    group: groups.page,
    make: () => ({ type: "page-break" }),
  },
  "page-number": {
    words: t("components.pageNumber"),
    purpose: t("components.pageNumberPurpose"),
    icon: "number",
    group: groups.page,
    make: () => ({
      type: "page-number",
      format: t("components.pagePageOfPages"),
    }),
  },
  "sign-field": {
    words: t("components.signatureField"),
    purpose: t("components.signatureFieldPurpose"),
    icon: "sign",
    group: groups.page,
    make: () => ({
      type: "sign-field",
      field: "signature",
      name: "signature",
      submitter: t("components.signer"),
      required: true,
    }),
  },
  section: {
    words: t("components.section"),
    purpose: t("components.sectionPurpose"),
    icon: "section",
    group: groups.email,
    make: () => ({
      type: "section",
      components: [{ type: "column", components: [] }],
    }),
  },
  hero: {
    words: t("components.hero"),
    purpose: t("components.heroPurpose"),
    icon: "hero",
    group: groups.email,
    make: () => ({ type: "hero", background: "", components: [] }),
  },
  social: {
    words: t("components.socialLinks"),
    purpose: t("components.socialLinksPurpose"),
    icon: "social",
    group: groups.email,
    make: () => ({
      type: "social",
      items: [{ network: "linkedin", href: "https://example.com" }],
    }),
  },
  preheader: {
    words: t("components.preheader"),
    purpose: t("components.preheaderPurpose"),
    icon: "mail",
    group: groups.email,
    make: () => ({ type: "preheader", text: "" }),
  },
};

// The keys of a record are those of its type.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const COMPONENT_TYPES = Object.keys(catalog) as ComponentType[];

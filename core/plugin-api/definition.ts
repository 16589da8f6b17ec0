// The definition of a template as plain types, for apps such as the studio. The schemas that validate definitions are
// checked to infer exactly these types.

export interface EmailSetup {
  subject: string;
  preheader?: string | undefined;
  /** In pixels, 200 to 1200. */
  width?: number | undefined;
  background?: string | undefined;
}

/** Metadata and attachments of a PDF; all texts are Templates. */
export interface PdfSetup {
  tagged?: boolean | undefined;
  outline?: boolean | undefined;
  title?: string | undefined;
  author?: string | undefined;
  subject?: string | undefined;
  keywords?: string[] | undefined;
  before?: { asset: string }[] | undefined;
  after?: { asset: string }[] | undefined;
}

/** A definition, version 1. Extensions (`x-*`) are kept unchanged. */
export interface ProjectData {
  schemaVersion?: 1 | undefined;
  /** The first collection is the record. */
  schema: DataCollection[];
  components: Component[];
  page?: PageSetup | undefined;
  pdf?: PdfSetup | undefined;
  email?: EmailSetup | undefined;
  locale?: string | undefined;
  currency?: string | undefined;
  timeZone?: string | undefined;
  styles?: Record<string, Style> | undefined;
  fileName?: string | undefined;
  sample?: Json | undefined;
  [extension: `x-${string}`]: Json;
}

// The components. A Template is text that can contain `{{ expression | filter }}`.

/** CSS properties from an allow-list; each value is a Template. */
export type Style = { [Property in StyleProperty]?: string };

export type SimpleMark = "bold" | "italic" | "underline" | "strike";
export type Mark = SimpleMark | { link: string } | { style: Style };

export type Inline =
  | string
  | { text: string; marks?: Mark[] | undefined }
  | { br: true }
  | { pageNumber: "page" | "pages" };

/** A Template, or inline nodes for text with marks. */
export type Text = string | Inline[];

/** When a component is shown, and what is shown otherwise. */
export interface Condition extends Logic {
  else?: Component[] | undefined;
}

/** Repeats a component for each element of a list. */
export interface Collection extends Repeat {
  empty?: Component[] | undefined;
}

/** Properties that every component can have. */
export interface ComponentBase {
  /** Unique in the definition; assigned when it is saved. */
  id?: string | undefined;
  /** Names of styles, separated by spaces. */
  class?: string | undefined;
  style?: Style | undefined;
  condition?: Condition | undefined;
  collection?: Collection | undefined;
  /** True: not split across pages. */
  keepTogether?: boolean | undefined;
}

interface Leaf<T extends string> extends ComponentBase {
  type: T;
}

interface Parent<T extends string> extends Leaf<T> {
  components: Component[];
}

interface Columns extends Parent<"columns"> {
  gap?: string | undefined;
}

interface Column extends Parent<"column"> {
  width?: string | undefined;
}

interface Heading extends Leaf<"heading"> {
  text: Text;
  /** 1 to 6; default 1. */
  level?: number | undefined;
}

interface TextBlock extends Leaf<"text"> {
  text: Text;
}

interface Markup<T extends "markdown" | "html"> extends Leaf<T> {
  value: string;
}

interface List extends Parent<"list"> {
  ordered?: boolean | undefined;
}

interface ListItem extends Leaf<"list-item"> {
  text?: Text | undefined;
  components?: Component[] | undefined;
}

interface Image extends Leaf<"image"> {
  src: string;
  alt?: string | undefined;
  width?: string | undefined;
  height?: string | undefined;
  fit?: "contain" | "cover" | undefined;
  href?: string | undefined;
}

interface Button extends Leaf<"button"> {
  text: Text;
  href: string;
}

interface Spacer extends Leaf<"spacer"> {
  height: string;
}

export type Align = "left" | "center" | "right";

interface Table extends Parent<"table"> {
  columns?:
    { width?: string | undefined; align?: Align | undefined }[] | undefined;
}

interface TableRow extends Parent<"table-row"> {
  header?: boolean | undefined;
}

interface TableCell extends Leaf<"table-cell"> {
  text?: Text | undefined;
  components?: Component[] | undefined;
  colspan?: number | undefined;
  rowspan?: number | undefined;
  align?: Align | undefined;
}

interface QrCode extends Leaf<"qrcode"> {
  value: string;
  size?: string | undefined;
  ecc?: "L" | "M" | "Q" | "H" | undefined;
}

interface Barcode extends Leaf<"barcode"> {
  value: string;
  symbology:
    | "code128"
    | "code39"
    | "ean13"
    | "ean8"
    | "upca"
    | "itf14"
    | "datamatrix"
    | "pdf417";
  showText?: boolean | undefined;
  height?: string | undefined;
}

export interface ChartSeries {
  /** An expression. */
  field: string;
  label?: string | undefined;
  color?: string | undefined;
  aggregate?: "SUM" | "COUNT" | "AVG" | undefined;
}

interface Chart extends Leaf<"chart"> {
  chart: "bar" | "line" | "pie" | "doughnut";
  /** The path of a list. */
  data: string;
  /** An expression over `item`. */
  label: string;
  series: ChartSeries[];
  height?: string | undefined;
}

interface PageNumber extends Leaf<"page-number"> {
  /** Can contain `{page}` and `{pages}`. */
  format?: string | undefined;
}

interface SignField extends Leaf<"sign-field"> {
  field: SignFieldType;
  name: string;
  submitter: string;
  required?: boolean | undefined;
  width?: string | undefined;
  height?: string | undefined;
  options?: string[] | undefined;
}

interface Section extends Parent<"section"> {
  fullWidth?: boolean | undefined;
  background?: string | undefined;
}

interface Hero extends Parent<"hero"> {
  /** The URL of an image. */
  background: string;
}

interface Social extends Leaf<"social"> {
  items: { network: string; href: string }[];
}

interface Preheader extends Leaf<"preheader"> {
  text: string;
}

export type Component =
  | Parent<"fragment">
  | Parent<"container">
  | Columns
  | Column
  | Heading
  | TextBlock
  | Markup<"markdown">
  | Markup<"html">
  | List
  | ListItem
  | Image
  | Button
  | Leaf<"divider">
  | Spacer
  | Table
  | TableRow
  | TableCell
  | QrCode
  | Barcode
  | Chart
  | Leaf<"page-break">
  | PageNumber
  | SignField
  | Section
  | Hero
  | Social
  | Preheader;

export type ComponentType = Component["type"];
export type ComponentOf<T extends ComponentType> = Extract<
  Component,
  { type: T }
>;

// The data: collections, links, and the rules by which components repeat and hide.

/** Any JSON value. */
export type Json =
  string | number | boolean | null | Json[] | { [key: string]: Json };

interface FieldBase {
  name: string;
  label?: string | undefined;
  source?: string | undefined;
  sample?: Json | undefined;
  required?: boolean | undefined;
}

interface ValueField<T extends string> extends FieldBase {
  type: T;
}

interface NumberField extends ValueField<"Number"> {
  allowNumericStrings?: boolean | undefined;
}

interface LinkField<T extends string> extends FieldBase {
  type: T;
  /** The id of the linked collection. */
  target: string;
}

export type Field =
  | ValueField<"Autogenerated">
  | ValueField<"String">
  | ValueField<"Date">
  | NumberField
  | LinkField<"OneToOneLink">
  | LinkField<"OneToManyLink">;

export type FieldType = Field["type"];

/** A signer; all properties except `order` are Templates. */
export interface DefinedSubmitter {
  role: string;
  email: string;
  name?: string | undefined;
  order?: number | undefined;
  values?: Record<string, string> | undefined;
}

/** Signers from a list in the data; all properties except the path are Templates. */
export interface SubmitterMapping {
  collection: string;
  role: string;
  email: string;
  name?: string | undefined;
  order?: string | undefined;
}

export interface Connection {
  platform?: string | undefined;
  connectionId?: string | undefined;
  baseId?: string | undefined;
  tableId?: string | undefined;
  esignConnection?: string | undefined;
  expiresInDays?: number | undefined;
  message?:
    { subject?: string | undefined; body?: string | undefined } | undefined;
  submitters?: DefinedSubmitter[] | SubmitterMapping | undefined;
}

export interface DataCollection {
  id: string;
  label?: string | undefined;
  fields: Field[];
  source?: { tableId: string } | undefined;
  connection?: Connection | undefined;
}

export type ValueType = "Number" | "String" | "Date";

export type Operator =
  | "="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "contains"
  | "doesNotContain"
  | "beginsWith"
  | "doesNotBeginWith"
  | "endsWith"
  | "doesNotEndWith"
  | "in"
  | "notIn"
  | "between"
  | "notBetween"
  | "null"
  | "notNull"
  | "empty"
  | "notEmpty";

/** Compares an expression with a value or another expression. */
export interface Rule {
  field: string;
  operator: Operator;
  value?: Json | undefined;
  valueSource?: "value" | "field" | undefined;
  type?: ValueType | undefined;
}

/** Rules, all or any of which must be true. */
export interface Logic {
  combinator: "and" | "or";
  not?: boolean | undefined;
  rules: (Rule | Logic)[];
}

export interface SortRule {
  field: string;
  direction: "ASC" | "DESC";
  type: ValueType;
}

export interface GroupBy {
  field: string;
  direction?: "ASC" | "DESC" | undefined;
  type?: ValueType | undefined;
}

/** A collection without its `empty` branch. */
export interface Repeat {
  collectionId: string;
  path: string;
  filter?: Logic | undefined;
  sort?: SortRule[] | undefined;
  groupBy?: GroupBy | undefined;
  offset?: number | undefined;
  limit?: number | undefined;
}

// The page of a document template, and what is printed on every page. Lengths have a unit: `12mm`.

export type PageSize =
  "A4" | "A3" | "A5" | "Letter" | "Legal" | "Tabloid" | "Custom";

/** One length for all sides, or one per side; sides that are left out keep their default. */
export type Margin =
  | string
  | {
      top?: string | undefined;
      right?: string | undefined;
      bottom?: string | undefined;
      left?: string | undefined;
    };

/** A header or footer: its components and its minimum height. */
export type Band =
  Component[] | { components: Component[]; height?: string | undefined };

/** A color, or an object. */
export type Background =
  | string
  | {
      color?: string | undefined;
      /** The URL of an image. */
      image?: string | undefined;
      fit?: "contain" | "cover" | "fill" | undefined;
    };

/** A text, or an object. */
export type Watermark =
  | string
  | {
      text?: string | undefined;
      /** The URL of an image. */
      image?: string | undefined;
      color?: string | undefined;
      /** 0 to 1. */
      opacity?: number | undefined;
      /** In degrees. */
      angle?: number | undefined;
      fontSize?: string | undefined;
    };

export interface PageSetup {
  size?: PageSize | undefined;
  /** For the size `Custom`. */
  width?: string | undefined;
  height?: string | undefined;
  landscape?: boolean | undefined;
  margin?: Margin | undefined;
  header?: Band | undefined;
  footer?: Band | undefined;
  firstHeader?: Band | undefined;
  firstFooter?: Band | undefined;
  background?: Background | undefined;
  watermark?: Watermark | undefined;
}

/** The CSS properties that `style` can use: for layout and appearance, without positioning and loading of resources. */
export const STYLE_PROPERTIES = [
  "align-content",
  "align-items",
  "align-self",
  "aspect-ratio",
  "background",
  "background-color",
  "border",
  "border-bottom",
  "border-bottom-color",
  "border-bottom-left-radius",
  "border-bottom-right-radius",
  "border-bottom-style",
  "border-bottom-width",
  "border-collapse",
  "border-color",
  "border-left",
  "border-left-color",
  "border-left-style",
  "border-left-width",
  "border-radius",
  "border-right",
  "border-right-color",
  "border-right-style",
  "border-right-width",
  "border-spacing",
  "border-style",
  "border-top",
  "border-top-color",
  "border-top-left-radius",
  "border-top-right-radius",
  "border-top-style",
  "border-top-width",
  "border-width",
  "box-shadow",
  "box-sizing",
  "break-after",
  "break-before",
  "break-inside",
  "color",
  "column-count",
  "column-gap",
  "column-rule",
  "direction",
  "display",
  "flex",
  "flex-basis",
  "flex-direction",
  "flex-grow",
  "flex-shrink",
  "flex-wrap",
  "float",
  "clear",
  "font",
  "font-family",
  "font-feature-settings",
  "font-size",
  "font-style",
  "font-variant",
  "font-variant-caps",
  "font-variant-numeric",
  "font-weight",
  "gap",
  "grid-column",
  "grid-row",
  "grid-template-columns",
  "grid-template-rows",
  "height",
  "hyphens",
  "justify-content",
  "justify-items",
  "justify-self",
  "letter-spacing",
  "line-height",
  "list-style-position",
  "list-style-type",
  "margin",
  "margin-bottom",
  "margin-left",
  "margin-right",
  "margin-top",
  "max-height",
  "max-width",
  "min-height",
  "min-width",
  "object-fit",
  "object-position",
  "opacity",
  "order",
  "orphans",
  "outline",
  "overflow",
  "overflow-wrap",
  "padding",
  "padding-bottom",
  "padding-left",
  "padding-right",
  "padding-top",
  "row-gap",
  "table-layout",
  "text-align",
  "text-decoration",
  "text-decoration-color",
  "text-decoration-style",
  "text-decoration-thickness",
  "text-indent",
  "text-overflow",
  "text-shadow",
  "text-transform",
  "text-underline-offset",
  "text-wrap",
  "transform",
  "transform-origin",
  "unicode-bidi",
  "vertical-align",
  "visibility",
  "white-space",
  "widows",
  "width",
  "word-break",
  "word-spacing",
  "writing-mode",
] as const;

export type StyleProperty = (typeof STYLE_PROPERTIES)[number];

/** The types of fields that a signer fills in. */
export const SIGN_FIELD_TYPES = [
  "signature",
  "initials",
  "date",
  "text",
  "checkbox",
  "select",
  "number",
  "image",
  "stamp",
] as const;
export type SignFieldType = (typeof SIGN_FIELD_TYPES)[number];

import type { Logic, Repeat } from "./definition-data.js";
import type { SignFieldType } from "./sign-field-type.js";
import type { StyleProperty } from "./style-properties.js";

// What a definition shows. A Template is text with `{{ expression | filter }}` in it.

/** Kebab-case CSS from an allow-list; each value is a Template. */
export type Style = { [Property in StyleProperty]?: string };

export type SimpleMark = "bold" | "italic" | "underline" | "strike";
export type Mark = SimpleMark | { link: string } | { style: Style };

export type Inline =
  | string
  | { text: string; marks?: Mark[] | undefined }
  | { br: true }
  | { pageNumber: "page" | "pages" };

/** A Template, or a list of inline nodes where parts of it are marked. */
export type Text = string | Inline[];

/** Whether a component is shown, and what else is shown in its stead. */
export interface Condition extends Logic {
  else?: Component[] | undefined;
}

/** Repeats a component for each element of a list. */
export interface Collection extends Repeat {
  empty?: Component[] | undefined;
}

/** What every component may have. */
export interface ComponentBase {
  /** Given when the definition is saved; unique in it. */
  id?: string | undefined;
  /** Names of styles, with spaces between. */
  class?: string | undefined;
  style?: Style | undefined;
  condition?: Condition | undefined;
  collection?: Collection | undefined;
  /** True: not split over two pages. */
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
  /** 1 to 6; 1 when absent. */
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
  /** The path of the list that it draws. */
  data: string;
  /** An expression over `item`. */
  label: string;
  series: ChartSeries[];
  height?: string | undefined;
}

interface PageNumber extends Leaf<"page-number"> {
  /** With `{page}` and `{pages}` in it. */
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
  /** The address of a picture. */
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

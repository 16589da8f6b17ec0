import type { KeyPath, SampleProblem } from "../definition/views.js";
import type {
  ComponentOf,
  ComponentType,
  Operator,
  StyleProperty,
} from "../plugin-api/definition.js";
import type { Problem } from "../plugin-api/errors.js";

// What the studio shows of this capability: types and lists alone, since its pages import this file.

export interface RepeatAnalysis {
  /** The number of elements in the list. */
  total: number;
  /** How many of them match the filter. */
  passing: number;
  /** The number of groups; null without grouping. */
  groups: number | null;
  /** The first one shown: an element, or a group as `{ key, items }`; null when none is shown. */
  first: unknown;
}

/** What a scope of the sample prints, by the id of the component; those that cannot be evaluated are missing. */
export interface SampleRow {
  /** The keys of the element in the sample, as in `SampleProblem`; null for none, such as a group. */
  place: KeyPath | null;
  /** Whether its condition is true. */
  conditions: Record<string, boolean>;
  /** The output of each expression in its Templates, by the trimmed text between the braces. */
  values: Record<string, Record<string, string>>;
  /** The printed HTML of Markdown and HTML, by the Template of the component, or by an expression in its text. */
  markup: Record<string, Record<string, string>>;
  /** The SVG of charts and codes, in the first elements of a long list; missing where nothing is printed. */
  drawings: Record<string, string>;
  /** How often its collection is printed. */
  counts: Record<string, number>;
  /** What its collection prints after its first element; of a long list the first ones. */
  rows: Record<string, readonly SampleRow[]>;
}

/** The evaluation of a definition with its own sample. Inside a repeat, for the first element shown. */
export interface DraftAnalysis extends SampleRow {
  problems: readonly Problem[];
  /** What also keeps the draft of a template from being published; empty for an invalid definition. */
  unfinished: readonly Problem[];
  warnings: readonly Problem[];
  /** By the id of the component; those that cannot be evaluated are missing. */
  repeats: Record<string, RepeatAnalysis>;
  /** At most 100; empty values are last. */
  sampleProblems: readonly SampleProblem[];
  /** The rules that the sample breaks as an electronic invoice; null without one, or for an invalid definition. */
  einvoiceProblems: readonly EinvoiceTermProblem[] | null;
}

/** A rule that the sample breaks as an electronic invoice. */
export interface EinvoiceTermProblem extends Problem {
  /** The place of its term in the map: `buyerCountryCode`, `lines.itemName`. */
  term: string;
  /** What the term should have: a code of two letters such as DE. */
  expected?: string;
}

/** One function or filter of the expression language. */
export interface ExpressionFunction {
  name: string;
  /** The syntax, with its arguments. */
  usage: string;
  description: string;
  /** An expression; `result` is its output in English. */
  example: string;
  result: string;
}

/** A font face, as it is printed. */
export interface DesignFont {
  family: string;
  /** In CSS syntax: `400`, or `100 900` for a variable font. */
  weight: string;
  style: "normal" | "italic";
  /** A file of the route `fonts/:file` for shipped fonts; the URL of the organization's own fonts. */
  source: { file: string } | { url: string };
}

/** What an editor needs to know about definitions. */
export interface EditorDesign {
  /** The default style sheet of documents. */
  pageStyle: string;
  /** The inline styles of an email's elements, as a style sheet. */
  emailStyle: string;
  defaults: DesignDefaults;
  jsonSchema: unknown;
  /** Parents that accept only these children. */
  allowedChildren: Partial<Record<ComponentType, readonly ComponentType[]>>;
  /** Children that only these parents accept. */
  requiredParents: Partial<Record<ComponentType, readonly ComponentType[]>>;
  topLevel: readonly ComponentType[];
  /** Components for headers and footers only; `bodyOnly` are those that they do not accept. */
  bandOnly: readonly ComponentType[];
  bodyOnly: readonly ComponentType[];
  documentOnly: readonly ComponentType[];
  emailOnly: readonly ComponentType[];
  styleProperties: readonly StyleProperty[];
  operators: readonly Operator[];
  filters: readonly ExpressionFunction[];
  functions: readonly ExpressionFunction[];
  /** Shipped fonts, then the organization's own. */
  fontFamilies: readonly string[];
  fonts: readonly DesignFont[];
  /** By a name such as `serif` or `Arial`: the shipped family that is printed instead. */
  fontAliases: Record<string, string>;
}

/** What is used where a definition sets nothing. Lengths are CSS lengths, unless a property says otherwise. */
export interface DesignDefaults {
  columnGap: string;
  pageNumber: string;
  signFields: Readonly<
    Record<ComponentOf<"sign-field">["field"], DesignSignField>
  >;
  qrcodeSize: string;
  barcodes: Readonly<
    Record<ComponentOf<"barcode">["symbology"], DesignBarcode>
  >;
  chartHeight: string;
  email: DesignEmail;
}

export interface DesignSignField {
  width: string;
  height: string;
  /** Null for the name of the field. */
  caption: string | null;
}

/** The size of a barcode with a typical value, in mm. */
export interface DesignBarcode {
  width: number;
  height: number;
}

/** The layout of emails; numbers are CSS px. */
export interface DesignEmail {
  width: number;
  /** The width of the background that is visible on each side. */
  ground: number;
  /** The padding of the implicit section around components outside of sections. */
  sectionPadding: string;
  /** The padding around content in a column. */
  inset: Readonly<{ sides: number; bottom: number }>;
  heroPadding: string;
  /** The minimum height of a hero, as a fraction of its width. */
  heroShare: number;
  /** Social networks by their lower-case name: how they write it, and their glyph, a path in a square of 24 units. */
  networks: Readonly<Record<string, { name: string; path: string }>>;
  /** Other names of these networks, such as `web`. */
  networkAliases: Readonly<Record<string, string>>;
  /** The glyph of unknown networks. */
  linkPath: string;
  /** The size of social icons and the color of their circles. */
  iconSize: string;
  iconColor: string;
}

import type { KeyPath } from "./app-plugin.js";
import type {
  ComponentType,
  Operator,
  StyleProperty,
  ComponentOf,
} from "./definition.js";
import type { Problem } from "./errors.js";

// What an editor needs beyond the public API. A template has one draft, which all its editors share; publishing the
// draft redefines the template. Times are ISO 8601.

/** The published state of a template at some time. The definition has changed only if `hash` differs. */
export interface PublishedState {
  hash: string;
  updatedAt: string;
  version: number;
}

/** Who changed something, and through what. */
export interface ChangeAuthor {
  userId: string | null;
  /** Null for the operator of the machine and for the service. */
  name: string | null;
  origin: "cli" | "rest" | "mcp" | "studio" | "service";
}

export interface DraftView {
  templateId: string;
  name: string;
  templateType: "document" | "email";
  folderId: string | null;
  /** The draft's definition, or the published one without a draft. */
  definition: unknown;
  /** Must be sent with the next change. Every save, discard and publication increases it. */
  revision: number;
  /** Null without a stored draft. */
  savedAt: string | null;
  /** The name of the person who saved it last. */
  savedBy: string | null;
  savedById: string | null;
  /** The published state that the draft started from or was last merged with. */
  base: PublishedState & { definition: unknown };
  /** The current published state. Its definition is null when it equals that of `base`. */
  published: PublishedState & { definition: unknown };
  /** Who published what `base` does not contain; null when it contains everything, or nobody knows. */
  publishedBy: ChangeAuthor | null;
  /** Whether the draft differs from the published definition. */
  isChanged: boolean;
  /** A trashed template cannot be rendered, but its draft can be edited. */
  isTrashed: boolean;
}

/** Tells an open editor whether another person has saved or published. */
export interface DraftStatus extends Pick<
  DraftView,
  "revision" | "savedAt" | "savedBy" | "savedById" | "isTrashed"
> {
  published: PublishedState;
}

export interface DraftSaved {
  revision: number;
  savedAt: string;
  /** What `check` returns for the saved definition. */
  facts: DraftAnalysis;
}

export interface DraftChange {
  /** Must have the arrays `schema` and `components`; may have problems otherwise. At most 2 MiB of JSON. */
  definition: unknown;
  expectedRevision: number;
  /** The `hash` of the published state that it is based on: the draft's `base`, or `published` after a merge. */
  base: string;
}

export interface Publication {
  expectedRevision: number;
  /** Creates a version with the next number; without a draft, of the published definition. */
  createVersion: boolean;
  /** The author's note about what changed; stored with the version. */
  versionNote: string | null;
}

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

/** Where a definition prints a field. */
export interface FieldPlace {
  /** The id of the component. */
  component: string;
  /** The trimmed text between the braces; null where a field is read outside of a Template, such as a collection. */
  expression: string | null;
}

/** A value of the sample that does not fit the schema, or a field that has none. */
export interface SampleProblem {
  /** The keys that lead to the value in the sample. */
  keys: KeyPath;
  code:
    | "missing_value"
    | "wrong_type"
    | "invalid_date"
    | "unknown_field"
    /** No problem: the field is not required. */
    | "empty_value";
  message: string;
  places: readonly FieldPlace[];
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
  /** How often its collection is printed. */
  counts: Record<string, number>;
  /** What its collection prints after its first element; of a long list the first ones. */
  rows: Record<string, readonly SampleRow[]>;
}

/** The evaluation of a definition with its own sample. Inside a repeat, for the first element shown. */
export interface DraftAnalysis extends SampleRow {
  problems: readonly Problem[];
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

export interface DraftSource {
  templateType: "document" | "email";
  definition: unknown;
}

export const PRINT_FORMATS = ["pdf", "html", "png"] as const;
export type PrintFormat = (typeof PRINT_FORMATS)[number];

export interface DraftPrintRequest extends DraftSource {
  /** A record; by default the definition's sample. */
  data?: unknown;
  /** Default pdf, for an email html. A png shows the first page, or an email in a window. */
  format?: PrintFormat | undefined;
  /** The width of that window in CSS px; by default that of the email. */
  widthPx?: number | undefined;
  /** Whether the window is that of a mail program in dark mode. */
  isDark?: boolean | undefined;
}

export interface RecentPayload {
  at: string;
  source: "document" | "batch";
  data: unknown;
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
  /** Width and height in mm, in portrait orientation. */
  paper: Record<string, readonly [number, number]>;
}

export interface BlueprintCard {
  id: string;
  name: string;
  description: string;
  /** The name and the description in other languages, by code. */
  translations: Readonly<Record<string, { name: string; description: string }>>;
  templateType: "document" | "email";
}

/** What is used where a definition sets nothing. Lengths are CSS lengths, unless a property says otherwise. */
export interface DesignDefaults {
  pageMargin: Readonly<Record<"top" | "right" | "bottom" | "left", string>>;
  watermark: Readonly<{ color: string; opacity: number; angle: number }>;
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
  /** For series and slices, in their order. */
  chartColors: readonly string[];
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
  /** Without the text below it. */
  height: number;
  wordsHeight: number;
  /** Whether its value is printed below it by default. */
  hasWords: boolean;
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

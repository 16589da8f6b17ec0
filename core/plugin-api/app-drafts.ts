import type { AppFile, AppVisitor } from "./app-plugin.js";
import type {
  ComponentType,
  Operator,
  StyleProperty,
  ComponentOf,
} from "./definition.js";
import type { Problem } from "./errors.js";

// What an editor needs beside the public API. A template has one draft, which all who edit it share; to publish it is
// to redefine the template. Times are ISO 8601.

/** A template's published definition at some time. Only when `hash` is another has its definition changed. */
export interface PublishedState {
  hash: string;
  updatedAt: string;
  version: number;
}

export interface DraftView {
  templateId: string;
  name: string;
  templateType: "document" | "email";
  folderId: string | null;
  /** The draft's, or the published one when there is no draft. */
  definition: unknown;
  /** To be handed back with the next change. Every save, discard and publication raises it. */
  revision: number;
  /** Null: no draft is stored. */
  savedAt: string | null;
  /** The name of whoever saved it last. */
  savedBy: string | null;
  /** From which the draft began, or with which it was last merged. */
  base: PublishedState & { definition: unknown };
  /** Now. Its definition is null when it is the base's. */
  published: PublishedState & { definition: unknown };
  /** Whether the draft differs from what is published. */
  isChanged: boolean;
  /** Nothing can be rendered of it then; its draft can be worked on all the same. */
  isTrashed: boolean;
}

/** What tells an open editor that somebody else was at work. */
export interface DraftPulse extends Pick<
  DraftView,
  "revision" | "savedAt" | "savedBy" | "isTrashed"
> {
  published: PublishedState;
}

export interface DraftSaved {
  revision: number;
  savedAt: string;
  /** The validation results of what was saved, as `check` returns them. */
  facts: DraftFacts;
}

export interface DraftChange {
  /** With arrays `schema` and `components`; it may have problems otherwise. At most 2 MiB of JSON. */
  definition: unknown;
  expectedRevision: number;
  /** The `hash` of the published definition from which it was made: the draft's `base`, or after a merge `published`. */
  base: string;
}

export interface Publication {
  expectedRevision: number;
  /** Freezes it under the next version number. Without a draft, what is published already. */
  createVersion: boolean;
  /** What changed, in the author's words; kept with the version. */
  versionNote: string | null;
}

export interface RepeatFacts {
  /** How many elements the list has. */
  total: number;
  /** How many of them its filter lets pass. */
  passing: number;
  /** How many groups these make; null when they are not grouped. */
  groups: number | null;
  /** The first that is shown: an element, or a group as `{ key, items }`; null when none is. */
  first: unknown;
}

/** What a definition says of its own sample. Inside a repeat it is told of the first element shown. */
export interface DraftFacts {
  problems: readonly Problem[];
  warnings: readonly Problem[];
  /** By the id of each component with a collection; those that cannot be evaluated are missing. */
  repeats: Record<string, RepeatFacts>;
  /** By the id of each component with a condition: whether it holds. */
  conditions: Record<string, boolean>;
  /** By component id: what each expression of its own Templates prints, by its text between the braces, trimmed. */
  values: Record<string, Record<string, string>>;
}

export interface DraftSource {
  templateType: "document" | "email";
  definition: unknown;
}

export const PRINT_FORMATS = ["pdf", "html", "png"] as const;
export type PrintFormat = (typeof PRINT_FORMATS)[number];

export interface DraftPrintOrder extends DraftSource {
  /** A record; without one, the definition's own sample is merged. */
  data?: unknown;
  /** Default pdf, of an email html. A png shows the first page, or an email as its reader's window does. */
  format?: PrintFormat | undefined;
  /** Of that window, in CSS px; by default as wide as the email is. */
  widthPx?: number | undefined;
}

export interface RecentPayload {
  at: string;
  source: "document" | "batch";
  data: unknown;
}

/** One function or filter of the expression language. */
export interface ExpressionWord {
  name: string;
  /** How it is written, with its arguments. */
  usage: string;
  description: string;
  /** An expression, and what it prints in English. */
  example: string;
  result: string;
}

/** A face to show text with, as it is printed. */
export interface DesignFont {
  family: string;
  /** As CSS says it: `400`, or of a variable font `100 900`. */
  weight: string;
  style: "normal" | "italic";
  /** Of the route `fonts/:file` for what is shipped; else the address of the organization's own. */
  source: { file: string } | { url: string };
}

/** What the service knows of definitions, so that an editor need not know it too. */
export interface EditorDesign {
  /** The style sheet that documents begin with. */
  pageStyle: string;
  /** What the elements of an email carry, each on itself, as a style sheet. */
  emailStyle: string;
  defaults: DesignDefaults;
  jsonSchema: unknown;
  /** Parents that take nothing but these children. */
  allowedChildren: Partial<Record<ComponentType, readonly ComponentType[]>>;
  /** Children that only these parents take. */
  requiredParents: Partial<Record<ComponentType, readonly ComponentType[]>>;
  topLevel: readonly ComponentType[];
  /** Those that only headers and footers take, and those that they do not. */
  bandOnly: readonly ComponentType[];
  bodyOnly: readonly ComponentType[];
  documentOnly: readonly ComponentType[];
  emailOnly: readonly ComponentType[];
  styleProperties: readonly StyleProperty[];
  operators: readonly Operator[];
  filters: readonly ExpressionWord[];
  functions: readonly ExpressionWord[];
  /** The shipped ones, then the organization's own. */
  fontFamilies: readonly string[];
  fonts: readonly DesignFont[];
  /** The shipped family that is printed for another name, such as `serif` or `Arial`. */
  fontAliases: Record<string, string>;
  /** Width and height in mm, upright. */
  paper: Record<string, readonly [number, number]>;
}

export interface BlueprintCard {
  id: string;
  name: string;
  description: string;
  templateType: "document" | "email";
}

/** Every method rejects with PlatenError `not_found` for a template of another organization. */
export interface AppDrafts {
  open(visitor: AppVisitor, templateId: string): Promise<DraftView>;
  /** Cheap: open editors ask again and again. */
  pulse(visitor: AppVisitor, templateId: string): Promise<DraftPulse>;
  /**
   * @throws PlatenError `conflict` when the revision or the base is another: nothing is written then;
   * `invalid_request` for what is no definition at all.
   */
  save(
    visitor: AppVisitor,
    templateId: string,
    change: DraftChange,
  ): Promise<DraftSaved>;
  /** Ends the draft, and with it what was not published. @throws PlatenError `conflict`. */
  discard(
    visitor: AppVisitor,
    templateId: string,
    expectedRevision: number,
  ): Promise<DraftView>;
  /**
   * Makes the draft the template's definition and ends it: both or nothing.
   * @throws PlatenError `conflict` when the revision is another or the template was redefined since the draft's base,
   * `invalid_definition` with every problem.
   */
  publish(
    visitor: AppVisitor,
    templateId: string,
    publication: Publication,
  ): Promise<DraftView>;
  /** Refuses no definition, however wrong: it tells what is. With a template, also what that one may not become. */
  check(
    visitor: AppVisitor,
    draft: DraftSource & { templateId?: string | undefined },
  ): Promise<DraftFacts>;
  /**
   * What the production renderer makes of it; nothing is stored or counted. Codes that cannot be drawn are told of in
   * their place. @param cancelled ends it early.
   * @throws PlatenError `invalid_definition` with every problem, `merge_failed`, or as a render.
   */
  print(
    visitor: AppVisitor,
    order: DraftPrintOrder,
    cancelled?: AbortSignal,
  ): Promise<AppFile>;
  /** The data of the last documents, the newest first; empty where the service keeps none. */
  recentPayloads(
    visitor: AppVisitor,
    templateId: string,
  ): Promise<RecentPayload[]>;
  design(visitor: AppVisitor): Promise<EditorDesign>;
  /** A shipped face, TTF. @throws PlatenError `not_found`. */
  font(file: string): Promise<AppFile>;
  blueprints(): readonly BlueprintCard[];
  /** Its first page with its sample. @throws PlatenError `not_found`. */
  blueprintPicture(visitor: AppVisitor, blueprintId: string): Promise<AppFile>;
}

/** What is drawn where a definition says nothing of it. Lengths are as CSS has them, unless they name a unit. */
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
  /** Of series and slices, in their order. */
  chartColors: readonly string[];
  email: DesignEmail;
}

export interface DesignSignField {
  width: string;
  height: string;
  /** Null for the field's own name. */
  caption: string | null;
}

/** One with a usual value, in mm. */
export interface DesignBarcode {
  width: number;
  /** Without the words below it. */
  height: number;
  wordsHeight: number;
  /** Whether its value stands below it when the definition does not say. */
  hasWords: boolean;
}

/** Of the frame that an email puts around its content; numbers are CSS px. */
export interface DesignEmail {
  width: number;
  /** How much of the ground is seen at each side of it. */
  ground: number;
  /** Of a section that gathers what stands in none. */
  sectionPadding: string;
  /** The room around content in a column. */
  inset: Readonly<{ sides: number; bottom: number }>;
  heroPadding: string;
  /** What part of its width a hero is high at least. */
  heroShare: number;
  /** How networks write their names, by the name in lower case. */
  networks: Readonly<Record<string, string>>;
}

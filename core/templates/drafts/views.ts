import type { ChangeAuthor } from "../../accounts/views.js";
import type { DraftAnalysis } from "../../compiler/views.js";
import type { PrintFormat } from "../../documents/views.js";

// What the studio shows of this capability: types and lists alone, since its pages import this file.

/** Which of the first steps a person has done. */
export interface FirstSteps {
  template: boolean;
  /** Gave one of their templates a sample of their own, or a table. */
  data: boolean;
  /** Created a document with one of their templates. */
  document: boolean;
  /** Connected a service, an assistant or a program, created a button, or invited someone. */
  connection: boolean;
  /** Their newest template that is not in the trash. */
  templateId: string | null;
}

/** The published state of a template at some time. The definition has changed only if `hash` differs. */
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
  versionNote: string | null;
}

export interface DraftSource {
  templateType: "document" | "email";
  definition: unknown;
}

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

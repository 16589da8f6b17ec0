import type { Component, Style } from "./definition-component.js";
import type { DataCollection, Json } from "./definition-data.js";
import type { PageSetup } from "./definition-page.js";

// The definition of a template as plain types, for those who hold one: the studio, above all. Whether a definition is
// sound is the template room's to say; its schemas are proved to infer these very types.

export type * from "./definition-component.js";
export type * from "./definition-data.js";
export type * from "./definition-page.js";

export interface EmailSetup {
  subject: string;
  preheader?: string | undefined;
  /** In pixels, 200 to 1200. */
  width?: number | undefined;
  background?: string | undefined;
}

/** What a PDF tells and carries beside its pages; all texts are Templates. */
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

/** A whole definition, version 1. Extensions (`x-*`) are kept as they are. */
export interface ProjectData {
  schemaVersion?: 1 | undefined;
  /** The first is the record. */
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

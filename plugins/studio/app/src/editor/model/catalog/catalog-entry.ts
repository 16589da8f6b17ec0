import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import type { IconName } from "../../../ui/icon-paths.js";

export type CatalogGroup =
  "Text" | "Layout" | "Media" | "Data" | "Codes and charts" | "Page" | "Email";

export interface CatalogEntry {
  /** Its name for people: "Table". */
  words: string;
  /** What it is for, in a line. */
  purpose: string;
  icon: IconName;
  /** Where the palette has it; null for what comes with its parent alone. */
  group: CatalogGroup | null;
  /** A new one, ready to be filled, without ids. */
  make: () => Component;
}

export type CatalogEntries<Type extends string> = Readonly<
  Record<Type, CatalogEntry>
>;

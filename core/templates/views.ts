// What the studio shows of this capability: types and lists alone, since its pages import this file.

/** A template that uses a reusable block. */
export interface PartialUser {
  id: string;
  name: string;
  /** False when only its draft does. */
  isPublished: boolean;
}

/** A reusable block: components that templates use by name. Times are ISO 8601. */
export interface PartialView {
  /** How definitions refer to it; never changed. */
  name: string;
  /** How people see it. */
  title: string;
  templateType: "document" | "email";
  components: Record<string, unknown>[];
  /** Counts the changes. */
  version: number;
  usedBy: PartialUser[];
  createdAt: string;
  updatedAt: string;
}

/** The colors, fonts, logo and text styles of an organization. */
export interface BrandKit {
  /** By name, such as `primary`: `#` and six hexadecimal digits. */
  colors: Record<string, string>;
  /** A font family; null for none. */
  headingFont: string | null;
  bodyFont: string | null;
  /** The id of an image; null for none. */
  logo: string | null;
  /** CSS by the name of the style. */
  textStyles: Record<string, Record<string, string>>;
}

export interface BrandView {
  kit: BrandKit;
  /** Counts the changes; 0 before the first. */
  version: number;
  /** ISO 8601; null before the first change. */
  updatedAt: string | null;
}

/** A template that uses values of a kit. */
export interface BrandUse {
  id: string;
  name: string;
}

/** Times are ISO 8601. */
export interface TemplateCard {
  id: string;
  name: string;
  description: string | null;
  templateType: "document" | "email";
  thumbnailUrl: string;
  isActive: boolean;
  isFavorite: boolean;
  /** null: in no folder. */
  folderId: string | null;
  /** Whether its draft differs from the published definition. */
  hasUnpublishedChanges: boolean;
  updatedAt: string;
}

export const TEMPLATE_FILTERS = [
  "all",
  "favorites",
  "recent",
  "trash",
] as const;
export type TemplateFilter = (typeof TEMPLATE_FILTERS)[number];

export interface BlueprintCard {
  id: string;
  name: string;
  description: string;
  /** The name and the description in other languages, by code. */
  translations: Readonly<Record<string, { name: string; description: string }>>;
  templateType: "document" | "email";
}

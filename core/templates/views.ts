// What the studio shows of this capability: types and lists alone, since its pages import this file.

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

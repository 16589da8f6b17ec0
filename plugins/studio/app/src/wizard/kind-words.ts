import type { FieldKind } from "../../../../../core/plugin-api/platform-plugin.js";
import type { IconName } from "../ui/icon.js";

/** What a field of a table holds. */
export const kindWords: Record<FieldKind, string> = {
  text: "Text",
  number: "Number",
  boolean: "Tick box",
  date: "Date",
  select: "Choice",
  link: "Linked records",
  attachment: "Files",
  computed: "Formula",
  json: "Details",
  other: "Other",
};

export const kindIcon: Record<FieldKind, IconName> = {
  text: "text",
  number: "number",
  boolean: "check",
  date: "calendar",
  select: "list",
  link: "link",
  attachment: "attachment",
  computed: "formula",
  json: "box",
  other: "box",
};

import type { ProjectData } from "../../../definition/index.js";

type Field = ProjectData["schema"][number]["fields"][number];

/** A field's value as a first template shows it. */
export function shownValue(scope: string, { name, type }: Field): string {
  const path = `${scope}.${name}`;
  if (type === "Date") return `{{ ${path} | date }}`;
  return type === "Number" ? `{{ ${path} | number }}` : `{{ ${path} }}`;
}

/** Words of a table that are to stand in a text as they are, and not to be read as a part of it. */
export function wordOf(text: string): string {
  return text.replaceAll(/[{}]/g, "");
}

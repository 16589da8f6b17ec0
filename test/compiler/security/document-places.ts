import { readFileSync } from "node:fs";

type Group =
  | "plainComponents"
  | "markupComponents"
  | "pageParts"
  | "emailComponents"
  | "emailParts"
  | "templatePlaces"
  | "templateParts"
  | "mjmlPlaces";

/**
 * Parts of definitions, each with ¤ in the place into which a string is put: components in which no string may become an element,
 * whatever it says; those that make HTML of a string, which may bring harmless elements of its own; what belongs to the
 * sheet and not to its content; the same of emails, beside the components that documents have as well; and HTML templates and
 * MJML with the string in each kind of place where an expression may stand.
 */
const json = readFileSync(new URL("places.json", import.meta.url), "utf8");
const written: Record<Group, Record<string, object>> = JSON.parse(json);

/** Parts by their names. */
export type Places = Readonly<Record<string, object>>;

export const {
  plainComponents,
  markupComponents,
  pageParts,
  emailParts,
  templatePlaces,
  templateParts,
  mjmlPlaces,
}: Record<Group, Places> = written;
export const emailComponents: Places = {
  ...plainComponents,
  ...written.emailComponents,
};

/** The part with the string in it. */
export function fillPlace(place: object, text: string): object {
  return Object(
    JSON.parse(JSON.stringify(place), (_key, value: unknown) =>
      typeof value === "string" ? value.replaceAll("¤", () => text) : value,
    ),
  );
}

/** All of the places at once, each with the string in it. */
export function fillPlaces(places: Places, text: string): object[] {
  return Object.values(places).map((place) => fillPlace(place, text));
}

/** Its columns depend on the record, so that its MJML is read again for each one, with the data in it. */
export function withVariableColumns(components: readonly object[]): object[] {
  const collection = { collectionId: "part", path: "root.parts" };
  return [
    {
      type: "section",
      components: [{ type: "column", collection, components }],
    },
  ];
}

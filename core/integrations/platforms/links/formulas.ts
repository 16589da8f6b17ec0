/** Text to be pasted into a field of the platform. */
export interface Formula {
  /** Into which kind of field. */
  where: string;
  formula: string;
}

/** Formulas that make a link's address of each record; of a platform that has no formulas, none. */
export function formulasOf(
  platform: string,
  url: string,
  label: string,
): Formula[] {
  return byPlatform[platform]?.(`${url}?recordId=`, label) ?? [];
}

const byPlatform: Record<string, (start: string, label: string) => Formula[]> =
  {
    airtable: (start) => [
      {
        where: "Button field, action “Open URL”; or formula field",
        formula: `"${start}" & RECORD_ID()`,
      },
    ],
    nocodb: (start, label) => [
      {
        where: "Button field, action “Open URL”",
        formula: `CONCAT("${start}", RECORD_ID())`,
      },
      {
        where: "Formula field",
        formula: `URL(CONCAT("${start}", RECORD_ID()), "${label.replaceAll(/["\\{}]/g, "")}")`,
      },
    ],
    "google-sheets": (start, label) => [
      {
        where:
          "Any cell of row 2, where A2 is the record's key; then drag it down",
        formula: `=HYPERLINK("${start}" & ENCODEURL(A2), "${label.replaceAll('"', '""')}")`,
      },
    ],
  };

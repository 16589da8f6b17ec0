import { readPdf } from "../../read-pdf.js";
import type { Creation } from "./fake-submission.js";

/** The pages of the PDF that is to be signed; null when it is none. */
export async function pagesOf({ documents: [first] }: Creation) {
  const bytes = Buffer.from(first?.file ?? "", "base64");
  return readPdf(bytes).catch(() => null);
}

/** What DocuSeal says of a request that is well formed. */
export function problemOf(made: Creation, pages: number): string | null {
  const fields = made.documents.flatMap((document) => document.fields);
  const roles = new Set(made.submitters.map(({ role }) => role));
  for (const { role, name, areas } of fields) {
    if (!roles.has(role)) return `Unknown submitter role: ${role}`;
    if (areas.some(({ page }) => page > pages)) return `No page for ${name}`;
  }
  for (const { role, values } of made.submitters)
    for (const name of Object.keys(values))
      if (!fields.some((field) => field.name === name && field.role === role))
        return `Unknown field: ${name}`;
  return null;
}

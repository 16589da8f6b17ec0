import type { PdfPage } from "../../read-pdf.js";
import type { FakeField } from "./fake-submission.js";

const tag = /\{\{([^{}]+)\}\}/g;

/** Fields that DocuSeal finds in a PDF's own text: `{{Name;type=signature;role=Buyer}}`. */
export function tagFieldsIn(pages: readonly PdfPage[]): FakeField[] {
  return pages.flatMap(({ text }, place) =>
    [...text.matchAll(tag)].map(([, inner = ""]) => {
      const [name = "", ...settings] = inner.split(";");
      const told = new Map(
        settings.map((one) => {
          const [key = "", value = ""] = one.split("=");
          return [key.trim(), value.trim()];
        }),
      );
      return {
        name: name.trim(),
        type: told.get("type") ?? "text",
        role: told.get("role") ?? "First Party",
        required: true,
        areas: [{ x: 0, y: 0, w: 0.1, h: 0.02, page: place + 1 }],
      };
    }),
  );
}

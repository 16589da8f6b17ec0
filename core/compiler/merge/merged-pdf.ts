import type { PdfSetup } from "../../definition/schema/pdf-schema.js";

/** What a template says of its PDF, with the record's data in it. */
export interface MergedPdf extends Pick<
  PdfSetup,
  "tagged" | "outline" | "before" | "after"
> {
  title?: string;
  author?: string;
  subject?: string;
  keywords?: string[];
}

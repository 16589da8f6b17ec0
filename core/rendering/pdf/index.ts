// Edits a printed PDF in ways that a browser cannot: properties, PDFs before and after it, attached files, a password, a
// complete structure tree, conformance to PDF/A and PDF/UA, and removing the links that mark sign fields. Works in a worker thread, so the service keeps responding, and ends within
// the deadline. Knows nothing of templates, assets and storage; a PDF that needs none of this skips it.
export {
  type Finished,
  type Finishing,
  type PdfAttachment,
  PdfEditor,
  type PdfProperties,
  type SignMark,
} from "./pdf-editor.js";
export type { XmpSchema } from "./xmp.js";
export type { PdfSigner } from "./pdf-signature.js";
export { PdfMerge } from "./pdf-merge.js";

// Edits a printed PDF in ways that a browser cannot: properties, PDFs before and after it, attached files, a password, and
// removing the links that mark sign fields. Works in a worker thread, so the service keeps responding, and ends within
// the deadline. Knows nothing of templates, assets and storage; a PDF that needs none of this skips it.
export * from "./pdf-edits.js";
export { PdfEditor } from "./pdf-editor.js";
export type { SignMark } from "./sign-marks.js";

// Pictures for a quick look at a document while it is designed: small, handed over at once, never stored.
export { DraftPreviews } from "./draft-previews.js";
export { DraftPrinter, type DraftPrint } from "./draft-printer.js";
export type { Preview, PreviewChoice, Previews } from "./preview.js";
export { previewEmail } from "./preview-email.js";
export { previewPages } from "./preview-pages.js";

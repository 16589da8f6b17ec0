// A printed PDF gets what a browser cannot give it: properties, other PDFs before and after it, attached files, a
// password; and it loses the links that mark where something is to be signed. Promises to end within the deadline and to keep the service answering meanwhile, hence a thread of its
// own. Knows nothing of templates, assets and storage; a PDF that needs none of this never comes here.
export * from "./finishing.js";
export { PdfFinisher } from "./pdf-finisher.js";
export type { SignMark } from "./sign-marks.js";

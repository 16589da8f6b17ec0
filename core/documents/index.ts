// Templates become documents: publish a definition, render a record, read both again. Decides what REST, batches and
// tools promise alike; knows no HTTP.
export {
  type DocumentListView,
  documentView,
  type DocumentView,
} from "./document-view.js";
export { type DocumentList, Documents } from "./documents.js";
export { DocumentLog } from "./document-log.js";
export { parseExpiry } from "./expiry.js";
export { FinishingDesk } from "./finishing/finishing-desk.js";
export { safeFileName } from "./file-name.js";
export { acceptingBatches, notIn } from "./hidden-batches.js";
export { OutputStore, type SavedFile } from "./output-store.js";
export type { Phases } from "./phase-timer.js";
export { RecentPayloads } from "./recent-payloads.js";
export { OwnFonts } from "./fonts/own-fonts.js";
export { type PictureLimits, Pictures } from "./pictures/index.js";
export {
  DraftPreviews,
  DraftPrinter,
  type DraftPrint,
  type Preview,
  type PreviewChoice,
  type Previews,
} from "./previews/index.js";
export { ProgramCache, type ProgramSource } from "./program-cache.js";
export {
  createRenderDocument,
  type RenderDocument,
  type RenderedDocument,
  type RenderParts,
  type RenderWatch,
} from "./render-document.js";
export { type QueuedSuccess, recordQueuedSucceeded } from "./record-queued.js";
export {
  createRenderQueued,
  type QueuedParts,
  type QueuedWatch,
  type RenderQueued,
  type SucceededDocument,
} from "./render-queued.js";
export type { QueuedDocument } from "./render-run.js";
export {
  promisedTemplate,
  type TemplateToRender,
  templateToRender,
} from "./template-to-render.js";
export { reportProblems } from "./refuse-flaws.js";
export type { RenderReport } from "./render-report.js";
export type { RenderRequest } from "./render-request.js";
export type { RenderResult } from "./render-result.js";
export { RenderWitness } from "./render-witness.js";
export { signatureView } from "./signature-view.js";
export type {
  DocumentToSign,
  EsignSettings,
  MergedSigning,
  NamedSubmitter,
  SignatureView,
  Signing,
  SigningOrder,
  SigningPlan,
  SigningWish,
} from "./signing.js";
export {
  type Thumbnail,
  type ThumbnailParts,
  Thumbnails,
} from "./thumbnails.js";

// Renders records into documents and lists, previews and stores documents. Shared by REST, batches and tools; knows no
// HTTP.
export {
  createRenderDocument,
  createRenderQueued,
  type QueuedParts,
  type QueuedWatch,
  type RenderDocument,
  type RenderedDocument,
  type RenderParts,
  type RenderQueued,
  type RenderWatch,
  type SucceededDocument,
} from "./render-pipeline.js";
export {
  parseExpiry,
  type Phases,
  type QueuedDocument,
  type RenderRequest,
} from "./render-job.js";
export { type QueuedSuccess, recordQueuedSucceeded } from "./record-queued.js";
export type { RenderReport } from "./render-report.js";
export type { RenderResult } from "./render-result.js";
export { RenderWitness } from "./render-metrics.js";
export {
  ProgramCache,
  type ProgramSource,
  promisedTemplate,
  type TemplateToRender,
  templateToRender,
} from "./compiled-templates.js";
export { OwnFonts } from "./content/organization-fonts.js";
export type { PictureLimits } from "./content/picture-cache.js";
export { Pictures } from "./content/pictures.js";
export { FinishingDesk } from "./pdf-post-processor.js";
export { OutputStore, safeFileName, type SavedFile } from "./outputs.js";
export {
  type DocumentToSign,
  type EsignSettings,
  type MergedSigning,
  type NamedSubmitter,
  signatureView,
  type SignatureView,
  type Signing,
  type SigningOrder,
  type SigningPlan,
  type SigningWish,
} from "./signing.js";
export {
  acceptingBatches,
  type DocumentList,
  type DocumentListView,
  DocumentLog,
  Documents,
  documentView,
  type DocumentView,
  notIn,
} from "./documents.js";
export { RecentPayloads } from "./recent-payloads.js";
export {
  DraftPreviews,
  type DraftPrint,
  DraftPrinter,
} from "./previews/draft-printer.js";
export type { Preview, PreviewChoice, Previews } from "./previews/previews.js";
export {
  type Thumbnail,
  type ThumbnailParts,
  Thumbnails,
} from "./previews/thumbnails.js";
export { reportProblems } from "./render-report.js";

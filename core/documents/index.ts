// Renders records into documents and lists, previews and stores documents. Shared by REST, batches and tools; knows no
// HTTP.
export {
  type QueuedRenderOptions,
  type RenderDocument,
  type RenderRequestedDocument,
  type RenderedDocument,
  RenderPipeline,
  type RenderQueued,
  type RenderCallbacks,
  type QueuedSuccess,
  recordQueuedSucceeded,
  RENDER_DOCUMENT,
  RENDER_QUEUED,
} from "./render-pipeline.js";
export type { StoredDocument } from "./document-render.js";
export {
  countWarnings,
  DOCUMENT_LIFETIME_MS,
  parseExpiry,
  parseInstant,
  type Phases,
  type QueuedDocument,
  type RenderRequest,
  RenderMetrics,
  type RenderReport,
  reportProblems,
} from "./render-job.js";
export {
  type RenderResult,
  OutputStore,
  safeFileName,
  type StoredFile,
  toOutput,
} from "./outputs.js";
export {
  describeTemplate,
  ProgramCache,
  getAcceptedTemplate,
  type TemplateToRender,
  getTemplateToRender,
} from "./compiled-templates.js";
export {
  DataValidation,
  type DataValidationResult,
  listRecords,
} from "./data-validation.js";
export {
  createFontEmbedding,
  type EmbedFonts,
} from "./content/embedded-fonts.js";
export { OrganizationFonts } from "./content/organization-fonts.js";
export { type PictureLimits, Pictures } from "./content/pictures.js";
export { type RenderedMail, TemplateMails } from "./mails.js";
export { PdfPostProcessor } from "./pdf-post-processor.js";
export {
  type DocumentToSign,
  type EsignSettings,
  esignSettingsSchema,
  type MergedSigning,
  type NamedSubmitter,
  toSignatureView,
  type SignatureView,
  type Signing,
  type SigningOrder,
  type SigningPlan,
  type SigningRequest,
  SIGNING,
} from "./signing.js";
export {
  type DocumentFilter,
  findAcceptingBatches,
  type DocumentList,
  type DocumentListView,
  DocumentLog,
  documentCounts,
  Documents,
  findPendingWriteBacks,
  getPlatenMetadata,
  toDocumentView,
  type DocumentView,
  notIn,
} from "./documents.js";
export { RecentPayloads } from "./recent-payloads.js";
export {
  DraftPreviews,
  type DraftPrint,
  DraftPrinter,
  type DraftProof,
} from "./previews/draft-printer.js";
export type { Preview, PreviewChoice, Previews } from "./previews/previews.js";
export { type Thumbnail, Thumbnails } from "./previews/thumbnails.js";
export { Numbers, type SequenceChange, type SequenceView } from "./numbers.js";
export { type CachedFile, PRINT_FORMATS, type RecentPayload } from "./views.js";
export { DOCUMENT_STATUSES } from "../storage/database/index.js";

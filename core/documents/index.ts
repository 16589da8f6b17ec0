// Renders records into documents and lists, previews and stores documents. Shared by REST, batches and tools; knows no
// HTTP.
export {
  type RenderRequestedDocument,
  type RenderedDocument,
  RenderPipeline,
  type RenderQueued,
  type RenderCallbacks,
  recordQueuedSucceeded,
  RENDER_DOCUMENT,
  RENDER_QUEUED,
} from "./render/render-pipeline.js";
export type { StoredDocument } from "./render/document-render.js";
export {
  countWarnings,
  describeClippedHtml,
  findClippedHtml,
  type RenderReport,
  reportProblems,
} from "./render/render-report.js";
export { findEmptyLists } from "./list/empty-lists.js";
export {
  DOCUMENT_LIFETIME_MS,
  parseExpiry,
  parseInstant,
  type QueuedDocument,
  type RenderRequest,
} from "./render/render-request.js";
export { RenderMetrics } from "./render/render-metrics.js";
export {
  exportResultSchema,
  type RenderResult,
  OutputStore,
  safeFileName,
  type StoredFile,
  toOutput,
} from "./files/output-files.js";
export {
  describeTemplate,
  ProgramCache,
  getAcceptedTemplate,
  type TemplateToRender,
  getTemplateToRender,
} from "./render/compiled-templates.js";
export {
  DataValidation,
  type DataValidationResult,
  listRecords,
} from "./render/data-validation.js";
export { OrganizationFonts } from "./render/content/organization-fonts.js";
export { Pictures } from "./render/content/pictures.js";
export { TemplateMails } from "./render/mails.js";
export { PdfPostProcessor } from "./render/pdf-post-processor.js";
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
} from "./render/signing.js";
export {
  findAcceptingBatches,
  documentCounts,
  Documents,
  notIn,
} from "./list/documents.js";
export { DocumentLog } from "./list/document-log.js";
export {
  documentListItemSchema,
  type DocumentListView,
  documentSchema,
  findPendingWriteBacks,
  getPlatenMetadata,
  toDocumentView,
} from "./list/document-view.js";
export { RecentPayloads } from "./list/recent-payloads.js";
export {
  DraftPreviews,
  DraftPrinter,
  type DraftProof,
} from "./previews/draft-printer.js";
export type { Preview } from "./previews/previews.js";
export { Thumbnails } from "./previews/thumbnails.js";
export { Numbers, sequenceSchema } from "./render/numbers.js";
export { type CachedFile, PRINT_FORMATS, type RecentPayload } from "./views.js";
export { DOCUMENT_STATUSES } from "../storage/database/index.js";
export type { MergedTexts } from "../compiler/index.js";

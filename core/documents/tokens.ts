import { createToken } from "../lib/tokens.js";
import type {
  DataValidation,
  Documents,
  DraftPreviews,
  DraftPrinter,
  DocumentLog,
  EmbedFonts,
  OrganizationFonts,
  OutputStore,
  PdfPostProcessor,
  PictureLimits,
  Numbers,
  Pictures,
  ProgramCache,
  RecentPayloads,
  RenderRequestedDocument,
  RenderMetrics,
  RenderPipeline,
  RenderQueued,
  Signing,
  TemplateMails,
  Thumbnails,
} from "./index.js";

export const DOCUMENTS = createToken<Documents>("Documents");
export const DATA_VALIDATION = createToken<DataValidation>("DataValidation");
export const DOCUMENT_LOG = createToken<DocumentLog>("DocumentLog");
export const RENDER_PIPELINE = createToken<RenderPipeline>("RenderPipeline");
/** Renders a document while its caller waits. */
export const RENDER_DOCUMENT =
  createToken<RenderRequestedDocument>("RenderDocument");
/** Renders a document that a batch queued. */
export const RENDER_QUEUED = createToken<RenderQueued>("RenderQueued");
export const RENDER_METRICS = createToken<RenderMetrics>("RenderMetrics");
export const PROGRAM_CACHE = createToken<ProgramCache>("ProgramCache");
export const NUMBERS = createToken<Numbers>("Numbers");
export const PICTURES = createToken<Pictures>("Pictures");
export const PICTURE_LIMITS = createToken<PictureLimits>("PictureLimits");
export const ORGANIZATION_FONTS =
  createToken<OrganizationFonts>("OrganizationFonts");
/** Memory for the organizations' font files. */
export const FONT_CACHE_BYTES = createToken<number>("font cache bytes");
export const EMBED_FONTS = createToken<EmbedFonts>("EmbedFonts");
export const OUTPUT_STORE = createToken<OutputStore>("OutputStore");
export const PDF_POST_PROCESSOR =
  createToken<PdfPostProcessor>("PdfPostProcessor");
export const DRAFT_PRINTER = createToken<DraftPrinter>("DraftPrinter");
export const DRAFT_PREVIEWS = createToken<DraftPreviews>("DraftPreviews");
/** Renders saved email templates as mails. */
export const TEMPLATE_MAILS = createToken<TemplateMails>("TemplateMails");
export const THUMBNAILS = createToken<Thumbnails>("Thumbnails");
export const RECENT_PAYLOADS = createToken<RecentPayloads>("RecentPayloads");
/** For how long payloads are kept; 0: none are. */
export const RECENT_PAYLOADS_MS = createToken<number>("recent payloads time");
/** Sends documents for signature. Implemented by signatures/. */
export const SIGNING = createToken<Signing>("Signing");

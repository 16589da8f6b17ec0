import { COMPUTE } from "../compute/tokens.js";
import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { CONFIG, LOG } from "../lib/tokens.js";
import { FONT_SUBSETTER } from "../rendering/tokens.js";
import { INLINE_TEMPLATES } from "../templates/tokens.js";
import {
  createFontEmbedding,
  DataValidation,
  DocumentLog,
  Documents,
  DraftPreviews,
  DraftPrinter,
  Numbers,
  OrganizationFonts,
  OutputStore,
  PdfPostProcessor,
  Pictures,
  ProgramCache,
  RecentPayloads,
  RenderMetrics,
  RenderPipeline,
  TemplateMails,
  Thumbnails,
} from "./index.js";
import {
  acceptInlineDefinitions,
  limitRenders,
  startSigning,
} from "./render-pipeline.js";
import * as t from "./tokens.js";

const megabyte = 1024 ** 2;
const maxRenderWaitMs = 10_000;
const programCacheBytes = 128 * megabyte;

export function registerDocuments(container: DependencyContainer): void {
  registerClass(container, t.DOCUMENTS, Documents);
  registerClass(container, t.TEMPLATE_MAILS, TemplateMails);
  registerClass(container, t.DOCUMENT_LOG, DocumentLog);
  registerClass(container, t.DATA_VALIDATION, DataValidation);
  registerClass(container, t.RENDER_PIPELINE, RenderPipeline);
  registerClass(container, t.RENDER_METRICS, RenderMetrics);
  registerClass(container, t.PICTURES, Pictures);
  registerClass(container, t.ORGANIZATION_FONTS, OrganizationFonts);
  registerFactory(container, t.EMBED_FONTS, (c) =>
    createFontEmbedding(c.resolve(FONT_SUBSETTER)),
  );
  registerClass(container, t.OUTPUT_STORE, OutputStore);
  registerClass(container, t.NUMBERS, Numbers);
  registerClass(container, t.PDF_POST_PROCESSOR, PdfPostProcessor);
  registerClass(container, t.DRAFT_PRINTER, DraftPrinter);
  registerClass(container, t.DRAFT_PREVIEWS, DraftPreviews);
  registerClass(container, t.THUMBNAILS, Thumbnails);
  registerClass(container, t.RECENT_PAYLOADS, RecentPayloads);
  registerFactory(container, t.RENDER_DOCUMENT, (c) => {
    const max = c.resolve(CONFIG).render.perOrganization;
    const pipeline = c.resolve(t.RENDER_PIPELINE);
    const render = startSigning(
      pipeline.render,
      c.resolve(t.SIGNING),
      c.resolve(LOG),
    );
    return acceptInlineDefinitions(
      limitRenders(render, { max, maxWaitMs: maxRenderWaitMs }),
      c.resolve(INLINE_TEMPLATES),
    );
  });
  registerFactory(
    container,
    t.RENDER_QUEUED,
    (c) => c.resolve(t.RENDER_PIPELINE).renderQueued,
  );
  registerFactory(
    container,
    t.PROGRAM_CACHE,
    (c) => new ProgramCache(programCacheBytes, c.resolve(COMPUTE)),
  );
  // Fonts get a quarter of the memory for cached images and fonts.
  registerFactory(
    container,
    t.FONT_CACHE_BYTES,
    (c) => c.resolve(CONFIG).assets.cacheBytes / 4,
  );
  registerFactory(container, t.PICTURE_LIMITS, (c) => {
    const limits = c.resolve(CONFIG).assets;
    const cacheBytes = limits.cacheBytes - c.resolve(t.FONT_CACHE_BYTES);
    return { ...limits, cacheBytes };
  });
  registerFactory(
    container,
    t.RECENT_PAYLOADS_MS,
    (c) => c.resolve(CONFIG).recentPayloadsMs,
  );
}

import type { EntityManager } from "typeorm";
import { countUsage } from "../accounts/index.js";
import {
  linkAssets,
  linkVideos,
  type MergedDocument,
  type MergeOptions,
} from "../compiler/index.js";
import type { ProgramCall, ProgramRunner } from "../compute/index.js";
import { stringifyJson } from "../lib/json.js";
import {
  type Deadline,
  formatError,
  type Log,
  type Output,
  PlatenError,
} from "../plugin-api/index.js";
import type { Renderer } from "../rendering/index.js";
import {
  Document,
  insertRow,
  type Store,
  changeRows,
  formatDatetime,
  marks,
} from "../storage/database/index.js";
import { getPlatenMetadata } from "./documents.js";
import { describeTemplate, type ProgramCache } from "./compiled-templates.js";
import type { OrganizationFonts } from "./content/organization-fonts.js";
import type { Pictures, ResolvedAssets } from "./content/pictures.js";
import {
  type EmbedFonts,
  OutputRenderer,
  type OutputStore,
  safeFileName,
  type SavedFile,
  toHtmlOutput,
  toPrintableDocument,
  type RenderResult,
  toRenderResult,
} from "./outputs.js";
import type { PdfPostProcessor } from "./pdf-post-processor.js";
import type { Previews } from "./previews/previews.js";
import type { RecentPayloads } from "./recent-payloads.js";
import {
  createRenderJob,
  type Phases,
  type QueuedDocument,
  type RenderJob,
  type RenderRequest,
  resumeRenderJob,
  type RenderMetrics,
  assertAcceptable,
  assertAcceptableData,
  countWarnings,
  type RenderReport,
} from "./render-job.js";
import {
  createSigningSteps,
  type SignatureView,
  type Signing,
} from "./signing.js";

import { inject, injectable } from "../lib/injection.js";
import { LOG } from "../lib/tokens.js";
import { BACKGROUND_RENDERER, RENDERER } from "../rendering/tokens.js";
import { STORE } from "../storage/database/tokens.js";
import {
  EMBED_FONTS,
  ORGANIZATION_FONTS,
  OUTPUT_STORE,
  PDF_POST_PROCESSOR,
  PICTURES,
  PROGRAM_CACHE,
  RECENT_PAYLOADS,
  RENDER_METRICS,
  SIGNING,
} from "./tokens.js";

// One record becomes one document: load the template's version, compile it, merge the data, print, store the files,
// record the row. `RenderPipeline.render` serves a caller who waits; `renderQueued` runs the same stages on a row that
// was queued and claimed. What signing adds to the stages is in signing.ts.

export interface RenderCallbacks {
  /** For the whole render. */
  deadline: Deadline;
  /** Logs the render's outcome; by default, the service's own log. */
  log?: Log;
  /**
   * Called in the transaction that records the finished document: what it writes is committed with the document; when
   * it rejects, so does the render.
   */
  alongside?(tx: EntityManager, rendered: RenderedDocument): Promise<void>;
  /** Called once the document has a row, also when it failed. */
  onRecorded(documentId: string): void;
  /** Called as each phase begins, such as `merge` or `print`. */
  onPhase?(phase: string): void;
}

export interface RenderedDocument {
  documentId: string;
  result: RenderResult;
  /** Every file, with its link. */
  outputs: readonly Output[];
  /** How many problems its report lists. */
  warnings: number;
  report: RenderReport;
  /** How many pages were printed; null when nothing was. */
  pages: number | null;
  previews: Previews;
  phases: Phases;
  /** The id of its signature request; null when it is not sent for signature. */
  signatureId: string | null;
}

/**
 * Renders one document. Rejects with PlatenError: `invalid_request` and `not_found` leave nothing behind, any later
 * error leaves a document with status `failed`.
 */
export type RenderDocument = (
  request: RenderRequest,
  watch: RenderCallbacks,
) => Promise<RenderedDocument>;

export interface QueuedRenderOptions {
  /** For the whole render. */
  deadline: Deadline;
  /** Records the outcome (`recordQueuedSucceeded`). @returns false when the claim was lost. */
  record(ended: SucceededDocument): Promise<boolean>;
}

/**
 * Renders a claimed document. Resolves to false when the claim was lost meanwhile: then nothing is recorded and no file
 * is left. Rejects when the render fails and leaves the row as it was; the caller decides what a failure means.
 */
export type RenderQueued = (
  queued: QueuedDocument,
  watch: QueuedRenderOptions,
) => Promise<boolean>;

/** A rendered document whose files are stored, and which is not recorded yet. */
export interface SucceededDocument {
  saved: readonly SavedFile[];
  outputs: Output[];
  /** Without extension. */
  fileName: string;
  report: RenderReport;
  /** How many pages were printed; null when nothing was, as for html alone. */
  pages: number | null;
  previews: Previews;
  completedAt: Date;
  /**
   * To be called in the transaction that records the document: writes the signature request and returns its id. Null
   * when the document is not sent for signature.
   */
  sign: ((tx: EntityManager) => Promise<string>) | null;
}

/** Renders documents, while a caller waits and for batches. */
@injectable()
export class RenderPipeline {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(PROGRAM_CACHE) private readonly programs: ProgramCache,
    @inject(PICTURES) private readonly pictures: Pictures,
    @inject(ORGANIZATION_FONTS) private readonly fonts: OrganizationFonts,
    @inject(RENDERER) private readonly renderer: Renderer,
    @inject(BACKGROUND_RENDERER)
    private readonly backgroundRenderer: Renderer,
    @inject(PDF_POST_PROCESSOR)
    private readonly postProcessor: PdfPostProcessor,
    @inject(EMBED_FONTS) private readonly embedFonts: EmbedFonts,
    @inject(OUTPUT_STORE) private readonly outputs: OutputStore,
    @inject(SIGNING) private readonly signing: Signing,
    @inject(RECENT_PAYLOADS)
    private readonly payloads: Pick<RecentPayloads, "note">,
    @inject(RENDER_METRICS) private readonly metrics: RenderMetrics,
    @inject(LOG) private readonly log: Log,
  ) {}

  readonly render: RenderDocument = async (request, watch) => {
    const job = await createRenderJob(this.store.read, request, (phase) =>
      watch.onPhase?.(phase),
    );
    const rendered = await this.#renderAndRecord(job, watch);
    const signature = await this.#startSigning(job, rendered, watch.deadline);
    const { result } = rendered;
    return {
      ...rendered,
      result: { ...result, ...(signature && { signature }) },
      phases: job.timer.phases,
    };
  };

  readonly renderQueued: RenderQueued = async (queued, watch) => {
    const { deadline } = watch;
    const job = resumeRenderJob(queued);
    const log = this.log.child({ batchId: queued.row.batchId });
    try {
      const stored = await this.#renderAndStore(
        this.backgroundRenderer,
        job,
        deadline,
      );
      const isRecorded = await watch.record(stored);
      if (isRecorded) this.metrics.succeeded(job, log);
      else await this.outputs.remove(stored.saved);
      return isRecorded;
    } catch (thrown) {
      const error = getAbortReason(deadline) ?? thrown;
      this.metrics.failed(job, log, error);
      throw error;
    }
  };

  async #renderAndRecord(
    job: RenderJob,
    watch: RenderCallbacks,
  ): Promise<RenderedDocument> {
    const { deadline, log = this.log } = watch;
    try {
      const stored = await this.#renderAndStore(this.renderer, job, deadline);
      const rendered = await this.#recordSucceeded(job, stored, watch);
      this.metrics.succeeded(job, log);
      return rendered;
    } catch (thrown) {
      if (job.rejection !== null) throw job.rejection;
      const error = getAbortReason(deadline) ?? thrown;
      await this.#recordFailed(job, error);
      this.metrics.failed(job, log, error);
      throw error;
    } finally {
      if (job.rejection === null) watch.onRecorded(job.documentId);
    }
  }

  /** Files are stored before the row that names them is written. */
  async #renderAndStore(
    renderer: Renderer,
    job: RenderJob,
    deadline: Deadline,
  ): Promise<SucceededDocument> {
    const { documentId, request, template, timer } = job;
    const { organizationId, data, formats } = request;
    const { pictures, fonts } = this;
    const signing = createSigningSteps(this.signing, job);
    const call = {
      organizationId,
      subject: describeTemplate(template),
      deadline,
      definition: template.definition,
    };

    // Load and compile.
    const program = await timer.time("compile", () =>
      this.programs.program(template, call),
    );

    // Merge the data, and fetch the images and fonts that the result refers to.
    const options = {
      ...getMergeOptions(job),
      ...(await signing.beforeMerge(program)),
    };
    const { merged, invalidData } = await timer.time("merge", () =>
      checkAndMerge(program, request, options, call),
    );
    await signing.afterMerge(program, merged, { data, options }, call);
    const mjml = formats.includes("mjml")
      ? await timer.time("mjml", () => program.mjml({ data, options }, call))
      : null;
    const references = [...merged.assets, ...(mjml?.assets ?? [])].filter(
      (reference) => !isTextForEmail(job) || !pictures.isElsewhere(reference),
    );
    const assets = signing.cleanAssets(
      await timer.time("assets", () =>
        pictures.resolve(organizationId, references, deadline),
      ),
    );
    const faces = await timer.time("assets", () =>
      fonts.findFaces(organizationId, merged, template.writtenAt),
    );
    const document = toPrintableDocument(
      merged,
      assets,
      faces,
      (headerHeights) =>
        program.merge({ data, options: { ...options, headerHeights } }, call),
    );
    const fileName = merged.fileName ?? safeFileName(template.name);

    // Print.
    const plan = await this.postProcessor.plan(
      {
        organizationId,
        formats: signing.formats,
        options: request.renderOptions?.pdf,
      },
      { title: document.title, pdf: merged.pdf, signNonce: signing.nonce },
    );
    const outputs = new OutputRenderer(
      renderer,
      {
        document,
        html:
          template.templateType === "email"
            ? linkToAssets(merged.html, merged, assets)
            : signing.cleanHtml(toHtmlOutput(document)),
        mjml: mjml && linkToAssets(mjml.mjml, mjml, assets),
        plan,
      },
      job,
      deadline,
      this.embedFonts,
    );
    const artifacts = await outputs.renderAll(signing.formats);
    const previews = await outputs.renderPreviews(request.preview);
    const { missingGlyphs, overflow } = outputs.flaws;
    const report: RenderReport = {
      ...merged.report,
      invalidData,
      failedAssets: assets.failed,
      // The renderer knows only its own fonts: characters that the organization's fonts have are not missing.
      missingGlyphs: await fonts.characters.findMissing(
        organizationId,
        missingGlyphs,
        faces,
      ),
      overflow,
    };
    assertAcceptable(report, request);
    // Signers read the title in emails, where "Document" means nothing.
    const title = merged.pdf.title ?? fileName;
    signing.afterPrint({ title, fileName }, outputs.finishedPdf);

    // Store.
    const { expiresAt } = request;
    const saved = await timer.time("store", () =>
      this.outputs.save({ documentId, fileName, expiresAt }, artifacts),
    );
    return {
      saved,
      outputs: saved.map(({ output }) => output),
      fileName,
      report,
      pages: outputs.pages,
      previews,
      completedAt: new Date(),
      sign: signing.afterStore(saved),
    };
  }

  /**
   * Writes the document's row and, unless it is a test, one unit of usage in one transaction. When that fails, the files
   * stay: the row may exist all the same, if the connection broke after the commit; otherwise they are swept as orphans.
   */
  async #recordSucceeded(
    job: RenderJob,
    stored: SucceededDocument,
    watch: RenderCallbacks,
  ): Promise<RenderedDocument> {
    const { documentId, request, timer, startedAt } = job;
    const { organizationId, templateId, formats, data } = request;
    const { saved, outputs, fileName, report, pages, previews, sign } = stored;
    const now = stored.completedAt;
    const rendered: RenderedDocument = {
      documentId,
      result: toRenderResult(
        saved.filter(({ artifact }) => formats.includes(artifact.format)),
      ),
      outputs,
      warnings: countWarnings(report),
      report,
      pages,
      previews,
      phases: timer.phases,
      signatureId: null,
    };
    await timer.time("record", () =>
      this.store.unitOfWork.run(async (tx) => {
        await insertRow(tx, Document, {
          ...createRow(job, now),
          status: "succeeded",
          outputs,
          metadata: { platen: { report } },
          fileName,
          purgeAt: request.expiresAt,
        });
        rendered.signatureId = sign && (await sign(tx));
        await watch.alongside?.(tx, rendered);
        const payload = {
          organizationId,
          templateId,
          source: "document",
          json: () => stringifyJson(data),
        } as const;
        await this.payloads.note(tx, payload, startedAt);
        if (!request.isTest)
          await countUsage(tx, organizationId, "documents", 1, now);
      }),
    );
    return rendered;
  }

  /** A failed document is not counted and has no files. When even its row cannot be written, it is logged. */
  async #recordFailed(job: RenderJob, error: unknown): Promise<void> {
    const row = { ...createRow(job, new Date()), error: formatError(error) };
    try {
      await this.store.unitOfWork.run((tx) => insertRow(tx, Document, row));
    } catch (recordError) {
      const { documentId } = job;
      this.log.error(
        { documentId, err: recordError },
        "failed to record a failed document",
      );
    }
  }

  /** The document exists whatever happens to its signing, which continues in the background. */
  async #startSigning(
    { request: { organizationId }, timer }: RenderJob,
    { signatureId }: RenderedDocument,
    deadline: Deadline,
  ): Promise<SignatureView | null> {
    if (signatureId === null) return null;
    try {
      return await timer.time("sign", () =>
        this.signing.startNow(organizationId, signatureId, deadline),
      );
    } catch (error) {
      this.log.error(
        { signatureId, err: error },
        "failed to start a signature request",
      );
      return this.signing.view(organizationId, signatureId);
    }
  }
}

/**
 * Checks the record against the template's schema and merges it.
 * @throws PlatenError `merge_failed` for data that the request does not accept, before anything is fetched or printed;
 * with `strict`, it also lists what the merge found.
 */
async function checkAndMerge(
  program: ProgramRunner,
  request: RenderJob["request"],
  options: MergeOptions,
  call: ProgramCall,
): Promise<{
  merged: MergedDocument;
  invalidData: RenderReport["invalidData"];
}> {
  const { data, unknownFields, isFromPlatform } = request;
  const check = {
    unknownFields,
    // Databases deliver decimals as text.
    ...(isFromPlatform && { allowNumericStrings: true }),
  };
  const { invalidData, merged, failure } = await program.mergeChecked(
    { data, options, check },
    call,
  );
  assertAcceptableData(
    invalidData,
    request,
    merged && {
      ...merged.report,
      failedAssets: [],
      missingGlyphs: [],
      overflow: [],
    },
  );
  if (merged === null) throw failure;
  return {
    merged,
    invalidData: [...invalidData, ...merged.report.invalidData],
  };
}

function getMergeOptions({ request, startedAt }: RenderJob): MergeOptions {
  const { isTest, renderOptions = {} } = request;
  const {
    pages: _pages,
    pdf: _pdf,
    html: _html,
    failedAssets: _failedAssets,
    invalidCodes,
    ...paper
  } = renderOptions;
  return {
    isTest,
    now: startedAt,
    // Only options that change the page: a template that keeps its own page is laid out only once.
    ...(Object.keys(paper).length > 0 && { renderOptions: paper }),
    ...(invalidCodes && { invalidCodes }),
  };
}

/** Whether all that is made is text for email clients, which fetch images by their URLs. */
function isTextForEmail({ request, template }: RenderJob): boolean {
  const { formats, preview, signing } = request;
  return (
    preview === "none" &&
    signing === null &&
    formats.every(
      (format) =>
        format === "mjml" ||
        (format === "html" && template.templateType === "email"),
    )
  );
}

/** In an email, images stay where they are, since many email clients show none that are part of the text. */
function linkToAssets(
  text: string,
  { assets }: Pick<MergedDocument, "assets">,
  { byToken, addresses, videos }: ResolvedAssets,
): string {
  const html = linkVideos(text, videos);
  return linkAssets({ html, assets }, byToken, addresses);
}

/** The error that the render was aborted with, when the abort gave one. */
function getAbortReason({ signal }: Deadline): PlatenError | null {
  const reason: unknown = signal.reason;
  return reason instanceof PlatenError ? reason : null;
}

/** The row of a failed document that was rendered while its caller waited: it has no lock and no batch. */
function createRow(
  { documentId, startedAt, request, template }: RenderJob,
  now: Date,
): Omit<Document, never> {
  return {
    id: documentId,
    organizationId: request.organizationId,
    templateId: template.id,
    templateVersion: template.version,
    definitionHash: template.definitionHash,
    status: "failed",
    formats: [...request.formats],
    imageType: request.imageType,
    isTest: request.isTest,
    outputs: [],
    metadata: null,
    fileName: null,
    error: null,
    attempts: 1,
    interruptions: 0,
    isRetrying: false,
    batchId: null,
    batchIndex: null,
    lockToken: null,
    lockedUntil: null,
    expiresAt: request.expiresAt,
    purgeAt: null,
    completedAt: now,
    createdById: request.createdById,
    createdAt: startedAt,
    updatedAt: now,
  };
}

/** A claimed row and its outcome. */
export interface QueuedSuccess {
  row: Document;
  ended: SucceededDocument;
}

/**
 * Records queued documents that end together, with one unit of usage for each.
 * @returns false when a claim was lost; then the caller must roll back the transaction.
 */
export async function recordQueuedSucceeded(
  tx: EntityManager,
  successes: readonly QueuedSuccess[],
): Promise<boolean> {
  const ids = successes.map(({ row }) => row.id);
  const tokens = successes.map(({ row }) => row.lockToken ?? "");
  const own = (valueOf: (success: QueuedSuccess) => string) => ({
    text: `CASE id ${ids.map(() => "WHEN ? THEN ?").join(" ")} END`,
    values: successes.flatMap((one) => [one.row.id, valueOf(one)]),
  });
  const outputs = own(({ ended }) => JSON.stringify(ended.outputs));
  const metadata = own(({ row, ended: { report } }) =>
    JSON.stringify({
      ...row.metadata,
      platen: { ...getPlatenMetadata(row), report },
    }),
  );
  const fileName = own(({ ended }) => ended.fileName);
  const at = own(({ ended }) => formatDatetime(ended.completedAt));
  const changed = await changeRows(
    tx,
    `UPDATE document SET status = 'succeeded', outputs = ${outputs.text}, metadata = ${metadata.text},
       file_name = ${fileName.text}, completed_at = ${at.text}, updated_at = ${at.text},
       purge_at = expires_at, error = NULL, attempts = attempts + 1, is_retrying = 0,
       lock_token = NULL, locked_until = NULL
     WHERE id IN (${marks(ids)}) AND lock_token IN (${marks(tokens)}) AND status = 'rendering'`,
    [outputs, metadata, fileName, at, at]
      .flatMap(({ values }) => values)
      .concat(ids, tokens),
  );
  if (changed !== successes.length) return false;
  const live = successes.filter(({ row }) => !row.isTest);
  const organizations = new Set(live.map(({ row }) => row.organizationId));
  // Always in the same order, so that two transactions cannot deadlock.
  for (const id of [...organizations].toSorted()) {
    const ofOne = live.filter(({ row }) => row.organizationId === id);
    const day = ofOne[0]?.ended.completedAt ?? new Date();
    await countUsage(tx, id, "documents", ofOne.length, day);
  }
  return true;
}

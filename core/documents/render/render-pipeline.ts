import type { EntityManager } from "typeorm";
import { getPlatenMetadata } from "../list/document-view.js";
import { countUsage } from "../../accounts/index.js";
import { clock } from "../../lib/clock.js";
import { FairQueue } from "../../lib/fair-queue.js";
import { stringifyJson } from "../../lib/json.js";
import {
  type Deadline,
  formatError,
  type Log,
  PlatenError,
} from "../../plugin-api/index.js";
import {
  type Renderer,
  RENDERER,
  BACKGROUND_RENDERER,
} from "../../rendering/index.js";
import { InlineTemplates } from "../../templates/index.js";
import {
  Document,
  GroupCommit,
  insertRow,
  insertRows,
  type Store,
  changeRows,
  formatDatetime,
  marks,
  STORE,
} from "../../storage/database/index.js";
import { insertTexts } from "../../storage/files/index.js";
import { ProgramCache } from "./compiled-templates.js";
import { OrganizationFonts } from "./content/organization-fonts.js";
import { Pictures } from "./content/pictures.js";
import {
  DocumentRender,
  type RenderServices,
  type StoredDocument,
} from "./document-render.js";
import {
  OutputStore,
  type RenderResult,
  toRenderResult,
} from "../files/output-files.js";
import { EMBED_FONTS } from "./content/embedded-fonts.js";
import { confirmNumbers, Numbers, toNumbers } from "./numbers.js";
import { PdfPostProcessor } from "./pdf-post-processor.js";
import { RecentPayloads } from "../list/recent-payloads.js";
import {
  type InlineRenderRequest,
  createRenderJob,
  type QueuedDocument,
  type RenderJob,
  type RenderRequest,
  resumeRenderJob,
} from "./render-request.js";
import type { Phases } from "./phases.js";
import { RenderMetrics } from "./render-metrics.js";
import { countWarnings } from "./render-report.js";
import { type SignatureView, type Signing, SIGNING } from "./signing.js";

import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../../lib/injection.js";
import { EmailImages } from "../../assets/index.js";
import { LOG, CONFIG } from "../../lib/process-values.js";
import type { EmbedFonts } from "./content/embedded-fonts.js";

// One record becomes one document: load the template's version, compile it, merge the data, print, store the files,
// record the row. `RenderPipeline.render` serves a caller who waits; `renderQueued` runs the same stages on a row that
// was queued and claimed. The stages are in document-render.ts, what signing adds to them in signing-stage.ts.

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

/** A document that was recorded. */
export interface RenderedDocument extends StoredDocument {
  result: RenderResult;
  /** How many problems its report lists. */
  warnings: number;
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
  record(ended: StoredDocument): Promise<boolean>;
}

/**
 * Renders a claimed document. Resolves to false when the claim was lost meanwhile: then nothing is recorded and no file
 * is left. Rejects when the render fails and leaves the row as it was; the caller decides what a failure means.
 */
export type RenderQueued = (
  queued: QueuedDocument,
  watch: QueuedRenderOptions,
) => Promise<boolean>;

/** A document that a caller waits for, to be recorded. */
interface Success {
  job: RenderJob;
  rendered: RenderedDocument;
  watch: RenderCallbacks;
}

/** Documents without a PDF often end together; nobody waits for others. */
const SUCCESS_GROUP = { gatherMs: 0, most: 16 };

/** Renders documents, while a caller waits and for batches. */
@scoped(Lifecycle.ContainerScoped)
export class RenderPipeline implements RenderServices {
  readonly #successes: GroupCommit<Success, void>;

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(ProgramCache) readonly programs: ProgramCache,
    @inject(Pictures) readonly pictures: Pictures,
    @inject(OrganizationFonts) readonly fonts: OrganizationFonts,
    @inject(RENDERER) private readonly renderer: Renderer,
    @inject(BACKGROUND_RENDERER)
    private readonly backgroundRenderer: Renderer,
    @inject(PdfPostProcessor) readonly postProcessor: PdfPostProcessor,
    @inject(EmailImages) readonly emailImages: EmailImages,
    @inject(EMBED_FONTS) readonly embedFonts: EmbedFonts,
    @inject(OutputStore) readonly outputs: OutputStore,
    @inject(Numbers) readonly numbers: Numbers,
    @inject(SIGNING) readonly signing: Signing,
    @inject(RecentPayloads)
    private readonly payloads: Pick<RecentPayloads, "note">,
    @inject(RenderMetrics) private readonly metrics: RenderMetrics,
    @inject(LOG) private readonly log: Log,
  ) {
    this.#successes = new GroupCommit(
      store.unitOfWork,
      (tx, group) => this.#writeSuccesses(tx, group),
      SUCCESS_GROUP,
    );
  }

  readonly render: RenderDocument = async (request, watch) => {
    const job = await createRenderJob(this.store.read, request, (phase) =>
      watch.onPhase?.(phase),
    );
    const { deadline, log = this.log } = watch;
    const render = new DocumentRender(this, this.renderer, job, deadline);
    try {
      const rendered = await this.#recordSucceeded(
        job,
        await render.run(),
        watch,
      );
      this.metrics.succeeded(job, log);
      return rendered;
    } catch (thrown) {
      await this.#releaseNumbers(render);
      if (job.rejection !== null) throw job.rejection;
      const error = getAbortReason(deadline) ?? thrown;
      await this.#recordFailed(job, error);
      this.metrics.failed(job, log, error);
      throw error;
    } finally {
      if (job.rejection === null) watch.onRecorded(job.documentId);
    }
  };

  readonly renderQueued: RenderQueued = async (queued, watch) => {
    const { deadline } = watch;
    const job = resumeRenderJob(queued);
    const log = this.log.child({ batchId: queued.row.batchId });
    const render = new DocumentRender(
      this,
      this.backgroundRenderer,
      job,
      deadline,
    );
    try {
      const stored = await render.run();
      const isRecorded = await watch.record(stored);
      // Otherwise its files stay until they are swept as orphans: a commit whose answer was lost may have recorded them.
      if (isRecorded) this.metrics.succeeded(job, log);
      else await this.#releaseNumbers(render);
      return isRecorded;
    } catch (thrown) {
      await this.#releaseNumbers(render);
      const error = getAbortReason(deadline) ?? thrown;
      this.metrics.failed(job, log, error);
      throw error;
    }
  };

  /**
   * Renders a PDF that becomes a part of another file: it is neither recorded nor counted nor kept.
   * @throws PlatenError as a render
   */
  async renderPart(
    request: RenderRequest,
    deadline: Deadline,
  ): Promise<{ bytes: Uint8Array; pages: number }> {
    const job = await createRenderJob(this.store.read, request);
    job.isPart = true;
    const renderer = this.backgroundRenderer;
    const stored = await new DocumentRender(
      this,
      renderer,
      job,
      deadline,
    ).run();
    await this.outputs.remove(stored.files);
    const [file] = stored.files;
    if (!file || stored.pages === null)
      throw new PlatenError("render_failed", "The PDF was not printed.");
    return { bytes: file.bytes, pages: stored.pages };
  }

  /** Those of a document that was recorded all the same are kept. When it fails, they become free by themselves. */
  async #releaseNumbers({ numbers }: DocumentRender): Promise<void> {
    try {
      await this.numbers.release(numbers);
    } catch (error) {
      this.log.warn(
        { err: error },
        "failed to release the numbers of a document",
      );
    }
  }

  /**
   * Writes the document's row, its texts and, unless it is a test, one unit of usage in one transaction. When that fails,
   * files stay: the row may exist all the same, if the connection broke after the commit; otherwise they are swept as orphans.
   */
  async #recordSucceeded(
    job: RenderJob,
    stored: StoredDocument,
    watch: RenderCallbacks,
  ): Promise<RenderedDocument> {
    const { formats, timer } = job;
    const { files } = stored;
    const rendered: RenderedDocument = {
      ...stored,
      result: toRenderResult(
        files.filter(({ format }) => formats.includes(format)),
      ),
      warnings: countWarnings(stored.report),
      phases: timer.phases,
      signatureId: null,
    };
    await timer.time("record", () =>
      this.#successes.run({ job, rendered, watch }),
    );
    return { ...rendered, phases: timer.phases };
  }

  async #writeSuccesses(
    tx: EntityManager,
    group: readonly Success[],
  ): Promise<void[]> {
    const rows = group.map(({ job, rendered }) => ({
      ...createRow(job, rendered.completedAt),
      status: "succeeded" as const,
      outputs: rendered.outputs,
      metadata: { platen: toPlatenMetadata(rendered) },
      fileName: rendered.fileName,
      purgeAt: job.expiresAt,
    }));
    await insertRows(tx, Document, rows);
    const all = group.map(({ rendered }) => rendered);
    await insertTexts(
      tx,
      all.flatMap(({ files }) => files),
      clock.date(),
    );
    await confirmNumbers(
      tx,
      all.flatMap(({ numbers }) => numbers),
    );
    for (const { job, rendered, watch } of group) {
      rendered.signatureId = rendered.sign && (await rendered.sign(tx));
      await watch.alongside?.(tx, rendered);
      // Nobody designs the template of a definition in a request.
      if (!job.isInline)
        await this.payloads.note(
          tx,
          {
            organizationId: job.organizationId,
            templateId: job.template.id,
            source: "document",
            json: () => stringifyJson(job.data),
          },
          job.startedAt,
        );
    }
    await countDocuments(tx, rows);
    return group.map(() => undefined);
  }

  /** A failed document is not counted and has no files. When even its row cannot be written, it is logged. */
  async #recordFailed(job: RenderJob, error: unknown): Promise<void> {
    const row = { ...createRow(job, clock.date()), error: formatError(error) };
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
}

/** Renders a document while its caller waits. */
export const RENDER_DOCUMENT =
  createToken<RenderRequestedDocument>("RenderDocument");
provide(RENDER_DOCUMENT, (c) => {
  const max = c.resolve(CONFIG).render.perOrganization;
  const { render } = c.resolve(RenderPipeline);
  const signed = startSigning(render, c.resolve(SIGNING), c.resolve(LOG));
  return acceptInlineDefinitions(
    limitRenders(signed, max),
    c.resolve(InlineTemplates),
  );
});
/** Renders a document that a batch queued. */
export const RENDER_QUEUED = createToken<RenderQueued>("RenderQueued");
provide(RENDER_QUEUED, (c) => c.resolve(RenderPipeline).renderQueued);

/**
 * Starts the signing of what was rendered; it continues in the background. The document exists whatever happens to its
 * signing.
 */
function startSigning(
  render: RenderDocument,
  signing: Pick<Signing, "startNow" | "view">,
  serviceLog: Log,
): RenderDocument {
  return async (request, watch) => {
    const rendered = await render(request, watch);
    const { signatureId, result, phases } = rendered;
    if (signatureId === null) return rendered;
    const { organizationId } = request;
    watch.onPhase?.("sign");
    const started = performance.now();
    let signature: SignatureView;
    try {
      signature = await signing.startNow(
        organizationId,
        signatureId,
        watch.deadline,
      );
    } catch (error) {
      serviceLog.error(
        { signatureId, err: error },
        "failed to start a signature request",
      );
      signature = await signing.view(organizationId, signatureId);
    }
    return {
      ...rendered,
      result: { ...result, signature },
      phases: { ...phases, sign: performance.now() - started },
    };
  };
}

/** Renders one document, of a template or of a definition in the request. */
export type RenderRequestedDocument = (
  request: RenderRequest | InlineRenderRequest,
  watch: RenderCallbacks,
) => Promise<RenderedDocument>;

/** Lets requests bring a definition instead of a template. @throws PlatenError `invalid_definition` before anything is rendered */
function acceptInlineDefinitions(
  render: RenderDocument,
  templates: Pick<InlineTemplates, "resolve">,
): RenderRequestedDocument {
  return async (request, watch) => {
    if ("templateId" in request) return render(request, watch);
    const { definition, templateType, ...rest } = request;
    const owner = {
      organizationId: request.organizationId,
      userId: request.createdById,
    };
    const inline = { definition, templateType };
    const templateId = await templates.resolve(owner, inline);
    return render({ ...rest, templateId, isInline: true }, watch);
  };
}

/** More callers of one organization than this do not wait at all, since each request is kept in memory. */
const maxWaiting = 256;
const maxWaitMs = 10_000;

/**
 * Keeps one organization from occupying the whole process: further renders than `max` wait for a short time, then are
 * `busy`. null: no limit.
 */
function limitRenders(
  render: RenderDocument,
  max: number | null,
): RenderDocument {
  if (max === null) return render;
  const organizations = new Map<string, FairQueue>();
  const queue = {
    what: "other documents of its organization",
    maxWaiting,
    maxWaitMs,
    busy: `This organization already renders ${max} documents at once. Send fewer at a time, or send a batch.`,
  };
  return async (request, watch) => {
    const { organizationId } = request;
    const { deadline } = watch;
    const slots =
      organizations.get(organizationId) ?? new FairQueue(max, queue);
    organizations.set(organizationId, slots);
    try {
      return await slots.run({ deadline }, () => render(request, watch));
    } finally {
      if (slots.busy === 0) organizations.delete(organizationId);
    }
  };
}

/** The error that the render was aborted with, when the abort gave one. */
function getAbortReason({ signal }: Deadline): PlatenError | null {
  const reason: unknown = signal.reason;
  return reason instanceof PlatenError ? reason : null;
}

/** The row of a failed document that was rendered while its caller waited: it has no lock and no batch. */
function createRow(job: RenderJob, now: Date): Omit<Document, never> {
  const { organizationId, template, formats, imageType, isTest } = job;
  return {
    id: job.documentId,
    organizationId,
    templateId: template.id,
    templateVersion: template.version,
    definitionHash: template.definitionHash,
    status: "failed",
    formats: [...formats],
    locale: job.locale,
    imageType,
    isTest,
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
    expiresAt: job.expiresAt,
    purgeAt: null,
    completedAt: now,
    createdById: job.createdById,
    createdAt: job.startedAt,
    updatedAt: now,
  };
}

/** What a document's metadata says of its render. */
function toPlatenMetadata({ report, numbers }: StoredDocument) {
  return {
    report,
    ...(numbers.length > 0 && { numbers: toNumbers(numbers) }),
  };
}

/** A claimed row and its outcome. */
export interface QueuedSuccess {
  row: Document;
  ended: StoredDocument;
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
  const buildCase = (valueOf: (success: QueuedSuccess) => string) => ({
    text: `CASE id ${ids.map(() => "WHEN ? THEN ?").join(" ")} END`,
    values: successes.flatMap((success) => [success.row.id, valueOf(success)]),
  });
  const outputs = buildCase(({ ended }) => JSON.stringify(ended.outputs));
  const metadata = buildCase(({ row, ended }) =>
    JSON.stringify({
      ...row.metadata,
      platen: { ...getPlatenMetadata(row), ...toPlatenMetadata(ended) },
    }),
  );
  const fileName = buildCase(({ ended }) => ended.fileName);
  const at = buildCase(({ ended }) => formatDatetime(ended.completedAt));
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
  const files = successes.flatMap(({ ended }) => ended.files);
  await insertTexts(tx, files, clock.date());
  const numbers = successes.flatMap(({ ended }) => ended.numbers);
  await confirmNumbers(tx, numbers);
  await countDocuments(
    tx,
    successes.map(({ row }) => row),
  );
  return true;
}

/** Counts those that are no tests. */
async function countDocuments(
  tx: EntityManager,
  documents: readonly Pick<Document, "organizationId" | "isTest">[],
): Promise<void> {
  const counts = new Map<string, number>();
  for (const { organizationId, isTest } of documents)
    if (!isTest)
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
  const now = clock.date();
  // Always in the same order, so that two transactions cannot deadlock.
  for (const id of [...counts.keys()].toSorted())
    await countUsage(tx, id, "documents", counts.get(id) ?? 0, now);
}

import pLimit from "p-limit";
import type { EmailImages } from "../../assets/index.js";
import {
  isRemote,
  linkAssets,
  linkVideos,
  type MergedDocument,
  type MergedEinvoice,
  type MergeOptions,
} from "../../compiler/index.js";
import type { ProgramCall, ProgramRunner } from "../../compute/index.js";
import { clock } from "../../lib/clock.js";
import type { Deadline, Format, Output } from "../../plugin-api/index.js";
import { DEFAULT_SCALE, type Renderer } from "../../rendering/index.js";
import { describeTemplate, type ProgramCache } from "./compiled-templates.js";
import { toEmailImage } from "./content/email-images.js";
import type { OrganizationFonts } from "./content/organization-fonts.js";
import type { Pictures, ResolvedAssets } from "./content/pictures.js";
import { assertValidEinvoice, embedEinvoice, isEmbedded } from "./einvoices.js";
import { OutputRenderer } from "./output-renderer.js";
import {
  type OutputStore,
  safeFileName,
  type StoredFile,
  toOutput,
} from "../files/output-files.js";
import {
  toHtmlOutput,
  toPrintableDocument,
  type PrintedDocument,
} from "./printable-document.js";
import { type Numbers, type ReservedNumber, toNumbers } from "./numbers.js";
import type { PdfPostProcessor } from "./pdf-post-processor.js";
import {
  assertAcceptable,
  assertAcceptableData,
  findClippedHtml,
  toRenderReport,
  type RenderReport,
} from "./render-report.js";
import type { RenderJob } from "./render-request.js";
import type { RecordDocument, Signing } from "./signing.js";
import { SigningStage } from "./signing-stage.js";
import type { EmbedFonts } from "./content/embedded-fonts.js";

/** A document whose files are stored, and which is not recorded yet. */
export interface StoredDocument extends PrintedDocument {
  files: readonly StoredFile[];
  /** Every file, with its link. */
  outputs: Output[];
  completedAt: Date;
  /** Writes its signature request; null when the document is not sent for signature. */
  sign: RecordDocument | null;
  /** To be confirmed with its row. */
  numbers: readonly ReservedNumber[];
}

export interface RenderServices {
  programs: ProgramCache;
  pictures: Pictures;
  fonts: OrganizationFonts;
  postProcessor: PdfPostProcessor;
  emailImages: Pick<EmailImages, "publish">;
  embedFonts: EmbedFonts;
  outputs: OutputStore;
  numbers: Pick<Numbers, "reserve">;
  signing: Pick<Signing, "prepare">;
}

/** The stages of one render, from its job to its stored files. */
export class DocumentRender {
  readonly #call: ProgramCall;
  /** Null for a document that is not sent for signature. */
  readonly #signing: SigningStage | null;
  /** The numbers of sequences that it prints. When the document is not recorded, they must be released. */
  numbers: readonly ReservedNumber[] = [];

  constructor(
    private readonly services: RenderServices,
    private readonly renderer: Renderer,
    private readonly job: RenderJob,
    private readonly deadline: Deadline,
  ) {
    const { organizationId, template } = job;
    this.#signing = job.signing && new SigningStage(services.signing, job);
    this.#call = {
      organizationId,
      subject: describeTemplate(template),
      deadline,
      definition: template.definition,
    };
  }

  /** Files are stored before the row that names them is written. */
  async run(): Promise<StoredDocument> {
    const { job, deadline, services } = this;
    const [call, signing] = [this.#call, this.#signing];
    const { pictures, fonts, postProcessor } = services;
    const { documentId, organizationId, data, template, timer } = job;

    // A signed document needs a PDF, whether it was requested or not.
    const formats = signing
      ? [...new Set([...job.formats, "pdf" as const])]
      : job.formats;

    // Load and compile.
    const program = await timer.time("compile", () =>
      services.programs.program(template, call),
    );

    // Merge the data, and fetch the images and fonts that the result refers to.
    await signing?.prepare(program.connection);
    const { merged, options } = await this.#merge(program);
    await signing?.settle(merged.signFields, () =>
      program.addressees({ data, options }, call),
    );
    const mjml = formats.includes("mjml")
      ? await timer.time("mjml", () => program.mjml({ data, options }, call))
      : null;
    const einvoice = await this.#createEinvoice(program, formats, options);
    const isText = isTextForEmail(job, formats);
    const references = [...merged.assets, ...(mjml?.assets ?? [])].filter(
      (reference) => !isText || !pictures.isElsewhere(reference),
    );
    const fetched = await timer.time("assets", () =>
      pictures.resolve(organizationId, references, deadline),
    );
    const assets = signing ? signing.cleanImages(fetched) : fetched;
    const isEmail = template.templateType === "email";
    await this.#publishImages(
      [
        ...(isEmail && formats.includes("html") ? merged.assets : []),
        ...(mjml?.assets ?? []),
      ],
      assets,
    );
    const faces = await timer.time("assets", () =>
      fonts.findFaces(organizationId, merged, template.writtenAt),
    );

    // Print.
    const { conformance, structure, finish } = await postProcessor.plan(
      {
        organizationId,
        formats,
        options: job.renderOptions?.pdf,
        isUnsigned: job.isPart,
      },
      {
        title: merged.title,
        language: merged.language,
        pdf: merged.pdf,
        signNonce: options.signingNonce ?? null,
        embedded: einvoice && embedEinvoice(einvoice),
      },
    );
    const document = toPrintableDocument(
      merged,
      assets,
      faces,
      { owner: organizationId, deadline, ...structure },
      (headerHeights) =>
        program.merge({ data, options: { ...options, headerHeights } }, call),
    );
    const outputs = new OutputRenderer(
      this.renderer,
      services.embedFonts,
      job,
      {
        ...document,
        htmlOutput: isEmail
          ? linkToAssets(merged.html, merged, assets)
          : signing
            ? signing.cleanHtml(toHtmlOutput(document))
            : toHtmlOutput(document),
        mjml: mjml && linkToAssets(mjml.mjml, mjml, assets),
        xml: einvoice && einvoice.xml,
        finish,
      },
    );
    const files = await outputs.renderAll(formats);
    const previews = await outputs.renderPreviews(job.preview);
    const { missingGlyphs, overflow } = outputs.flaws;
    const report: RenderReport = {
      ...merged.report,
      definitionWarnings: job.isInline ? await program.warnings(call) : [],
      failedAssets: assets.failed,
      changedAssets: assets.changed,
      // The renderer knows only its own fonts: characters that the organization's fonts have are not missing.
      missingGlyphs: await fonts.characters.findMissing(
        organizationId,
        missingGlyphs,
        faces,
      ),
      overflow,
      clippedHtml: files
        .filter(({ format }) => isEmail && format === "html")
        .flatMap(({ bytes }) => findClippedHtml(bytes.length)),
    };
    assertAcceptable(report, job, conformance);

    const fileName = merged.fileName ?? safeFileName(template.name);
    const printed: PrintedDocument = {
      documentId,
      // Signers read the title in emails, where "Document" means nothing.
      title: merged.pdf.title ?? fileName,
      fileName,
      files,
      pdf: outputs.finishedPdf,
      report,
      pages: outputs.pages,
      previews,
    };
    const located = signing?.locateFields(printed);

    // Store.
    const stored = await timer.time("store", () =>
      services.outputs.save(
        { documentId, fileName, expiresAt: job.expiresAt },
        files,
      ),
    );
    return {
      ...printed,
      files: stored,
      outputs: stored.map(toOutput),
      completedAt: clock.date(),
      sign: (located && signing?.record(printed, stored, located)) ?? null,
      numbers: this.numbers,
    };
  }

  /**
   * Checks the record against the template's schema and merges it; once more when it prints numbers of sequences, which
   * only a merge finds out. @throws as `checkAndMerge`
   */
  async #merge(
    program: ProgramRunner,
  ): Promise<{ merged: MergedDocument; options: MergeOptions }> {
    const { job, deadline, services } = this;
    const { timer } = job;
    let options = getMergeOptions(job, this.#signing?.nonce);
    const merge = () =>
      timer.time("merge", () =>
        checkAndMerge(program, job, options, this.#call),
      );
    let merged = await merge();
    while (merged.sequences.length > 0 && !job.isPart) {
      const { sequences } = merged;
      const reserved = await timer.time("merge", () =>
        services.numbers.reserve(job, sequences, deadline.at),
      );
      this.numbers = [...this.numbers, ...reserved];
      options = { ...options, numbers: toNumbers(this.numbers) };
      merged = await merge();
    }
    return { merged, options };
  }

  /**
   * The electronic invoice of the record; null when none was requested and the PDF contains none.
   * @throws PlatenError `merge_failed` for a record that breaks its rules, before anything is fetched or printed
   */
  async #createEinvoice(
    program: ProgramRunner,
    formats: readonly Format[],
    options: MergeOptions,
  ): Promise<MergedEinvoice | null> {
    const { data, timer } = this.job;
    const isInPdf =
      isEmbedded(program.einvoiceProfile) && formats.includes("pdf");
    if (!isInPdf && !formats.includes("xml")) return null;
    return timer.time("einvoice", async () =>
      assertValidEinvoice(
        await program.einvoice({ data, options }, this.#call),
      ),
    );
  }

  /** Gives a URL to all images of an email that have none, since mail programs show nothing that is part of the text. */
  async #publishImages(
    references: MergedDocument["assets"],
    { byToken, addresses }: ResolvedAssets,
  ): Promise<void> {
    const { job, deadline, services } = this;
    const { organizationId } = job;
    const limit = pLimit(CONCURRENT_FILES);
    const unlinked = new Map(
      references
        .filter(
          (reference) =>
            !addresses.has(reference.token) && !isRemote(reference),
        )
        .map((reference) => [reference.token, reference]),
    );
    if (unlinked.size === 0) return;
    await job.timer.time("assets", () =>
      Promise.all(
        Array.from(unlinked, ([token, reference]) =>
          limit(async () => {
            deadline.check("drawing images");
            const image = toEmailImage(organizationId, reference, byToken);
            const url = await services.emailImages.publish(
              organizationId,
              image,
            );
            addresses.set(token, url);
          }),
        ),
      ),
    );
  }
}

/**
 * Checks the record against the template's schema and merges it. The report lists what both found.
 * @throws PlatenError `merge_failed` for data that the request does not accept, before anything is fetched or printed;
 * with `strict`, it also lists what the merge found.
 */
async function checkAndMerge(
  program: ProgramRunner,
  job: RenderJob,
  options: MergeOptions,
  call: ProgramCall,
): Promise<MergedDocument> {
  const { data, unknownFields, isFromPlatform } = job;
  const check = {
    unknownFields,
    // Databases deliver decimals as text.
    ...(isFromPlatform && {
      allowNumericStrings: true,
      findFormulaErrors: true,
    }),
  };
  const { invalidData, merged, failure } = await program.mergeChecked(
    { data, options, check },
    call,
  );
  assertAcceptableData(
    invalidData,
    job,
    merged && toRenderReport(merged.report),
  );
  if (merged === null) throw failure;
  const { report } = merged;
  return {
    ...merged,
    report: { ...report, invalidData: [...invalidData, ...report.invalidData] },
  };
}

function getMergeOptions(job: RenderJob, signingNonce?: string): MergeOptions {
  const { isTest, startedAt, locale, formats, renderOptions = {} } = job;
  const {
    pages: _pages,
    pdf,
    html: _html,
    failedAssets: _failedAssets,
    invalidCodes,
    ...paper
  } = renderOptions;
  return {
    isTest,
    now: startedAt,
    ...(locale !== null && { locale }),
    // Only options that change the page: a template that keeps its own page is laid out only once.
    ...(Object.keys(paper).length > 0 && { renderOptions: paper }),
    ...(invalidCodes && { invalidCodes }),
    ...(formats.includes("image") && {
      imageScale: paper.deviceScaleFactor ?? DEFAULT_SCALE,
    }),
    ...(signingNonce !== undefined && { signingNonce }),
    ...(pdf?.conformance && { conformance: pdf.conformance }),
  };
}

const CONCURRENT_FILES = 6;

/** Whether all that is made is text for email clients, which fetch images by their URLs. */
function isTextForEmail(
  { preview, template }: RenderJob,
  formats: readonly Format[],
): boolean {
  return (
    preview === "none" &&
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

import { randomUUID } from "node:crypto";
import type { CachedFile, PrintFormat } from "../views.js";
import type {
  CheckedEinvoice,
  MergedDocument,
  MergeOptions,
} from "../../compiler/index.js";
import {
  Compute,
  type ProgramCall,
  ProgramRunner,
} from "../../compute/index.js";
import type { ProjectData, TemplateType } from "../../definition/index.js";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { Deadline, type Problem } from "../../plugin-api/index.js";
import {
  type PageImage,
  type PrintedPdf,
  type Renderer,
  type Screenshot,
  RENDERER,
} from "../../rendering/index.js";
import { type Store, STORE } from "../../storage/database/index.js";
import { resolveDraft } from "../../templates/used-partials.js";
import {
  hashOf,
  type NewTemplate,
} from "../../templates/template-repository.js";
import { RENDER_TIMEOUT_MS } from "../../lib/process-values.js";
import {
  describeTemplate,
  ProgramCache,
} from "../render/compiled-templates.js";
import { OrganizationFonts } from "../render/content/organization-fonts.js";
import { Pictures, type ResolvedAssets } from "../render/content/pictures.js";
import {
  embedEinvoice,
  isEmbedded,
  listEinvoiceProblems,
} from "../render/einvoices.js";
import { mergeMail, type RenderedMail } from "../render/mails.js";
import { PdfPostProcessor } from "../render/pdf-post-processor.js";
import {
  type PrintableDocument,
  toHtmlOutput,
  toPrintableDocument,
} from "../render/printable-document.js";
import { EMBED_FONTS } from "../render/content/embedded-fonts.js";
import { reportProblems } from "../render/render-report.js";
import { type Preview, previewEmail, previewPages } from "./previews.js";
import type { EmbedFonts } from "../render/content/embedded-fonts.js";

/** What a document shows beside its data. */
interface Contents {
  pictures: Pictures;
  fonts: OrganizationFonts;
}

/** A checked definition whose partials are resolved, and how to print it. */
export interface DraftPrint extends Pick<
  NewTemplate,
  "templateType" | "definition"
> {
  /** By default, the definition's own sample. */
  data?: unknown;
  format: PrintFormat;
  /** Width of the window that shows an email, in CSS px; by default the email's own. */
  widthPx?: number | undefined;
  /** Whether a picture shows an email in dark mode. */
  isDark?: boolean | undefined;
}

export interface ProofSource extends Pick<
  DraftPrint,
  "templateType" | "definition" | "data"
> {
  /** What functions such as TODAY() take for the present time. */
  now: Date;
}

/** Makes the file that an unsaved definition would produce. Nothing is stored or counted. */
@scoped(Lifecycle.ContainerScoped)
export class DraftPrinter {
  constructor(
    @inject(Pictures) private readonly pictures: Pictures,
    @inject(OrganizationFonts) private readonly fonts: OrganizationFonts,
    @inject(RENDERER) private readonly renderer: Renderer,
    @inject(PdfPostProcessor)
    private readonly postProcessor: PdfPostProcessor,
    @inject(Compute) private readonly compute: Compute,
    @inject(EMBED_FONTS) private readonly embedFonts: EmbedFonts,
    @inject(RENDER_TIMEOUT_MS) private readonly timeoutMs: number,
  ) {}

  /**
   * Merges a draft now and prints it when its files are asked for. Codes that cannot be drawn are replaced by
   * placeholders. @throws PlatenError `merge_failed`
   */
  async proof(
    owner: string,
    source: ProofSource,
    cancelled?: AbortSignal,
  ): Promise<DraftProof> {
    const deadline = Deadline.after(this.timeoutMs, cancelled);
    const { program, call } = await this.#compile(owner, source, deadline);
    const { now, definition, data = definition.sample ?? {} } = source;
    const draft = await mergeDraft(
      { pictures: this.pictures, fonts: this.fonts },
      program,
      { data, now, invalidCodes: "placeholder" },
      call,
    );
    return new DraftProof(draft, {
      renderer: this.renderer,
      embedFonts: this.embedFonts,
      printPdf: (printed, document) => this.#printPdf(printed, document),
      createDeadline: () => Deadline.after(this.timeoutMs),
    });
  }

  /**
   * Codes that cannot be drawn are replaced by placeholders. @param cancelled ends it early.
   * @throws PlatenError `merge_failed`, or as `Renderer.pdf`.
   */
  async print(
    owner: string,
    print: DraftPrint,
    cancelled?: AbortSignal,
  ): Promise<CachedFile> {
    const { templateType, definition, format } = print;
    const deadline = Deadline.after(this.timeoutMs, cancelled);
    const { program, call } = await this.#compile(owner, print, deadline);
    const draft = await mergeDraft(
      { pictures: this.pictures, fonts: this.fonts },
      program,
      {
        data: print.data ?? definition.sample ?? {},
        invalidCodes: "placeholder",
      },
      call,
    );
    const { document } = draft;
    if (format === "html") {
      const bytes = Buffer.from(toHtmlOutput(document));
      return { bytes, mimeType: "text/html; charset=utf-8" };
    }
    if (format === "pdf") {
      const { bytes } = await this.#printPdf(draft, draft.document);
      return { bytes, mimeType: "application/pdf" };
    }
    return templateType === "email"
      ? this.#takeScreenshot(document, print)
      : this.#drawFirstPage(document);
  }

  /**
   * An email as it is sent, with its images attached, since a mailbox may not reach this service. Images on other
   * servers stay there. @throws PlatenError as `print`.
   */
  async mail(
    owner: string,
    { definition, data }: Pick<DraftPrint, "definition" | "data">,
  ): Promise<RenderedMail> {
    const deadline = Deadline.after(this.timeoutMs);
    const print = { templateType: "email", definition, data } as const;
    const { program, call } = await this.#compile(owner, print, deadline);
    return mergeMail(
      this.pictures,
      program,
      {
        id: randomUUID(),
        data: data ?? definition.sample ?? {},
        invalidCodes: "placeholder",
      },
      call,
    );
  }

  /** A draft that breaks rules is printed without its e-invoice. */
  async #printPdf(
    { merged, einvoice: checked }: Pick<MergedDraft, "merged" | "einvoice">,
    document: PrintableDocument,
  ): Promise<ProofPdf> {
    const { owner, title, deadline } = document;
    const einvoice = checked?.einvoice ?? null;
    const plan = await this.postProcessor.plan(
      {
        organizationId: owner,
        formats: ["pdf"],
        options: undefined,
        isUnsigned: true,
      },
      {
        title,
        language: merged.language,
        pdf: merged.pdf,
        signNonce: null,
        embedded: einvoice && embedEinvoice(einvoice),
      },
    );
    const printed = await this.renderer.pdf({
      ...document,
      ...plan.structure,
    });
    const bytes = plan.finish
      ? (await plan.finish(printed.bytes, deadline)).bytes
      : printed.bytes;
    return { bytes, printed };
  }

  async #drawFirstPage(document: PrintableDocument): Promise<CachedFile> {
    const [first] = await printPreview(this.renderer, document);
    return {
      bytes: first?.bytes ?? Buffer.alloc(0),
      mimeType: "image/png",
    };
  }

  /** Each keystroke makes another definition: compiling it without the cache keeps the programs of documents there. */
  async #compile(
    owner: string,
    {
      templateType,
      definition,
    }: Pick<DraftPrint, "templateType" | "definition">,
    deadline: Deadline,
  ) {
    const call = {
      organizationId: owner,
      subject: "This draft",
      definition: async () => definition,
      deadline,
    };
    const program = await ProgramRunner.compile(
      this.compute,
      { ...call, templateType, definitionHash: hashOf(definition) },
      call,
    );
    return { program, call };
  }

  async #takeScreenshot(
    { html, owner, page, deadline }: PrintableDocument,
    { widthPx = page.windowPx ?? page.widthPx, isDark }: DraftPrint,
  ): Promise<CachedFile> {
    const { bytes } = await this.renderer.screenshot({
      html,
      owner,
      widthPx,
      isDark,
      type: "png",
      scale: 1,
      deadline,
    });
    return { bytes, mimeType: "image/png" };
  }
}

interface ProofPdf {
  /** The file, with its properties, joined PDFs and password. */
  bytes: Buffer;
  printed: PrintedPdf;
}

interface ProofPrinter {
  renderer: Renderer;
  embedFonts: EmbedFonts;
  printPdf: (
    draft: Pick<MergedDraft, "merged" | "einvoice">,
    document: PrintableDocument,
  ) => Promise<ProofPdf>;
  createDeadline: () => Deadline;
}

/** A draft that was merged with one record. It is printed once, when its pages or its PDF are first asked for. */
export class DraftProof {
  #pdf: Promise<ProofPdf> | null = null;

  constructor(
    private readonly draft: MergedDraft,
    private readonly printer: ProofPrinter,
  ) {}

  get title(): string {
    return this.draft.document.title;
  }

  /** The size of a page, in CSS px. */
  get page(): PrintableDocument["page"] {
    return this.draft.document.page;
  }

  /** The html format's text. Fonts that ship with Platen are only named. */
  get html(): string {
    return toHtmlOutput(this.draft.document);
  }

  /** The html format's text with the fonts inside that its print uses. */
  async htmlWithFonts(): Promise<string> {
    const { printed } = await this.#print();
    return this.printer.embedFonts(
      this.html,
      printed.bytes,
      this.printer.createDeadline(),
    );
  }

  async pdf(): Promise<Buffer> {
    return (await this.#print()).bytes;
  }

  async countPages(): Promise<number> {
    return (await this.#print()).printed.pages;
  }

  /** @param pages such as `1-3` or `all` @param scale image pixels for each CSS px */
  async images(pages: string, scale: number): Promise<PageImage[]> {
    const { printed } = await this.#print();
    const { owner } = this.draft.document;
    const deadline = this.printer.createDeadline();
    const { bytes: pdf } = printed;
    const type = "png";
    const job = { pdf, type, pages, scale, owner, deadline } as const;
    return this.printer.renderer.images(job);
  }

  /** An email as a window of its own width shows it. */
  screenshot(scale: number): Promise<Screenshot> {
    const { html, owner, page } = this.draft.document;
    const deadline = this.printer.createDeadline();
    const widthPx = page.windowPx ?? page.widthPx;
    const type = "png";
    const job = { html, owner, widthPx, type, scale, deadline } as const;
    return this.printer.renderer.screenshot(job);
  }

  /** What the document is missing: values, images and codes; once it is printed, characters and room too. */
  async problems(): Promise<Problem[]> {
    const { merged, assets, einvoice } = this.draft;
    const { missingGlyphs, overflow } = (await this.#pdf)?.printed ?? {
      missingGlyphs: [],
      overflow: [],
    };
    const { report } = merged;
    const flaws = {
      definitionWarnings: [],
      failedAssets: assets.failed,
      changedAssets: assets.changed,
      missingGlyphs,
      overflow,
      clippedHtml: [],
    };
    return [
      ...reportProblems({ ...report, ...flaws }),
      ...(einvoice ? listEinvoiceProblems(einvoice) : []),
    ];
  }

  #print(): Promise<ProofPdf> {
    this.#pdf ??= this.printer.printPdf(this.draft, {
      ...this.draft.document,
      deadline: this.printer.createDeadline(),
    });
    return this.#pdf;
  }
}

/** Draws an unsaved, checked definition with its own sample record. */
@scoped(Lifecycle.ContainerScoped)
export class DraftPreviews {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read">,
    @inject(Pictures) private readonly pictures: Pictures,
    @inject(OrganizationFonts) private readonly fonts: OrganizationFonts,
    @inject(ProgramCache) private readonly programs: ProgramCache,
    @inject(RENDERER) private readonly renderer: Renderer,
    @inject(RENDER_TIMEOUT_MS) private readonly timeoutMs: number,
  ) {}

  /**
   * Draws the first page, or the top of an email. Nothing is stored or counted.
   * @param cancelled ends it early. @throws PlatenError `merge_failed`, or as `Renderer.pdf`.
   */
  async draw(
    owner: string,
    {
      templateType,
      definition: written,
    }: Pick<DraftPrint, "templateType" | "definition">,
    cancelled?: AbortSignal,
  ): Promise<Preview[]> {
    const { store, pictures, fonts, programs, renderer } = this;
    const deadline = Deadline.after(this.timeoutMs, cancelled);
    const definition = await resolveDraft(
      store.read,
      owner,
      templateType,
      written,
    );
    const document = await mergeSample(
      { pictures, fonts, programs },
      {
        organizationId: owner,
        templateType,
        definition,
        definitionHash: hashOf(definition),
      },
      deadline,
    );
    if (templateType !== "email") return printPreview(renderer, document);
    const { html, page } = document;
    const email = { html, owner, widthPx: page.windowPx ?? page.widthPx };
    return previewEmail(renderer, email, "first", deadline);
  }
}

async function printPreview(
  renderer: Renderer,
  document: PrintableDocument,
): Promise<Preview[]> {
  const { owner, deadline } = document;
  const { bytes: pdf, pages } = await renderer.pdf(document);
  const all = { pdf, pages, owner, sheet: document.page };
  return previewPages(renderer, all, "first", deadline);
}

interface SampleParts extends Contents {
  programs: Pick<ProgramCache, "program">;
}

/** A definition to be shown with its own sample record. */
interface SampleSource {
  organizationId: string;
  templateType: TemplateType;
  definition: ProjectData;
  definitionHash: string;
  /** The template's; left out for a draft. */
  name?: string;
}

/** The document of a template's own sample. @throws PlatenError `merge_failed`. */
export async function mergeSample(
  parts: SampleParts,
  source: SampleSource,
  deadline: Deadline,
): Promise<PrintableDocument> {
  const { organizationId, definition } = source;
  const call = {
    organizationId,
    subject:
      source.name === undefined
        ? "This draft"
        : describeTemplate({ name: source.name }),
    definition: async () => definition,
    deadline,
  };
  const program = await parts.programs.program({ ...source, ...call }, call);
  const record = { data: definition.sample ?? {} };
  const draft = await mergeDraft(parts, program, record, call);
  return draft.document;
}

interface MergedDraft {
  merged: MergedDocument;
  document: PrintableDocument;
  assets: Pick<ResolvedAssets, "failed" | "changed">;
  /** Of a profile that is embedded in PDFs; null for others. */
  einvoice: CheckedEinvoice | null;
}

async function mergeDraft(
  { pictures, fonts }: Contents,
  program: Pick<ProgramRunner, "merge" | "einvoice" | "einvoiceProfile">,
  {
    data,
    ...choice
  }: { data: unknown; now?: Date } & Pick<MergeOptions, "invalidCodes">,
  call: ProgramCall & { deadline: Deadline },
): Promise<MergedDraft> {
  const { organizationId: owner, deadline } = call;
  const options = { isTest: false, now: clock.date(), ...choice };
  const merged = await program.merge({ data, options }, call);
  const assets = await pictures.resolve(owner, merged.assets, deadline);
  const faces = await fonts.findFaces(owner, merged);
  const document = toPrintableDocument(
    merged,
    assets,
    faces,
    { owner, deadline },
    (headerHeights) =>
      program.merge({ data, options: { ...options, headerHeights } }, call),
  );
  const einvoice = isEmbedded(program.einvoiceProfile)
    ? await program.einvoice(
        { data, options: { ...options, isTest: true } },
        call,
      )
    : null;
  return { merged, document, assets, einvoice };
}

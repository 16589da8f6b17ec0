import type {
  DraftChange,
  DraftPrintRequest,
  DraftSource,
  DraftStatus,
  DraftSaved,
  DraftView,
  Publication,
} from "./views.js";
import { type Actor, recordAudit, type Visitor } from "../../accounts/index.js";
import {
  getDesignFacts,
  type DraftAnalysis,
  type EditorDesign,
  type DesignFont,
} from "../../compiler/index.js";
import { Compute } from "../../compute/index.js";
import {
  renameField,
  findFieldUses,
  type FieldReference,
} from "../../definition/index.js";
import {
  DraftPrinter,
  OrganizationFonts,
  RecentPayloads,
  type CachedFile,
  type RecentPayload,
} from "../../documents/index.js";
import { clock } from "../../lib/clock.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  type Store,
  type Template,
  User,
  STORE,
} from "../../storage/database/index.js";
import { inject, Lifecycle, scoped, createToken } from "../../lib/injection.js";
import { type Mailer, MAILER } from "../../lib/mailer.js";
import {
  checkTemplate,
  findTemplate,
  findTemplateForUpdate,
  blueprint,
  blueprints,
  runChecked,
  type BlueprintCard,
} from "../index.js";
import { loadPartials, resolveDraft } from "../used-partials.js";
import {
  checkPublication,
  draftDefinition,
  endDraft,
  findDraft,
  publishDraft,
  readDraftView,
  readPulse,
  saveDraft,
  staleDraft,
} from "./drafts.js";

/** Registered by core/app, since drafts know nothing of the renderer. */
export const SHIPPED_FONTS = createToken<ShippedFonts>("ShippedFonts");

const monthSeconds = 30 * 24 * 3600;

/** Everything that the template editor needs, on behalf of the signed-in user. */
@scoped(Lifecycle.ContainerScoped)
export class DraftService {
  readonly #gallery: BlueprintGallery;
  /** The same for everybody and expensive, since codes are drawn for it: created when the first editor opens. */
  #facts: ReturnType<typeof getDesignFacts> | null = null;

  constructor(
    @inject(STORE)
    private readonly store: Pick<Store, "read" | "snapshot" | "unitOfWork">,
    @inject(DraftPrinter) private readonly printer: DraftPrinter,
    @inject(OrganizationFonts)
    private readonly fonts: Pick<OrganizationFonts, "faces">,
    @inject(RecentPayloads)
    private readonly payloads: Pick<RecentPayloads, "list">,
    @inject(SHIPPED_FONTS) private readonly shippedFonts: ShippedFonts,
    @inject(Compute) private readonly compute: Compute,
    @inject(MAILER) private readonly mailer: Pick<Mailer, "send"> | null,
  ) {
    this.#gallery = new BlueprintGallery(printer);
  }

  open({ organizationId }: Visitor, templateId: string): Promise<DraftView> {
    return this.store.snapshot(async (read) => {
      const template = await findTemplate(read, organizationId, templateId);
      return readDraftView(read, template);
    });
  }

  /** Cheap, because open editors poll it. */
  pulse(
    { organizationId }: Pick<Visitor, "organizationId">,
    id: string,
  ): Promise<DraftStatus> {
    return this.store.snapshot((read) => readPulse(read, organizationId, id));
  }

  /**
   * @throws PlatenError `conflict` when the revision or the base is outdated; `invalid_request` when the value is not a
   * definition.
   */
  async save(
    visitor: Visitor,
    templateId: string,
    change: DraftChange,
  ): Promise<DraftSaved> {
    const { organizationId } = visitor;
    const definition = draftDefinition(change.definition);
    const at = clock.date();
    const saved = await this.store.unitOfWork.run(async (tx) => {
      const template = await findTemplate(tx, organizationId, templateId);
      const foundDraft = await findDraft(tx, organizationId, templateId);
      const whole = { ...change, definition };
      await saveDraft(tx, visitor, { template, draft: foundDraft }, whole, at);
      return { template, revision: foundDraft.revision + 1 };
    });
    // After the transaction, so that no lock is held while the definition is validated.
    const { templateType } = saved.template;
    const facts = await this.#analyze(
      organizationId,
      { templateType, definition },
      saved.template,
    );
    return { revision: saved.revision, savedAt: at.toISOString(), facts };
  }

  /** Deletes the draft with its unpublished changes. @throws PlatenError `conflict`. */
  async discard(
    visitor: Visitor,
    templateId: string,
    revision: number,
  ): Promise<DraftView> {
    const { organizationId } = visitor;
    await this.store.unitOfWork.run(async (tx) => {
      await findTemplate(tx, organizationId, templateId);
      const foundDraft = await findDraft(tx, organizationId, templateId);
      if (foundDraft.revision !== revision) throw staleDraft();
      if (foundDraft.draft === null) return;
      await endDraft(tx, { id: templateId, organizationId }, revision);
      await recordAudit(tx, actorOf(visitor), {
        organizationId,
        action: "template.draft_discarded",
        subject: templateId,
        details: { revision },
      });
    });
    return this.open(visitor, templateId);
  }

  /**
   * Makes the draft the template's definition and deletes it, atomically.
   * @throws PlatenError `conflict` when the revision is outdated or the template was redefined after the draft's base;
   * `invalid_definition` with all problems.
   */
  async publish(
    visitor: Visitor,
    templateId: string,
    publication: Publication,
  ): Promise<DraftView> {
    const { store, compute } = this;
    const { organizationId } = visitor;
    const { read } = store;
    const actor = actorOf(visitor);
    await runChecked(
      () =>
        checkPublication(
          read,
          compute,
          organizationId,
          templateId,
          publication,
        ),
      (checked) =>
        store.unitOfWork.run(async (tx) => {
          const template = await findTemplateForUpdate(
            tx,
            organizationId,
            templateId,
          );
          await publishDraft(
            tx,
            visitor,
            template,
            publication,
            checked,
            actor,
          );
        }),
    );
    return this.open(visitor, templateId);
  }

  /** @throws PlatenError `not_found` for a template that is not this organization's. */
  async check(
    { organizationId }: Visitor,
    { templateId, ...draft }: DraftSource & { templateId?: string | undefined },
  ): Promise<DraftAnalysis> {
    const template =
      templateId === undefined
        ? null
        : await findTemplate(this.store.read, organizationId, templateId);
    return this.#analyze(organizationId, draft, template);
  }

  /**
   * A draft that cannot be analyzed, because it takes too long or too much memory, has that as its problem: it is saved.
   * @param template whose published definition limits what the draft may become; null for none.
   */
  async #analyze(
    organizationId: string,
    { templateType, definition: written }: DraftSource,
    template: Pick<Template, "definition"> | null,
  ): Promise<DraftAnalysis> {
    try {
      const { library } = await loadPartials(
        this.store.read,
        organizationId,
        templateType,
        written,
      );
      return await this.compute.analyze(
        {
          written,
          templateType,
          previous: template?.definition,
          partials: library,
        },
        { organizationId, subject: "This draft" },
      );
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      const { code, message } = error;
      return {
        place: [],
        problems: [{ path: "$", code, message }],
        unfinished: [],
        warnings: [],
        repeats: {},
        conditions: {},
        values: {},
        markup: {},
        drawings: {},
        counts: {},
        rows: {},
        sampleProblems: [],
        einvoiceProblems: null,
      };
    }
  }

  /**
   * Renders a preview with the production renderer, without storing or counting it. Barcodes that cannot be drawn are
   * replaced by their error. @param cancelled aborts it.
   * @throws PlatenError `invalid_definition` with all problems, `merge_failed`, or the error of the render.
   */
  async print(
    { organizationId }: Visitor,
    order: DraftPrintRequest,
    cancelled?: AbortSignal,
  ): Promise<CachedFile> {
    const { templateType, definition: written, data, widthPx, isDark } = order;
    const { read } = this.store;
    const checked = await checkTemplate(read, this.compute, organizationId, {
      name: "Draft",
      templateType,
      definition: written,
    });
    const definition = await resolveDraft(
      read,
      organizationId,
      templateType,
      checked.definition,
    );
    const { format = templateType === "email" ? "html" : "pdf" } = order;
    const print = { templateType, definition, data, format, widthPx, isDark };
    return this.printer.print(organizationId, print, cancelled);
  }

  /**
   * Sends an email template to the visitor's own address, with a record or the definition's sample, its images attached
   * and its subject marked as a test. It is neither stored nor counted.
   * @throws PlatenError `conflict` when no mail server is configured, `unavailable` with the reply of a server that does
   * not take it, and as `print`.
   */
  async sendTest(
    { organizationId, userId }: Visitor,
    { definition: written, data }: { definition: unknown; data?: unknown },
  ): Promise<{ address: string }> {
    const { compute, mailer, printer, store } = this;
    if (mailer === null)
      throw new PlatenError(
        "conflict",
        "Emails cannot be sent: no mail server is configured. Set PLATEN_SMTP_URL and PLATEN_MAIL_FROM.",
      );
    const { read } = store;
    const checked = await checkTemplate(read, compute, organizationId, {
      name: "Draft",
      templateType: "email",
      definition: written,
    });
    const definition = await resolveDraft(
      read,
      organizationId,
      "email",
      checked.definition,
    );
    const mail = await printer.mail(organizationId, { definition, data });
    const { name, email } = await read.findOneByOrFail(User, {
      id: userId,
    });
    const subject = `[Test] ${mail.subject.replaceAll(/\s+/g, " ").trim()}`;
    await mailer.send({ ...mail, to: { name, address: email }, subject });
    return { address: email };
  }

  /** The data of the latest documents, newest first; empty when the service stores none. */
  async recentPayloads(
    { organizationId }: Visitor,
    templateId: string,
  ): Promise<RecentPayload[]> {
    const { store, payloads } = this;
    await findTemplate(store.read, organizationId, templateId);
    return payloads.list(organizationId, templateId);
  }

  async design({ organizationId }: Visitor): Promise<EditorDesign> {
    const ownFaces = await this.fonts.faces(organizationId);
    this.#facts ??= getDesignFacts();
    return { ...this.#facts, ...designFonts(this.shippedFonts, ownFaces) };
  }

  /** A shipped font as TTF. @throws PlatenError `not_found`. */
  async font(file: string): Promise<CachedFile> {
    const bytes = await this.shippedFonts.read(file);
    return { bytes, mimeType: "font/ttf", maxAgeSeconds: monthSeconds };
  }

  blueprints(): BlueprintCard[] {
    return this.#gallery.cards();
  }

  /** A picture of its first page with its sample. @throws PlatenError `not_found`. */
  blueprintPicture(
    { organizationId }: Visitor,
    blueprintId: string,
  ): Promise<CachedFile> {
    return this.#gallery.picture(organizationId, blueprintId);
  }
}

function actorOf({ userId }: Visitor): Actor {
  return { origin: "studio", userId, keyId: null };
}

/** Finds and renames the uses of a field in a definition that is being edited. */
@scoped(Lifecycle.ContainerScoped)
export class FieldService {
  /** The paths of the strings that use the field, once per use. */
  uses({ definition, ...field }: FieldReference) {
    return findFieldUses(definition, field);
  }

  /**
   * The changes that rename the field wherever it is used, and in the sample.
   * @throws PlatenError `invalid_request` for a name that is taken, or that has another meaning somewhere.
   */
  rename({ definition, ...field }: FieldReference, to: string) {
    return renameField(definition, field, to);
  }
}

type Face = Pick<DesignFont, "family" | "weight" | "style">;

/** The fonts that the renderer brings along. */
export interface ShippedFonts {
  faces: readonly (Face & { file: string })[];
  aliases: Record<string, string>;
  /** @throws PlatenError `not_found`. */
  read(file: string): Promise<Uint8Array>;
}

/** The font families of the editor and their faces: the shipped ones, then the organization's own. */
function designFonts(
  { faces, aliases }: Omit<ShippedFonts, "read">,
  ownFaces: readonly (Face & { url: string })[],
): Pick<EditorDesign, "fontFamilies" | "fonts" | "fontAliases"> {
  const fonts = [
    ...faces.map(({ file, ...face }) => ({ ...face, source: { file } })),
    ...ownFaces.map(({ url, ...face }) => ({ ...face, source: { url } })),
  ];
  return {
    fontFamilies: [...new Set(fonts.map(({ family }) => family))],
    fonts,
    fontAliases: aliases,
  };
}

const weekSeconds = 7 * 24 * 3600;
/** Twice the display width, for high-density screens. */
const widthPx = 560;

/** The blueprints that templates can start from, with a picture of each. */
class BlueprintGallery {
  /** By id. Blueprints are few and never change, so each picture is drawn once. */
  readonly #pictures = new Map<string, Promise<CachedFile>>();

  constructor(private readonly printer: DraftPrinter) {}

  /** Documents before emails. */
  cards(): BlueprintCard[] {
    return blueprints().map(
      ({ definition: _definition, brand: _brand, ...card }) => card,
    );
  }

  /** The first page with its sample data, as webp. @throws PlatenError `not_found`, or as a render. */
  picture(organizationId: string, wanted: string): Promise<CachedFile> {
    const { id, templateType, definition } = blueprint(wanted);
    const cached = this.#pictures.get(id);
    if (cached) return cached;
    const order = { templateType, definition, format: "png" } as const;
    const drawn = this.printer.print(organizationId, order).then(resize);
    this.#pictures.set(id, drawn);
    // A failure is not cached: the next request tries again.
    drawn.catch(() => this.#pictures.delete(id));
    return drawn;
  }
}

async function resize({ bytes }: CachedFile): Promise<CachedFile> {
  const { default: sharp } = await import("sharp");
  const picture = sharp(bytes).resize({ width: widthPx }).webp();
  return {
    bytes: await picture.toBuffer(),
    mimeType: "image/webp",
    maxAgeSeconds: weekSeconds,
  };
}

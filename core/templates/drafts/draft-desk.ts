import type { Actor } from "../../accounts/index.js";
import type {
  AppDrafts,
  AppFile,
  AppVisitor,
  BlueprintCard,
  DraftFacts,
  DraftPulse,
  DraftSaved,
  DraftView,
  EditorDesign,
  RecentPayload,
} from "../../plugin-api/index.js";
import {
  type DraftPrinter,
  type OwnFonts,
  type RecentPayloads,
} from "../../documents/index.js";
import { checkTemplate, findTemplate } from "../index.js";
import type { Store } from "../../storage/database/index.js";
import { designFacts } from "../../compiler/index.js";
import { BlueprintGallery } from "./blueprint-gallery.js";
import { checkDraft } from "./check-draft.js";
import { designFonts, type ShippedFonts } from "./design-fonts.js";
import { Drafts } from "./drafts.js";

export interface DraftDeskParts {
  store: Pick<Store, "read" | "snapshot" | "unitOfWork">;
  printer: DraftPrinter;
  fonts: Pick<OwnFonts, "faces">;
  payloads: Pick<RecentPayloads, "list">;
  /** The fonts that the renderer brings along. */
  shipped: ShippedFonts;
}

const monthSeconds = 30 * 24 * 3600;

type Input<K extends keyof AppDrafts> = Parameters<AppDrafts[K]>;

/** All that an editor asks for, in the name of whoever is signed in. */
export class DraftDesk implements AppDrafts {
  readonly #drafts: Drafts;
  readonly #gallery: BlueprintGallery;
  /** The same for everybody, and codes are drawn for it: gathered when the first editor opens. */
  #facts: ReturnType<typeof designFacts> | null = null;

  constructor(private readonly parts: DraftDeskParts) {
    this.#drafts = new Drafts(parts.store);
    this.#gallery = new BlueprintGallery(parts.printer);
  }

  open({ organizationId }: AppVisitor, templateId: string): Promise<DraftView> {
    return this.#drafts.open(organizationId, templateId);
  }

  pulse(
    { organizationId }: AppVisitor,
    templateId: string,
  ): Promise<DraftPulse> {
    return this.#drafts.pulse(organizationId, templateId);
  }

  save(...[visitor, templateId, change]: Input<"save">): Promise<DraftSaved> {
    return this.#drafts.save(visitor, templateId, change);
  }

  discard(
    ...[visitor, templateId, revision]: Input<"discard">
  ): Promise<DraftView> {
    return this.#drafts.discard(
      visitor,
      templateId,
      revision,
      actorOf(visitor),
    );
  }

  publish(
    ...[visitor, templateId, publication]: Input<"publish">
  ): Promise<DraftView> {
    return this.#drafts.publish(
      visitor,
      templateId,
      publication,
      actorOf(visitor),
    );
  }

  check(...[{ organizationId }, draft]: Input<"check">): Promise<DraftFacts> {
    return checkDraft(this.parts.store.read, organizationId, draft);
  }

  async print(
    ...[{ organizationId }, order, cancelled]: Input<"print">
  ): Promise<AppFile> {
    const { templateType, definition: written, data, widthPx } = order;
    const { definition } = checkTemplate({
      name: "Draft",
      templateType,
      definition: written,
    });
    const { format = templateType === "email" ? "html" : "pdf" } = order;
    const print = { templateType, definition, data, format, widthPx };
    return this.parts.printer.print(organizationId, print, cancelled);
  }

  async recentPayloads(
    { organizationId }: AppVisitor,
    templateId: string,
  ): Promise<RecentPayload[]> {
    const { store, payloads } = this.parts;
    await findTemplate(store.read, organizationId, templateId);
    return payloads.list(organizationId, templateId);
  }

  async design({ organizationId }: AppVisitor): Promise<EditorDesign> {
    const own = await this.parts.fonts.faces(organizationId);
    this.#facts ??= designFacts();
    return { ...this.#facts, ...designFonts(this.parts.shipped, own) };
  }

  async font(file: string): Promise<AppFile> {
    const bytes = await this.parts.shipped.read(file);
    return { bytes, mimeType: "font/ttf", maxAgeSeconds: monthSeconds };
  }

  blueprints(): BlueprintCard[] {
    return this.#gallery.cards();
  }

  blueprintPicture(
    { organizationId }: AppVisitor,
    blueprintId: string,
  ): Promise<AppFile> {
    return this.#gallery.picture(organizationId, blueprintId);
  }
}

function actorOf({ userId }: AppVisitor): Actor {
  return { origin: "studio", userId, keyId: null };
}

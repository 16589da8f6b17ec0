import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  type ByteRange,
  Deadline,
  type FileStore,
  PlatenError,
} from "../../plugin-api/index.js";
import { type Renderer, RENDERER } from "../../rendering/index.js";
import {
  isId,
  type Store,
  Template,
  STORE,
} from "../../storage/database/index.js";
import { ThumbnailLinks } from "../../storage/files/index.js";
import {
  findCurrentPartials,
  hashWithPartials,
} from "../../templates/used-partials.js";
import { LISTED, loadDefinition } from "../../templates/template-repository.js";
import { FILE_STORE, RENDER_TIMEOUT_MS } from "../../lib/process-values.js";
import { OrganizationFonts } from "../render/content/organization-fonts.js";
import { Pictures } from "../render/content/pictures.js";
import { ProgramCache } from "../render/compiled-templates.js";
import { mergeSample } from "./draft-printer.js";

/** A stored thumbnail, png. */
export interface Thumbnail {
  sizeBytes: number;
  open(range?: ByteRange): Promise<Awaited<ReturnType<FileStore["open"]>>>;
}

const columns = {
  id: true,
  organizationId: true,
  name: true,
  templateType: true,
  definitionHash: true,
  partials: true,
  thumbnailKey: true,
} as const;
type TemplateRow = Pick<Template, keyof typeof columns>;

const widthPx = 480;

/** Thumbnails of templates: the first page with the sample record, drawn on the first request and then stored. */
@scoped(Lifecycle.ContainerScoped)
export class Thumbnails {
  private readonly drawing = new Map<string, Promise<void>>();

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(ThumbnailLinks) private readonly links: ThumbnailLinks,
    @inject(Pictures) private readonly pictures: Pictures,
    @inject(OrganizationFonts) private readonly fonts: OrganizationFonts,
    @inject(ProgramCache) private readonly programs: ProgramCache,
    @inject(RENDERER) private readonly renderer: Renderer,
    @inject(RENDER_TIMEOUT_MS) private readonly timeoutMs: number,
  ) {}

  /** @param key from the URL, see `ThumbnailLinks`. @throws PlatenError `not_found` when it does not belong to the template. */
  async find(templateId: string, key: string): Promise<Thumbnail> {
    const { store, links, files } = this;
    const row = isId(templateId)
      ? await store.read.findOne(Template, {
          where: { id: templateId, ...LISTED },
          select: columns,
        })
      : null;
    if (!row || !links.isKey(row.id, hashWithPartials(row), key))
      throw new PlatenError("not_found", "There is no such picture.");
    const storageKey = getStorageKey(row);
    const sizeBytes =
      (await files.size(storageKey)) ?? (await this.draw(row, storageKey));
    return { sizeBytes, open: (range) => files.open(storageKey, range) };
  }

  /** Concurrent requests for one thumbnail share its drawing. */
  private async draw(row: TemplateRow, storageKey: string): Promise<number> {
    const running =
      this.drawing.get(storageKey) ??
      this.drawAndStore(row, storageKey).finally(() =>
        this.drawing.delete(storageKey),
      );
    this.drawing.set(storageKey, running);
    await running;
    return (await this.files.size(storageKey)) ?? 0;
  }

  private async drawAndStore(
    row: TemplateRow,
    storageKey: string,
  ): Promise<void> {
    const { files, store } = this;
    await files.put(storageKey, await this.drawPage(row));
    await store.unitOfWork.run(async (tx) => {
      await tx.update(Template, { id: row.id }, { thumbnailKey: storageKey });
    });
    if (row.thumbnailKey !== null && row.thumbnailKey !== storageKey)
      await files.delete(row.thumbnailKey);
  }

  /** The first page with the sample record, as png. */
  private async drawPage(row: TemplateRow): Promise<Buffer> {
    const { pictures, fonts, programs, renderer } = this;
    const deadline = Deadline.after(this.timeoutMs);
    const { read } = this.store;
    const current = await findCurrentPartials(read, row, () =>
      loadDefinition(read, Template, row),
    );
    const { definitionHash } = current;
    const definition = await current.definition();
    const document = await mergeSample(
      { pictures, fonts, programs },
      { ...row, definitionHash, definition },
      deadline,
    );
    const { bytes } = await renderer.pdf(document);
    const [image] = await renderer.images({
      pdf: bytes,
      type: "png",
      pages: "1",
      scale: widthPx / document.page.widthPx,
      owner: row.organizationId,
      deadline,
    });
    if (image) return image.bytes;
    throw new PlatenError("render_failed", "The thumbnail has no page.");
  }
}

function getStorageKey(row: TemplateRow): string {
  const hash = hashWithPartials(row).slice(0, 32);
  return `thumbnails/${hash.slice(0, 2)}/${row.id}.${hash}.png`;
}

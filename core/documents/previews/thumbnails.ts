import {
  type ByteRange,
  Deadline,
  type FileStore,
  PlatenError,
} from "../../plugin-api/index.js";
import type { Renderer } from "../../rendering/index.js";
import { isId, type Store, Template } from "../../storage/database/index.js";
import type { ThumbnailLinks } from "../../storage/files/index.js";
import { loadDefinition } from "../../templates/template-repository.js";
import type { OrganizationFonts } from "../content/organization-fonts.js";
import type { Pictures } from "../content/pictures.js";
import type { ProgramCache } from "../compiled-templates.js";
import { mergeSample, type SampleParts } from "./draft-printer.js";

export interface ThumbnailParts {
  store: Store;
  files: FileStore;
  pictures: Pictures;
  fonts: OrganizationFonts;
  programs: ProgramCache;
  renderer: Renderer;
  links: ThumbnailLinks;
  timeoutMs: number;
}

/** A stored thumbnail, png. */
export interface Thumbnail {
  sizeBytes: number;
  open(range?: ByteRange): Promise<Awaited<ReturnType<FileStore["open"]>>>;
}

const columns = {
  id: true,
  organizationId: true,
  templateType: true,
  definitionHash: true,
  thumbnailKey: true,
} as const;
type TemplateRow = Pick<Template, keyof typeof columns>;

/** Thumbnails of templates: the first page with the sample record, drawn on the first request and then stored. */
export class Thumbnails {
  private readonly drawing = new Map<string, Promise<void>>();

  constructor(private readonly parts: ThumbnailParts) {}

  /** @param key from the URL, see `ThumbnailLinks`. @throws PlatenError `not_found` when it does not belong to the template. */
  async find(templateId: string, key: string): Promise<Thumbnail> {
    const { store, links, files } = this.parts;
    const row = isId(templateId)
      ? await store.read.findOne(Template, {
          where: { id: templateId },
          select: columns,
        })
      : null;
    if (!row || !links.isKey(row.id, row.definitionHash, key))
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
    return (await this.parts.files.size(storageKey)) ?? 0;
  }

  private async drawAndStore(
    row: TemplateRow,
    storageKey: string,
  ): Promise<void> {
    const { files, store, timeoutMs } = this.parts;
    const deadline = Deadline.after(timeoutMs);
    await files.put(storageKey, await drawThumbnail(this.parts, row, deadline));
    await store.unitOfWork.run(async (tx) => {
      await tx.update(Template, { id: row.id }, { thumbnailKey: storageKey });
    });
    if (row.thumbnailKey !== null && row.thumbnailKey !== storageKey)
      await files.delete(row.thumbnailKey);
  }
}

function getStorageKey({ id, definitionHash }: TemplateRow): string {
  const hash = definitionHash.slice(0, 32);
  return `thumbnails/${hash.slice(0, 2)}/${id}.${hash}.png`;
}

const widthPx = 480;

/** The first page of a template with its sample record, as png, 480 pixels wide. */
async function drawThumbnail(
  parts: SampleParts & { store: Store; renderer: Renderer },
  template: Pick<
    Template,
    "id" | "organizationId" | "templateType" | "definitionHash"
  >,
  deadline: Deadline,
): Promise<Buffer> {
  const { store, renderer } = parts;
  const definition = await loadDefinition(store.read, Template, template);
  const source = { ...template, definition };
  const document = await mergeSample(parts, source, deadline);
  const { bytes } = await renderer.pdf({
    ...document,
    owner: template.organizationId,
    deadline,
  });
  const scale = widthPx / document.page.widthPx;
  const [image] = await renderer.images({
    pdf: bytes,
    type: "png",
    pages: "1",
    scale,
    deadline,
  });
  if (image) return image.bytes;
  throw new PlatenError("render_failed", "The thumbnail has no page.");
}

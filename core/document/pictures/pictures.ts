import pLimit from "p-limit";
import type { EntityManager } from "typeorm";
import { Deadline, type FileStore } from "../../contract/index.js";
import type { Outbound } from "../../outbound/index.js";
import type { Asset } from "../../store/index.js";
import {
  type AssetReference,
  bytesOfDataUrl,
  isRemote,
} from "../../template/index.js";
import type { Picture } from "./encode-picture.js";
import { PictureCache } from "./picture-cache.js";
import { pictureFault, reasonOf } from "../../asset/index.js";
import type { PictureLimits } from "./picture-limits.js";
import { RemotePictures } from "./remote-pictures.js";
import { StoredPictures } from "./stored-pictures.js";
import { withinDeadline } from "./within-deadline.js";

/** An image that could not be had; a placeholder is drawn in its place. */
export interface FailedAsset {
  /** At most 200 characters of it. */
  source: string;
  reason: string;
}

export interface ResolvedAssets {
  /** Data URLs by token; null for what failed. */
  byToken: Map<string, string | null>;
  failed: FailedAsset[];
}

/** Fetches of one document that run at once. */
const AT_ONCE = 6;

/** How much of the time that a document has left may go into waiting for its images; the rest is for the print. */
const SHARE_OF_TIME = 0.5;

/**
 * Brings the images that merged documents refer to, as data URLs: from other machines, from the organization's assets,
 * and those that came along as data URLs, all held to the same limits and each encoded once.
 */
export class Pictures {
  private readonly cache: PictureCache;
  private readonly stored: StoredPictures;
  private readonly remote: RemotePictures;

  constructor(
    parts: { read: EntityManager; files: FileStore; outbound: Outbound },
    private readonly limits: PictureLimits,
  ) {
    this.cache = new PictureCache(limits);
    this.stored = new StoredPictures(parts.read, parts.files, this.cache);
    this.remote = new RemotePictures(parts.outbound, this.cache, limits);
  }

  async resolve(
    organizationId: string,
    references: readonly AssetReference[],
    deadline: Deadline,
  ): Promise<ResolvedAssets> {
    const sources = [...new Set(references.map(({ source }) => source))];
    const found = await this.bring(organizationId, sources, deadline);
    this.keepToTotal(found);
    return {
      byToken: new Map(
        references.map(({ token, source }) => {
          const picture = found.get(source);
          return [token, isPicture(picture) ? picture.dataUrl : null];
        }),
      ),
      failed: [...found].flatMap(([source, picture]) =>
        isPicture(picture)
          ? []
          : [{ source: source.slice(0, 200), reason: picture }],
      ),
    };
  }

  /** The images by source, in the order of the sources; in place of what failed, why it did. */
  private async bring(
    organizationId: string,
    sources: readonly string[],
    deadline: Deadline,
  ): Promise<Map<string, Picture | string>> {
    const rows = await this.stored.rows(organizationId, sources.flatMap(idOf));
    const far = sources.filter((source) => isRemote({ source }));
    const refused = new Set(far.slice(this.limits.maxCount));
    const limit = pLimit(AT_ONCE);
    const time = timeFor(far, deadline);
    const found = sources.map(async (source) => {
      if (refused.has(source)) return this.tooMany();
      const bring = () => this.one(organizationId, source, rows);
      return limit(() => withinDeadline(bring, time)).catch(reasonOf);
    });
    const pictures = await Promise.all(found);
    deadline.check("fetching images");
    return new Map(
      sources.map((source, index) => [source, pictures[index] ?? ""]),
    );
  }

  private async one(
    organizationId: string,
    source: string,
    rows: ReadonlyMap<string, Asset>,
  ): Promise<Picture> {
    const [id] = idOf(source);
    if (id !== undefined) return this.stored.picture(rows.get(id));
    if (isRemote({ source }))
      return this.remote.picture(organizationId, source);
    const bytes = bytesOfDataUrl(source);
    return (await this.cache.encode(organizationId, bytes)).picture;
  }

  private tooMany(): string {
    return `A document may fetch ${this.limits.maxCount} images from other machines, and this is one more.`;
  }

  private keepToTotal(found: Map<string, Picture | string>): void {
    const { maxTotalBytes } = this.limits;
    let total = 0;
    for (const [source, picture] of found) {
      if (!isPicture(picture)) continue;
      total += picture.sizeBytes;
      if (total <= maxTotalBytes) continue;
      const reason = `With it, the document's images are larger than ${maxTotalBytes} bytes.`;
      found.set(source, pictureFault(reason).message);
    }
  }
}

/** Nothing is timed where there is nothing to wait for. */
function timeFor(far: readonly string[], deadline: Deadline): Deadline {
  if (far.length === 0) return deadline;
  return Deadline.after(deadline.remainingMs * SHARE_OF_TIME, deadline.signal);
}

function isPicture(found: Picture | string | undefined): found is Picture {
  return typeof found === "object";
}

function idOf(source: string): string[] {
  const [, id] = /^asset:(.+)$/i.exec(source) ?? [];
  return id === undefined ? [] : [id];
}

import pLimit from "p-limit";
import { type AssetLinks, pictureFault, reasonOf } from "../../assets/index.js";
import {
  type AssetReference,
  decodeDataUrl,
  isRemote,
} from "../../compiler/index.js";
import type { Outbound } from "../../lib/outbound/index.js";
import { Deadline, type FileStore } from "../../plugin-api/index.js";
import {
  type Picture,
  PictureCache,
  type PictureLimits,
} from "./picture-cache.js";
import { raceWithAbort } from "../../lib/race-with-abort.js";
import { RemotePictures } from "./remote-pictures.js";
import { StoredPictures, type StoredRows } from "./stored-pictures.js";
import { inject, injectable } from "../../lib/injection.js";
import { FILE_STORE } from "../../lib/tokens.js";
import { ASSET_LINKS } from "../../assets/tokens.js";
import { OUTBOUND } from "../../lib/outbound/tokens.js";
import { type Store } from "../../storage/database/index.js";
import { STORE } from "../../storage/database/tokens.js";
import { PICTURE_LIMITS } from "../tokens.js";

/** An image that could not be fetched; a placeholder is drawn instead. */
export interface FailedAsset {
  /** At most 200 characters of the source. */
  source: string;
  reason: string;
}

export interface ResolvedAssets {
  /** Data URLs by token; null for what failed. */
  byToken: Map<string, string | null>;
  /** Public URLs of images from the library, by token. */
  addresses: Map<string, string>;
  /** URLs of videos, by the token of the picture that represents them. */
  videos: Map<string, string>;
  failed: FailedAsset[];
}

/** Concurrent fetches of one document. */
const AT_ONCE = 6;

/** Share of a document's remaining time that may be spent on fetching images; the rest is for printing. */
const SHARE_OF_TIME = 0.5;

/**
 * Resolves the images that merged documents refer to into data URLs: remote images, the organization's assets, and
 * data URLs, all under the same limits and each encoded once.
 */
@injectable()
export class Pictures {
  private readonly cache: PictureCache;
  private readonly stored: StoredPictures;
  private readonly remote: RemotePictures;

  constructor(
    @inject(STORE) { read }: Pick<Store, "read">,
    @inject(FILE_STORE) files: FileStore,
    @inject(ASSET_LINKS) links: AssetLinks,
    @inject(OUTBOUND) outbound: Outbound,
    @inject(PICTURE_LIMITS) private readonly limits: PictureLimits,
  ) {
    this.cache = new PictureCache(limits);
    this.stored = new StoredPictures(read, files, links, this.cache);
    this.remote = new RemotePictures(outbound, this.cache, limits);
  }

  async resolve(
    organizationId: string,
    references: readonly AssetReference[],
    deadline: Deadline,
  ): Promise<ResolvedAssets> {
    const sources = [...new Set(references.map(({ source }) => source))];
    const rows = await this.stored.rows(organizationId, sources);
    const found = await this.bring(organizationId, sources, rows, deadline);
    this.keepToTotal(found);
    return {
      ...this.#places(references, rows),
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

  /** Whether the image has to be fetched from another server. */
  isElsewhere(reference: Pick<AssetReference, "source">): boolean {
    return isRemote(reference) && !this.stored.isAsset(reference.source);
  }

  #places(
    references: readonly AssetReference[],
    rows: StoredRows,
  ): Pick<ResolvedAssets, "addresses" | "videos"> {
    const addresses = new Map<string, string>();
    const videos = new Map<string, string>();
    for (const { token, source } of references) {
      const row = rows.get(source);
      if (!row) continue;
      const { picture, video } = this.stored.addressesOf(row);
      addresses.set(token, picture);
      if (video !== null) videos.set(token, video);
    }
    return { addresses, videos };
  }

  /** The images by source, in the order of the sources; for a failed one, the reason. */
  private async bring(
    organizationId: string,
    sources: readonly string[],
    rows: StoredRows,
    deadline: Deadline,
  ): Promise<Map<string, Picture | string>> {
    const far = sources.filter((source) => this.isElsewhere({ source }));
    const refused = new Set(far.slice(this.limits.maxCount));
    const limit = pLimit(AT_ONCE);
    const time = timeFor(far, deadline);
    const found = sources.map(async (source) => {
      if (refused.has(source)) return this.tooMany();
      const bring = () => this.one(organizationId, source, rows);
      return limit(() => raceWithAbort(bring, time.signal, lateError)).catch(
        reasonOf,
      );
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
    rows: StoredRows,
  ): Promise<Picture> {
    if (this.stored.isAsset(source))
      return this.stored.picture(rows.get(source));
    if (isRemote({ source }))
      return this.remote.picture(organizationId, source);
    const bytes = decodeDataUrl(source);
    return (await this.cache.encode(organizationId, bytes)).picture;
  }

  private tooMany(): string {
    return `A document may fetch at most ${this.limits.maxCount} remote images.`;
  }

  private keepToTotal(found: Map<string, Picture | string>): void {
    const { maxTotalBytes } = this.limits;
    let total = 0;
    for (const [source, picture] of found) {
      if (!isPicture(picture)) continue;
      total += picture.sizeBytes;
      if (total <= maxTotalBytes) continue;
      const reason = `With this image, the document's images exceed ${maxTotalBytes} bytes.`;
      found.set(source, pictureFault(reason).message);
    }
  }
}

function lateError(): Error {
  return pictureFault(
    "It could not be fetched in the time that the document has left.",
  );
}

/** Without remote images there is nothing to wait for, and no timer is started. */
function timeFor(far: readonly string[], deadline: Deadline): Deadline {
  if (far.length === 0) return deadline;
  return Deadline.after(deadline.remainingMs * SHARE_OF_TIME, deadline.signal);
}

function isPicture(found: Picture | string | undefined): found is Picture {
  return typeof found === "object";
}

// The images of documents: fetched, checked, made harmless and kept for the next document.

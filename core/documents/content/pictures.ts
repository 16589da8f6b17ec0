import { buffer } from "node:stream/consumers";
import pLimit from "p-limit";
import { type EntityManager, In } from "typeorm";
import {
  type AssetLinks,
  pictureFault,
  reasonOf,
  posterSvg,
} from "../../assets/index.js";
import {
  type AssetReference,
  decodeDataUrl,
  isRemote,
  escapeXml,
} from "../../compiler/index.js";
import type { Outbound } from "../../lib/outbound/index.js";
import { raceWithAbort } from "../../lib/race-with-abort.js";
import { Deadline, type FileStore } from "../../plugin-api/index.js";
import { Asset, isId } from "../../storage/database/index.js";
import {
  type Picture,
  PictureCache,
  type PictureLimits,
} from "./picture-cache.js";
import { RemotePictures } from "./remote-pictures.js";

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
export class Pictures {
  private readonly cache: PictureCache;
  private readonly stored: StoredPictures;
  private readonly remote: RemotePictures;

  constructor(
    parts: {
      read: EntityManager;
      files: FileStore;
      links: AssetLinks;
      outbound: Outbound;
    },
    private readonly limits: PictureLimits,
  ) {
    this.cache = new PictureCache(limits);
    const { read, files, links } = parts;
    this.stored = new StoredPictures(read, files, links, this.cache);
    this.remote = new RemotePictures(parts.outbound, this.cache, limits);
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

/** The library's assets by the source that refers to them. */
type StoredRows = ReadonlyMap<string, Asset>;

/**
 * The images and videos in an organization's library. Definitions and data refer to them as `asset:<id>` or by their
 * URL, which is not fetched. Assets in the trash are still shown.
 */
class StoredPictures {
  constructor(
    private readonly read: EntityManager,
    private readonly files: FileStore,
    private readonly links: AssetLinks,
    private readonly cache: PictureCache,
  ) {}

  /** Whether a source refers to an asset, which may not exist. */
  isAsset(source: string): boolean {
    return idOf(source) !== null || this.links.read(source) !== null;
  }

  /** Assets of other organizations and other types are left out. */
  async rows(
    organizationId: string,
    sources: readonly string[],
  ): Promise<StoredRows> {
    const named = sources.map((source) => ({ source, ...this.nameOf(source) }));
    const ids = named.flatMap(({ id }) => id ?? []);
    const linkKeys = named.flatMap(({ linkKey }) => linkKey ?? []);
    const all = { organizationId, assetType: In(["image", "video"]) };
    const found = [
      ...(ids.length > 0
        ? await this.read.findBy(Asset, { ...all, id: In(ids) })
        : []),
      ...(linkKeys.length > 0
        ? await this.read.findBy(Asset, { ...all, linkKey: In(linkKeys) })
        : []),
    ];
    const byName = new Map(
      found.flatMap((row) => [
        [row.id, row],
        [row.linkKey, row],
      ]),
    );
    return new Map(
      named.flatMap(({ source, id, linkKey }) => {
        const row = byName.get(id ?? linkKey ?? "");
        return row ? [[source, row]] : [];
      }),
    );
  }

  /** @throws PlatenError with the reason why the image is not available. */
  async picture(asset: Asset | undefined): Promise<Picture> {
    if (!asset) throw pictureFault("The organization has no such image.");
    if (asset.assetType === "video") return videoPicture(asset);
    const { organizationId, contentHash, storageKey } = asset;
    const known = this.cache.find(organizationId, contentHash);
    if (known) return known;
    const file = await this.files.open(storageKey);
    if (!file)
      throw pictureFault("The image's file is missing. Upload it again.");
    const bytes = await buffer(file.stream);
    return (await this.cache.encode(organizationId, bytes)).picture;
  }

  /** The public URL of the picture and, for a video, the URL that its picture links to. */
  addressesOf(asset: Asset): { picture: string; video: string | null } {
    const url = this.links.url(asset);
    return asset.assetType === "video"
      ? { picture: this.links.posterUrl(asset) ?? url, video: url }
      : { picture: url, video: null };
  }

  private nameOf(source: string): { id?: string; linkKey?: string } {
    const id = idOf(source);
    if (id !== null) return isId(id) ? { id } : {};
    const linkKey = this.links.read(source)?.linkKey;
    return linkKey === undefined ? {} : { linkKey };
  }
}

function idOf(source: string): string | null {
  return /^asset:(.+)$/i.exec(source)?.[1] ?? null;
}

/** In characters; East Asian ones count twice. */
const MAX_NAME_WIDTH = 46;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}]/u;

/** The picture that represents a video where none can play: its name and duration under a play symbol. */
function videoPicture(video: Asset): Picture {
  const { name, details } = video;
  const svg = Buffer.from(
    posterSvg(video, {
      name: escapeXml(shortenName(name)),
      note: durationText(details?.["durationSeconds"]),
    }),
  );
  return {
    dataUrl: `data:image/svg+xml;base64,${svg.toString("base64")}`,
    sizeBytes: svg.length,
  };
}

function shortenName(name: string): string {
  let room = MAX_NAME_WIDTH;
  const letters = Array.from(
    new Intl.Segmenter().segment(name),
    (one) => one.segment,
  );
  const end = letters.findIndex((letter) => {
    room -= WIDE.test(letter) ? 2 : 1;
    return room < 0;
  });
  return end < 0 ? name : `${letters.slice(0, end).join("")}…`;
}

/** `1:02:03` or `2:03`; empty when unknown. */
function durationText(seconds: unknown): string {
  if (typeof seconds !== "number" || seconds <= 0) return "";
  const whole = Math.max(1, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

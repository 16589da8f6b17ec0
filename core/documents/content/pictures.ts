import { buffer } from "node:stream/consumers";
import pLimit from "p-limit";
import { type EntityManager, In } from "typeorm";
import {
  type AssetLinks,
  createImageError,
  getImageErrorMessage,
  createPosterSvg,
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
const CONCURRENT_FETCHES = 6;

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
    const assets = await this.stored.findAssets(organizationId, sources);
    const found = await this.#load(organizationId, sources, assets, deadline);
    this.#limitTotalSize(found);
    const resolved: ResolvedAssets = {
      byToken: new Map(),
      addresses: new Map(),
      videos: new Map(),
      failed: [],
    };
    for (const { token, source } of references) {
      const picture = found.get(source);
      resolved.byToken.set(token, isPicture(picture) ? picture.dataUrl : null);
      const asset = assets.get(source);
      if (!asset) continue;
      const urls = this.stored.getUrls(asset);
      resolved.addresses.set(token, urls.picture);
      if (urls.video !== null) resolved.videos.set(token, urls.video);
    }
    for (const [source, picture] of found)
      if (!isPicture(picture))
        resolved.failed.push({ source: source.slice(0, 200), reason: picture });
    return resolved;
  }

  /** Whether the image has to be fetched from another server. */
  isElsewhere(reference: Pick<AssetReference, "source">): boolean {
    return isRemote(reference) && !this.stored.isAsset(reference.source);
  }

  /** The images by source, in the order of the sources; for a failed one, the reason. */
  async #load(
    organizationId: string,
    sources: readonly string[],
    assets: AssetsBySource,
    deadline: Deadline,
  ): Promise<Map<string, Picture | string>> {
    const { maxCount } = this.limits;
    const remote = sources.filter((source) => this.isElsewhere({ source }));
    const rejected = new Set(remote.slice(maxCount));
    const limit = pLimit(CONCURRENT_FETCHES);
    // Without remote images there is nothing to wait for, and no timer is started.
    const { signal } =
      remote.length === 0
        ? deadline
        : Deadline.after(deadline.remainingMs * SHARE_OF_TIME, deadline.signal);
    const pictures = await Promise.all(
      sources.map(async (source): Promise<[string, Picture | string]> => {
        if (rejected.has(source))
          return [
            source,
            `A document may fetch at most ${maxCount} remote images.`,
          ];
        const load = () => this.#loadOne(organizationId, source, assets);
        const loading = limit(() => raceWithAbort(load, signal, lateError));
        return [source, await loading.catch(getImageErrorMessage)];
      }),
    );
    deadline.check("fetching images");
    return new Map(pictures);
  }

  async #loadOne(
    organizationId: string,
    source: string,
    assets: AssetsBySource,
  ): Promise<Picture> {
    if (this.stored.isAsset(source))
      return this.stored.load(assets.get(source));
    if (isRemote({ source })) return this.remote.load(organizationId, source);
    const bytes = decodeDataUrl(source);
    return (await this.cache.encode(organizationId, bytes)).picture;
  }

  #limitTotalSize(found: Map<string, Picture | string>): void {
    const { maxTotalBytes } = this.limits;
    let total = 0;
    for (const [source, picture] of found) {
      if (!isPicture(picture)) continue;
      total += picture.sizeBytes;
      if (total <= maxTotalBytes) continue;
      const reason = `With this image, the document's images exceed ${maxTotalBytes} bytes.`;
      found.set(source, createImageError(reason).message);
    }
  }
}

function lateError(): Error {
  return createImageError(
    "It could not be fetched in the time that the document has left.",
  );
}

function isPicture(found: Picture | string | undefined): found is Picture {
  return typeof found === "object";
}

/** The library's assets by the source that refers to them. */
type AssetsBySource = ReadonlyMap<string, Asset>;

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
    return getAssetId(source) !== null || this.links.parse(source) !== null;
  }

  /** Assets of other organizations and other types are left out. */
  async findAssets(
    organizationId: string,
    sources: readonly string[],
  ): Promise<AssetsBySource> {
    const named = sources.map((source) => ({
      source,
      ...this.#parseReference(source),
    }));
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
  async load(asset: Asset | undefined): Promise<Picture> {
    if (!asset) throw createImageError("The organization has no such image.");
    if (asset.assetType === "video") return videoPicture(asset);
    const { organizationId, contentHash, storageKey } = asset;
    const known = this.cache.find(organizationId, contentHash);
    if (known) return known;
    const file = await this.files.open(storageKey);
    if (!file)
      throw createImageError("The image's file is missing. Upload it again.");
    const bytes = await buffer(file.stream);
    return (await this.cache.encode(organizationId, bytes)).picture;
  }

  /** The public URL of the picture and, for a video, the URL that its picture links to. */
  getUrls(asset: Asset): { picture: string; video: string | null } {
    const url = this.links.url(asset);
    return asset.assetType === "video"
      ? { picture: this.links.posterUrl(asset) ?? url, video: url }
      : { picture: url, video: null };
  }

  #parseReference(source: string): { id?: string; linkKey?: string } {
    const id = getAssetId(source);
    if (id !== null) return isId(id) ? { id } : {};
    const linkKey = this.links.parse(source)?.linkKey;
    return linkKey === undefined ? {} : { linkKey };
  }
}

function getAssetId(source: string): string | null {
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
    createPosterSvg(video, {
      name: escapeXml(shortenName(name)),
      note: formatDuration(details?.["durationSeconds"]),
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
function formatDuration(seconds: unknown): string {
  if (typeof seconds !== "number" || seconds <= 0) return "";
  const whole = Math.max(1, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = padTwo(whole % 60);
  return hours > 0
    ? `${hours}:${padTwo(minutes)}:${rest}`
    : `${minutes}:${rest}`;
}

function padTwo(value: number): string {
  return String(value).padStart(2, "0");
}

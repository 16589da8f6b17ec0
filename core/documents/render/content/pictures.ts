import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import CachePolicy from "http-cache-semantics";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { type EntityManager, In } from "typeorm";
import {
  AssetLinks,
  createImageError,
  getImageErrorMessage,
  createPosterSvg,
  detectImageType,
  getFormatError,
  sanitizeSvg,
  toPrintedImage,
} from "../../../assets/index.js";
import {
  type AssetReference,
  decodeDataUrl,
  isRemote,
  escapeXml,
} from "../../../compiler/index.js";
import { Compute } from "../../../compute/index.js";
import { normalizeId } from "../../../lib/ids.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../../../lib/injection.js";
import { Outbound, type OutboundReply } from "../../../lib/outbound/index.js";
import { raceWithAbort } from "../../../lib/race-with-abort.js";
import { Deadline, type FileStore } from "../../../plugin-api/index.js";
import {
  Asset,
  isId,
  type Store,
  STORE,
} from "../../../storage/database/index.js";
import { FILE_STORE, CONFIG } from "../../../lib/process-values.js";

const PICTURE_LIMITS = createToken<PictureLimits>("PictureLimits");
provide(PICTURE_LIMITS, (c) => c.resolve(CONFIG).assets);

/** Memory for the images of the next documents. */
const CACHE_BYTES = 48 * 1024 * 1024;

/** An image that could not be fetched; a placeholder is drawn instead. */
export interface FailedAsset {
  /** At most 200 characters of the source. */
  source: string;
  reason: string;
}

/** An image that is not drawn as its file says. */
export interface ChangedAsset {
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
  changed: ChangedAsset[];
}

/** Concurrent fetches of one document. */
const CONCURRENT_FETCHES = 6;

/** Share of a document's remaining time that may be spent on fetching images; the rest is for printing. */
const SHARE_OF_TIME = 0.5;

/**
 * Resolves the images that merged documents refer to into data URLs: remote images, the organization's assets, and
 * data URLs, all under the same limits and each encoded once.
 */
@scoped(Lifecycle.ContainerScoped)
export class Pictures {
  private readonly cache: PictureCache;
  private readonly stored: StoredPictures;
  private readonly remote: RemotePictures;

  constructor(
    @inject(STORE) store: Pick<Store, "read">,
    @inject(FILE_STORE) files: FileStore,
    @inject(AssetLinks) links: AssetLinks,
    @inject(Outbound) outbound: Outbound,
    @inject(Compute) compute: Compute,
    @inject(PICTURE_LIMITS) private readonly limits: PictureLimits,
  ) {
    this.cache = new PictureCache(limits, compute);
    this.stored = new StoredPictures(store.read, files, links, this.cache);
    this.remote = new RemotePictures(outbound, this.cache, limits);
  }

  async resolve(
    organizationId: string,
    references: readonly AssetReference[],
    deadline: Deadline,
  ): Promise<ResolvedAssets> {
    // Drawings are ours: there is nothing to fetch or to check.
    const others = references.filter(({ drawing }) => !drawing);
    const sources = [...new Set(others.map(({ source }) => source))];
    const assets = await this.stored.findAssets(organizationId, sources);
    const pictures = await this.#load(
      organizationId,
      sources,
      assets,
      deadline,
    );
    this.#limitTotalSize(pictures);
    const resolved: ResolvedAssets = {
      byToken: new Map(),
      addresses: new Map(),
      videos: new Map(),
      failed: [],
      changed: [],
    };
    for (const { token, source, drawing } of references)
      if (drawing) resolved.byToken.set(token, source);
    for (const { token, source } of others) {
      const picture = pictures.get(source);
      resolved.byToken.set(token, isPicture(picture) ? picture.dataUrl : null);
      const asset = assets.get(source);
      if (!asset) continue;
      const urls = this.stored.getUrls(asset);
      resolved.addresses.set(token, urls.picture);
      if (urls.video !== null) resolved.videos.set(token, urls.video);
    }
    for (const [source, picture] of pictures) {
      const start = source.slice(0, 200);
      if (!isPicture(picture))
        resolved.failed.push({ source: start, reason: picture });
      else
        for (const reason of picture.changes)
          resolved.changed.push({ source: start, reason });
    }
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
    if (sources.length === 0) return new Map();
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
        const loading = limit(() =>
          raceWithAbort(load, signal, () =>
            createImageError(
              "It could not be fetched in the time that the document has left.",
            ),
          ),
        );
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

  #limitTotalSize(pictures: Map<string, Picture | string>): void {
    const { maxTotalBytes } = this.limits;
    let total = 0;
    for (const [source, picture] of pictures) {
      if (!isPicture(picture)) continue;
      total += picture.sizeBytes;
      if (total <= maxTotalBytes) continue;
      const reason = `With this image, the document's images exceed ${maxTotalBytes} bytes.`;
      pictures.set(source, createImageError(reason).message);
    }
  }
}

function isPicture(value: Picture | string | undefined): value is Picture {
  return typeof value === "object";
}

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
    const assets = [
      ...(ids.length > 0
        ? await this.read.findBy(Asset, { ...all, id: In(ids) })
        : []),
      ...(linkKeys.length > 0
        ? await this.read.findBy(Asset, { ...all, linkKey: In(linkKeys) })
        : []),
    ];
    const byName = new Map(
      assets.flatMap((row) => [
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
    const cached = this.cache.find(organizationId, contentHash);
    if (cached) return { ...cached, changes: listChanges(asset) };
    const file = await this.files.open(storageKey);
    if (!file)
      throw createImageError("The image's file is missing. Upload it again.");
    const bytes = await buffer(file.stream);
    const { picture } = await this.cache.encode(organizationId, bytes);
    return { ...picture, changes: listChanges(asset) };
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

/** What was changed when the file was stored. */
function listChanges({ details }: Asset): string[] {
  const changes = details?.["changes"];
  return Array.isArray(changes) ? changes.map(String) : [];
}

function getAssetId(source: string): string | null {
  const id = /^asset:(.+)$/i.exec(source)?.[1];
  return id === undefined ? null : normalizeId(id);
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
    changes: [],
  };
}

function shortenName(name: string): string {
  let room = MAX_NAME_WIDTH;
  const letters = Array.from(
    new Intl.Segmenter().segment(name),
    (part) => part.segment,
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
  const start = hours > 0 ? `${hours}:${padTwo(minutes)}` : `${minutes}`;
  return `${start}:${padTwo(whole % 60)}`;
}

function padTwo(value: number): string {
  return String(value).padStart(2, "0");
}

const REDIRECTS = 5;

/** A URL that failed is not fetched again for this long, so that a batch does not wait for a dead server at every document. */
const FAILED_MS = 30_000;

/** Number of cached responses; their images are limited by size in `PictureCache`. */
const MAX_RESPONSES = 5000;

/** URLs are cache keys, so their length is limited. */
const MAX_URL_CHARACTERS = 8192;

const HEADERS = {
  accept: "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8",
  "user-agent": "Platen",
};

/** The caching rules of a response, and the image it contained. */
interface CachedResponse {
  policy: CachePolicy;
  contentHash: string;
}

/** Images on other servers, fetched once and again when HTTP caching (RFC 9111) requires it. */
class RemotePictures {
  private readonly responses = new LRUCache<string, CachedResponse>({
    max: MAX_RESPONSES,
  });
  private readonly failures = new LRUCache<string, string>({
    max: MAX_RESPONSES,
    ttl: FAILED_MS,
  });
  private readonly flights = new SingleFlight<Picture>();

  constructor(
    private readonly outbound: Outbound,
    private readonly cache: PictureCache,
    private readonly limits: PictureLimits,
  ) {}

  /** @throws PlatenError with the reason why the image is not available. */
  async load(organizationId: string, url: string): Promise<Picture> {
    if (!this.limits.isFetching)
      throw createImageError(
        "Remote images are not fetched because PLATEN_FETCH_ASSETS is off. Upload the image as an asset, or use a data URL.",
      );
    if (url.length > MAX_URL_CHARACTERS)
      throw createImageError(
        `The URL is longer than ${MAX_URL_CHARACTERS} characters. Use an asset or a data URL.`,
      );
    const key = `${organizationId} ${url}`;
    const cached = this.getKnown(organizationId, key);
    if (cached?.answer.policy.satisfiesWithoutRevalidation(toCacheRequest(url)))
      return cached.picture;
    const failure = this.failures.get(key);
    if (failure !== undefined) throw createImageError(failure);
    return this.flights.do(key, () => this.ask(organizationId, url));
  }

  private getKnown(organizationId: string, key: string) {
    const answer = this.responses.get(key);
    if (!answer) return null;
    const picture = this.cache.find(organizationId, answer.contentHash);
    return picture && { answer, picture };
  }

  private async ask(organizationId: string, url: string): Promise<Picture> {
    const key = `${organizationId} ${url}`;
    try {
      const cached = this.getKnown(organizationId, key);
      const outbound = await this.outbound.forOrganization(organizationId);
      const reply = await this.fetch(outbound, url, cached?.answer.policy);
      if (cached && reply.status === 304) {
        this.remember(
          key,
          cached.answer.contentHash,
          url,
          reply,
          cached.answer,
        );
        return cached.picture;
      }
      return await this.take(organizationId, url, reply);
    } catch (error) {
      this.failures.set(key, getImageErrorMessage(error));
      throw error;
    }
  }

  private fetch(
    outbound: Outbound,
    url: string,
    policy: CachePolicy | undefined,
  ): Promise<OutboundReply> {
    const conditions = policy?.revalidationHeaders(toCacheRequest(url)) ?? {};
    const headers: Record<string, string> = { ...HEADERS };
    for (const [name, value] of Object.entries(conditions))
      headers[name] = String(value);
    return outbound.fetch(url, {
      headers,
      maxRedirects: REDIRECTS,
      timeoutMs: this.limits.timeoutMs,
      maxBytes: this.limits.maxBytes,
    });
  }

  private async take(
    organizationId: string,
    url: string,
    reply: OutboundReply,
  ): Promise<Picture> {
    if (reply.status !== 200)
      throw createImageError(
        `${new URL(reply.url).host} answered with status ${reply.status}.`,
      );
    const { contentHash, picture } = await this.cache.encode(
      organizationId,
      reply.body,
    );
    this.remember(`${organizationId} ${url}`, contentHash, url, reply);
    return picture;
  }

  private remember(
    key: string,
    contentHash: string,
    url: string,
    { status, headers }: OutboundReply,
    before?: CachedResponse,
  ): void {
    const response = { status, headers: withFreshness(headers) };
    const policy = before
      ? before.policy.revalidatedPolicy(toCacheRequest(url), {
          status,
          headers,
        }).policy
      : new CachePolicy(toCacheRequest(url), response, { shared: false });
    if (policy.storable()) this.responses.set(key, { policy, contentHash });
    else this.responses.delete(key);
  }
}

function toCacheRequest(url: string): CachePolicy.Request {
  return { url, method: "GET", headers: HEADERS };
}

type Headers = OutboundReply["headers"];

/** Default freshness when the server gives none: a batch fetches an image once, and a new logo appears soon. */
const DEFAULT_MAX_AGE_SECONDS = 300;

/** The response's headers, with a default freshness unless they give or forbid one. */
function withFreshness(headers: Headers): Headers {
  const { expires, pragma, "cache-control": control = "" } = headers;
  const isExplicit =
    expires !== undefined ||
    pragma !== undefined ||
    /max-age|no-store|no-cache|must-revalidate|immutable/i.test(control);
  if (isExplicit) return headers;
  const maxAge = `max-age=${DEFAULT_MAX_AGE_SECONDS}`;
  return {
    ...headers,
    "cache-control": control ? `${control}, ${maxAge}` : maxAge,
  };
}

/** Runs concurrent calls with the same key once. */
class SingleFlight<T> {
  private readonly running = new Map<string, Promise<T>>();

  do(key: string, work: () => Promise<T>): Promise<T> {
    const pending = this.running.get(key);
    if (pending) return pending;
    const begun = work().finally(() => this.running.delete(key));
    this.running.set(key, begun);
    return begun;
  }
}

/**
 * Images by their content, each encoded once. Each organization has its own entries, so that response times reveal
 * nothing about the images of others.
 */
class PictureCache {
  private readonly pictures: LRUCache<string, Picture>;

  constructor(
    private readonly limits: PictureLimits,
    private readonly compute: Pick<Compute, "cleanSvg">,
  ) {
    this.pictures = new LRUCache({
      maxSize: CACHE_BYTES,
      sizeCalculation: ({ dataUrl }) => dataUrl.length,
    });
  }

  find(organizationId: string, contentHash: string): Picture | null {
    return this.pictures.get(`${organizationId} ${contentHash}`) ?? null;
  }

  /** @returns the image and the hash of the bytes. @throws PlatenError as `encodePicture` */
  async encode(organizationId: string, bytes: Buffer) {
    const contentHash = createHash("sha256").update(bytes).digest("hex");
    const cached = this.find(organizationId, contentHash);
    if (cached) return { contentHash, picture: cached };
    const picture = await encodePicture(
      organizationId,
      bytes,
      this.limits,
      this.compute,
    );
    this.pictures.set(`${organizationId} ${contentHash}`, picture);
    return { contentHash, picture };
  }
}

/** An image as it is embedded in a document. */
interface Picture {
  dataUrl: string;
  /** Size of the image itself; its data URL is a third longer. */
  sizeBytes: number;
  /** What was changed or left out, in sentences. */
  changes: readonly string[];
}

/** Detects the type of the bytes and encodes them. @throws PlatenError with the reason why a document cannot show them. */
async function encodePicture(
  organizationId: string,
  bytes: Buffer,
  limits: PictureLimits,
  compute: Pick<Compute, "cleanSvg">,
): Promise<Picture> {
  if (bytes.length > limits.maxBytes)
    throw createImageError(
      `The image is larger than ${limits.maxBytes} bytes.`,
    );
  const mimeType = detectImageType(bytes);
  if (mimeType === null) throw createImageError(getFormatError(bytes));
  const settled =
    mimeType === "image/svg+xml"
      ? await sanitizeSvg(bytes, limits.maxPixels, compute, organizationId)
      : {
          bytes: await toPrintedImage(bytes, limits.maxPixels, organizationId),
          changes: [],
        };
  return {
    dataUrl: `data:${mimeType};base64,${settled.bytes.toString("base64")}`,
    sizeBytes: settled.bytes.length,
    changes: settled.changes,
  };
}

export interface PictureLimits {
  /** Whether remote images are fetched at all. */
  isFetching: boolean;
  /** Size of one image, and of all images of a document. */
  maxBytes: number;
  maxTotalBytes: number;
  maxPixels: number;
  /** Remote images of one document. */
  maxCount: number;
  /** For each remote image. */
  timeoutMs: number;
}

import { buffer } from "node:stream/consumers";
import { type EntityManager, In } from "typeorm";
import {
  type AssetLinks,
  createImageError,
  createPosterSvg,
} from "../../assets/index.js";
import { escapeXml } from "../../compiler/index.js";
import type { FileStore } from "../../plugin-api/index.js";
import { Asset, isId } from "../../storage/database/index.js";
import type { Picture, PictureCache } from "./picture-cache.js";

/** The library's assets by the source that refers to them. */
export type StoredRows = ReadonlyMap<string, Asset>;

/**
 * The images and videos in an organization's library. Definitions and data refer to them as `asset:<id>` or by their
 * URL, which is not fetched. Assets in the trash are still shown.
 */
export class StoredPictures {
  constructor(
    private readonly read: EntityManager,
    private readonly files: FileStore,
    private readonly links: AssetLinks,
    private readonly cache: PictureCache,
  ) {}

  /** Whether a source refers to an asset, which may not exist. */
  isAsset(source: string): boolean {
    return idOf(source) !== null || this.links.parse(source) !== null;
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
  addressesOf(asset: Asset): { picture: string; video: string | null } {
    const url = this.links.url(asset);
    return asset.assetType === "video"
      ? { picture: this.links.posterUrl(asset) ?? url, video: url }
      : { picture: url, video: null };
  }

  private nameOf(source: string): { id?: string; linkKey?: string } {
    const id = idOf(source);
    if (id !== null) return isId(id) ? { id } : {};
    const linkKey = this.links.parse(source)?.linkKey;
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
    createPosterSvg(video, {
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

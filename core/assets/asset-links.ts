import type { Readable } from "node:stream";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import {
  type ByteRange,
  type FileStore,
  PlatenError,
} from "../plugin-api/index.js";
import { Asset, type Store, STORE } from "../storage/database/index.js";
import { LinkSigner } from "../storage/files/index.js";
import { BASE_URL, FILE_STORE, SECRET } from "../lib/process-values.js";
import { EmailImages } from "./email-images.js";

type Linked = Pick<Asset, "linkKey" | "storageKey" | "posterKey">;

const fileNamePattern = /^([\w-]{43})(\.poster)?\.([a-z0-9]{2,5})$/;

/**
 * URLs of assets that need no API key: `<base>/cdn/<key>.<extension>`. The key depends on the content, so that a URL
 * never changes its content, and on the organization, so that nobody can find out whether another has the same file.
 * It is stored with the asset, so that URLs stay valid when the secret changes.
 */
@scoped(Lifecycle.ContainerScoped)
export class AssetLinks {
  readonly #signer: LinkSigner;
  readonly #prefix: string;

  constructor(
    @inject(BASE_URL) baseUrl: string,
    @inject(SECRET) secret: string,
  ) {
    this.#signer = new LinkSigner(secret, "platen/assets/v1");
    this.#prefix = `${baseUrl}/cdn/`;
  }

  /** 43 characters of base64url. */
  newKey(organizationId: string, contentHash: string): string {
    return this.#signer.sign(`${organizationId} ${contentHash}`);
  }

  url({ linkKey, storageKey }: Linked): string {
    return `${this.#prefix}${linkKey}.${getExtension(storageKey)}`;
  }

  /** The URL of a video's still image; null without one. */
  posterUrl({ linkKey, posterKey }: Linked): string | null {
    if (posterKey === null) return null;
    return `${this.#prefix}${linkKey}.poster.${getExtension(posterKey)}`;
  }

  /** Parses a URL of this service; null for others. */
  parse(url: string) {
    if (!url.startsWith(this.#prefix)) return null;
    const [name = ""] = url.slice(this.#prefix.length).split(/[?#]/, 1);
    return parseAssetFileName(name);
  }
}

/** Parses the last part of a URL; null when it is malformed. */
function parseAssetFileName(name: string) {
  const [, linkKey, poster, extension] = fileNamePattern.exec(name) ?? [];
  if (linkKey === undefined || extension === undefined) return null;
  return { linkKey, isPoster: poster !== undefined, extension };
}

function getExtension(storageKey: string): string {
  return storageKey.slice(storageKey.lastIndexOf(".") + 1);
}

/** The file of an asset's URL. */
export interface PublicFile {
  mimeType: string;
  sizeBytes: number;
  /** Identifies these bytes. */
  etag: string;
  open(range?: ByteRange): Promise<{ stream: Readable } | null>;
}

/** Finds files by their public URLs. */
@scoped(Lifecycle.ContainerScoped)
export class PublicFiles {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read">,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(EmailImages)
    private readonly emailImages: Pick<EmailImages, "find">,
  ) {}

  /** @param name the last part of the URL. @throws PlatenError `not_found`. */
  async find(name: string): Promise<PublicFile> {
    const emailImage = await this.emailImages.find(name);
    if (emailImage) return { ...emailImage, etag: name };
    const parsed = parseAssetFileName(name);
    // Equal files share a URL, whatever their names are.
    const row =
      parsed &&
      (await this.store.read.findOneBy(Asset, { linkKey: parsed.linkKey }));
    const key = parsed?.isPoster ? row?.posterKey : row?.storageKey;
    if (!parsed || !row || !key || getExtension(key) !== parsed.extension)
      throw fileNotFound();
    const sizeBytes = parsed.isPoster
      ? await this.files.size(key)
      : row.sizeBytes;
    if (sizeBytes === null) throw fileNotFound();
    return {
      mimeType: parsed.isPoster ? "image/png" : row.mimeType,
      sizeBytes,
      etag: parsed.isPoster ? `${row.contentHash}.poster` : row.contentHash,
      open: (range) => this.files.open(key, range),
    };
  }
}

function fileNotFound(): PlatenError {
  return new PlatenError(
    "not_found",
    "File not found. Use the URL exactly as you received it.",
  );
}

import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { getOutputSuffix, PlatenError } from "../../plugin-api/index.js";
import { BASE_URL, SECRET, SECRETS } from "../../lib/process-values.js";
import { Document, type Store, STORE } from "../database/index.js";

/**
 * Signs texts with a key derived from the service's secret for one purpose: a signature is not valid for any other
 * purpose.
 */
export class LinkSigner {
  /** Not as bytes, which each signature would import again. */
  readonly #key: KeyObject;

  constructor(secret: string, purpose: string) {
    const bytes = hkdfSync("sha256", secret, "", purpose, 32);
    this.#key = createSecretKey(Buffer.from(bytes));
  }

  /** 43 characters of base64url. */
  sign(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64url");
  }

  /** Takes constant time. Compares text, because several last characters of base64url decode to the same bytes. */
  matches(text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(text));
    const actual = Buffer.from(signature);
    return (
      expected.length === actual.length && timingSafeEqual(expected, actual)
    );
  }
}

const linkPattern =
  /^(\/files\/([\w-]+)\/([\w-]+)\/[\w.-]+\?expires=(\d+))&signature=([\w-]+)$/;

/**
 * Download links that need no API key: `<base>/files/<document>/<label>/<name>?expires=<ms>&signature=<text>`. The
 * signature covers every character before it, so no part of a link can be changed.
 */
@scoped(Lifecycle.ContainerScoped)
export class StoredLinks {
  readonly #signers: readonly [LinkSigner, ...LinkSigner[]];

  /** @param secrets links signed with the previous secrets stay valid until they expire. */
  constructor(
    @inject(BASE_URL) private readonly baseUrl: string,
    @inject(SECRETS) secrets: readonly [string, ...string[]],
  ) {
    const [secret, ...previousSecrets] = secrets;
    this.#signers = [
      createFileSigner(secret),
      ...previousSecrets.map(createFileSigner),
    ];
  }

  /** @param target `filename` is the document's; the link contains an ASCII form of it */
  create(target: {
    documentId: string;
    label: string;
    filename: string;
    expiresAt: Date;
  }): string {
    const { documentId, label, filename, expiresAt } = target;
    const text = `/files/${documentId}/${label}/${toAsciiName(filename)}?expires=${expiresAt.getTime()}`;
    return `${this.baseUrl}${text}&signature=${this.#signers[0].sign(text)}`;
  }

  /**
   * @param address path and query as received, not decoded.
   * @throws PlatenError `not_found` without a valid signature, `gone` after the expiry.
   */
  read(address: string, now: Date): { documentId: string; label: string } {
    const [, text, documentId, label, expires, signature] =
      linkPattern.exec(address) ?? [];
    const isValid =
      text &&
      this.#signers.some((signer) => signer.matches(text, signature ?? ""));
    if (!isValid || !documentId || !label)
      throw new PlatenError(
        "not_found",
        "File not found. Use the download link exactly as you received it.",
      );
    if (Number(expires) <= now.getTime())
      throw new PlatenError(
        "gone",
        `This download link expired at ${new Date(Number(expires)).toISOString()}. Render the document again for a new one.`,
      );
    return { documentId, label };
  }
}

function createFileSigner(secret: string): LinkSigner {
  return new LinkSigner(secret, "platen/files/v1");
}

/** Only letters, digits, `.`, `_` and `-`, which no mail client or proxy rewrites. */
function toAsciiName(filename: string): string {
  const extension = /\.[a-z0-9]+$/i.exec(filename)?.[0] ?? "";
  const stem = filename
    .slice(0, filename.length - extension.length)
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${stem || "document"}${extension}`;
}

/**
 * A new key of a document's file, `outputs/<2 hex>/<document>.<32 hex>.<extension>`: random, so that it cannot be
 * guessed, with the document's id, so that a file whose row was never written can be found.
 */
export function newOutputKey(documentId: string, extension: string): string {
  const random = randomBytes(16).toString("hex");
  return `outputs/${random.slice(0, 2)}/${documentId}.${random}.${extension}`;
}

const outputFileName = /\/(doc_[0-9a-f-]{36})\.[0-9a-f]{32}\.[a-z0-9]+$/;

/** The document of an output's key; null for other files. */
export function getOutputDocumentId(key: string): string | null {
  return outputFileName.exec(key)?.[1] ?? null;
}

export interface Download {
  storageKey: string;
  /** The document's file name, in any alphabet. */
  filename: string;
  mimeType: string;
  sizeBytes: number;
  checksum: string;
}

@scoped(Lifecycle.ContainerScoped)
export class Downloads {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read">,
    @inject(StoredLinks) private readonly links: StoredLinks,
  ) {}

  /**
   * @param address path and query as received, not decoded.
   * @throws PlatenError `not_found` for an invalid link or a deleted file, `gone` for an expired link.
   */
  async find(address: string): Promise<Download> {
    const { documentId, label } = this.links.read(address, clock.date());
    const row = await this.store.read.findOne(Document, {
      where: { id: documentId },
      select: { id: true, outputs: true, fileName: true },
    });
    const output = row?.outputs.find((candidate) => candidate.label === label);
    if (!row || !output)
      throw new PlatenError("not_found", "This file no longer exists.");
    const { storageKey, mimeType, sizeBytes, checksum } = output;
    const extension = storageKey.slice(storageKey.lastIndexOf("."));
    const filename = `${row.fileName ?? "document"}${getOutputSuffix(label)}${extension}`;
    return { storageKey, filename, mimeType, sizeBytes, checksum };
  }
}

/**
 * URLs of template thumbnails that need no API key: `<base>/thumbnails/<template>/<key>.png`. The key depends on the
 * definition's hash, so a changed template has a new URL and old ones may be cached forever.
 */
@scoped(Lifecycle.ContainerScoped)
export class ThumbnailLinks {
  readonly #signer: LinkSigner;

  constructor(
    @inject(BASE_URL) private readonly baseUrl: string,
    @inject(SECRET) secret: string,
  ) {
    this.#signer = new LinkSigner(secret, "platen/thumbnails/v1");
  }

  create(templateId: string, definitionHash: string): string {
    const key = this.#signer.sign(`${templateId} ${definitionHash}`);
    return `${this.baseUrl}/thumbnails/${templateId}/${key}.png`;
  }

  isKey(templateId: string, definitionHash: string, key: string): boolean {
    return this.#signer.matches(`${templateId} ${definitionHash}`, key);
  }
}

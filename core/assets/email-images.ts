import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { clock } from "../lib/clock.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../lib/injection.js";
import type { ByteRange, FileStore } from "../plugin-api/index.js";
import { LinkSigner } from "../storage/files/index.js";
import { BASE_URL, FILE_STORE, SECRET, CONFIG } from "../lib/process-values.js";
import { getImageExtension, getImageType } from "./images.js";

/** How long images are kept after their month. */
const EMAIL_IMAGE_RETENTION_MS = createToken<number>("EmailImageRetentionMs");
provide(
  EMAIL_IMAGE_RETENTION_MS,
  (c) => c.resolve(CONFIG).assets.drawingRetentionMs,
);

/** An image of an email that has no address of its own: a drawing, or one that the data brings. */
export interface EmailImage {
  /** What its bytes depend on, and nothing else. */
  content: string;
  mimeType: string;
  /** The file, which is only made when it is needed. */
  bytes(): Promise<Buffer>;
}

const FOLDER = "email-images";
const namePattern = /^([\w-]{43})\.d(\d{4})\.([a-z]{3,4})$/;
const keyPattern = /^email-images\/(\d{2})(\d{2})\/[0-9a-f]{64}\.[a-z]{3,4}$/;

/** Images that are known to be stored. */
const MAX_KNOWN = 50_000;
const dayMs = 24 * 60 * 60_000;

/**
 * The images of emails that mail programs would not show as part of the text: drawings and SVG as PNG, and others as they
 * are. Each has a URL that needs no API key: `<base>/cdn/<key>.d<year and month>.<extension>`. The key depends on the
 * content and the organization, so that equal images of a month share a file. There are no rows: the file is found by its
 * URL, and deleted by its month.
 */
@scoped(Lifecycle.ContainerScoped)
export class EmailImages {
  readonly #signer: LinkSigner;
  readonly #checks = new LRUCache<string, Promise<void>>({ max: MAX_KNOWN });
  #sweptAt = 0;

  constructor(
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(BASE_URL) private readonly baseUrl: string,
    @inject(SECRET) secret: string,
    @inject(EMAIL_IMAGE_RETENTION_MS) private readonly retentionMs: number,
  ) {
    this.#signer = new LinkSigner(secret, "platen/drawings/v1");
  }

  /** Stores the image unless it is stored already. @returns its URL */
  async publish(organizationId: string, image: EmailImage): Promise<string> {
    const month = clock.date().toISOString().slice(2, 7).replace("-", "");
    const hash = createHash("sha256").update(image.content).digest("hex");
    const linkKey = this.#signer.sign(`${organizationId} ${month} ${hash}`);
    const extension = getImageExtension(image.mimeType);
    const storing =
      this.#checks.get(linkKey) ??
      this.#store(getStorageKey(linkKey, month, extension), image);
    this.#checks.set(linkKey, storing);
    try {
      await storing;
    } catch (error) {
      this.#checks.delete(linkKey);
      throw error;
    }
    return `${this.baseUrl}/cdn/${linkKey}.d${month}.${extension}`;
  }

  /** @param name the last part of a URL. @returns null for what is no such URL, or a deleted image */
  async find(name: string) {
    const [, linkKey, month, extension = ""] = namePattern.exec(name) ?? [];
    const mimeType = getImageType(extension);
    if (linkKey === undefined || month === undefined || mimeType === null)
      return null;
    const key = getStorageKey(linkKey, month, extension);
    const sizeBytes = await this.files.size(key);
    if (sizeBytes === null) return null;
    const open = (range?: ByteRange) => this.files.open(key, range);
    return { mimeType, sizeBytes, open };
  }

  /** Deletes the images of expired months, at most once a day. */
  async sweep(now: Date): Promise<void> {
    if (now.getTime() - this.#sweptAt < dayMs) return;
    this.#sweptAt = now.getTime();
    for await (const key of this.files.keys(FOLDER)) {
      const [, year, month] = keyPattern.exec(key) ?? [];
      if (year === undefined) continue;
      const monthEnd = Date.UTC(2000 + Number(year), Number(month));
      if (monthEnd + this.retentionMs < now.getTime())
        await this.files.delete(key);
    }
  }

  async #store(key: string, image: EmailImage): Promise<void> {
    if ((await this.files.size(key)) !== null) return;
    await this.files.put(key, await image.bytes());
  }
}

function getStorageKey(linkKey: string, month: string, extension: string) {
  const hash = createHash("sha256").update(linkKey).digest("hex");
  return `${FOLDER}/${month}/${hash}.${extension}`;
}

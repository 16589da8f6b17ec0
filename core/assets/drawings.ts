import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
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
import { drawPng } from "./images.js";

/** How long drawings are kept after their month. */
const DRAWING_RETENTION_MS = createToken<number>("DrawingRetentionMs");
provide(
  DRAWING_RETENTION_MS,
  (c) => c.resolve(CONFIG).assets.drawingRetentionMs,
);

/** A drawing of ours, such as a barcode, and the size in CSS px at which it is shown. */
export interface Drawing {
  svg: string;
  widthPx: number;
  heightPx: number;
}

interface DrawingFile {
  sizeBytes: number;
  open(range?: ByteRange): Promise<{ stream: Readable } | null>;
}

const FOLDER = "email-images";
const namePattern = /^([\w-]{43})\.d(\d{4})\.png$/;
const keyPattern = /^email-images\/(\d{2})(\d{2})\/[0-9a-f]{64}\.png$/;

/** Drawings that are known to be stored. */
const MAX_KNOWN = 50_000;
const dayMs = 24 * 60 * 60_000;

/**
 * The drawings of emails as PNG files, since many mail programs show no SVG. Each has a URL that needs no API key:
 * `<base>/cdn/<key>.d<year and month>.png`. The key depends on the content and the organization, so that equal drawings
 * of a month share a file. There are no rows: the file is found by its URL, and deleted by its month.
 */
@scoped(Lifecycle.ContainerScoped)
export class Drawings {
  readonly #signer: LinkSigner;
  readonly #checks = new LRUCache<string, Promise<void>>({ max: MAX_KNOWN });
  #sweptAt = 0;

  constructor(
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(BASE_URL) private readonly baseUrl: string,
    @inject(SECRET) secret: string,
    @inject(DRAWING_RETENTION_MS) private readonly retentionMs: number,
  ) {
    this.#signer = new LinkSigner(secret, "platen/drawings/v1");
  }

  /** Stores the drawing unless it is stored already. @returns its URL */
  async publish(organizationId: string, drawing: Drawing): Promise<string> {
    const month = clock.date().toISOString().slice(2, 7).replace("-", "");
    const { svg, widthPx, heightPx } = drawing;
    const hash = createHash("sha256")
      .update(`${widthPx} ${heightPx} ${svg}`)
      .digest("hex");
    const linkKey = this.#signer.sign(`${organizationId} ${month} ${hash}`);
    const storing =
      this.#checks.get(linkKey) ??
      this.#store(organizationId, getStorageKey(linkKey, month), drawing);
    this.#checks.set(linkKey, storing);
    try {
      await storing;
    } catch (error) {
      this.#checks.delete(linkKey);
      throw error;
    }
    return `${this.baseUrl}/cdn/${linkKey}.d${month}.png`;
  }

  /** @param name the last part of a URL. @returns null for what is no drawing's URL, or a deleted one */
  async find(name: string): Promise<DrawingFile | null> {
    const [, linkKey, month] = namePattern.exec(name) ?? [];
    if (linkKey === undefined || month === undefined) return null;
    const key = getStorageKey(linkKey, month);
    const sizeBytes = await this.files.size(key);
    return sizeBytes === null
      ? null
      : { sizeBytes, open: (range) => this.files.open(key, range) };
  }

  /** Deletes the drawings of expired months, at most once a day. */
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

  async #store(owner: string, key: string, drawing: Drawing): Promise<void> {
    if ((await this.files.size(key)) !== null) return;
    await this.files.put(key, await drawPng(drawing, owner));
  }
}

function getStorageKey(linkKey: string, month: string): string {
  const hash = createHash("sha256").update(linkKey).digest("hex");
  return `${FOLDER}/${month}/${hash}.png`;
}

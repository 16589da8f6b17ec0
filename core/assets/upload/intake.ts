import { createHash } from "node:crypto";
import { PlatenError } from "../../plugin-api/index.js";
import type { AssetLimits } from "../asset-limits.js";
import { type Family, familyOf, HEAD_BYTES } from "../kind/family.js";
import { NamelessFile } from "./nameless-file.js";

/** A file that came whole. */
export type Received = { contentHash: string; sizeBytes: number } & (
  | { family: Exclude<Family, "video">; bytes: Buffer }
  | { family: "video"; file: NamelessFile }
);

/**
 * Takes a file as it arrives. Its first bytes decide what it is and so how large it may be; what is wrong ends it
 * there and then, however much would follow. Videos go to disk, all else is kept in memory.
 */
export class Intake {
  readonly #hash = createHash("sha256");
  #size = 0;
  #chunks: Uint8Array[] = [];
  #family: Family | null = null;
  #file: NamelessFile | null = null;

  /** @param assetType what the file has to be; null: whatever it is. */
  constructor(
    private readonly limits: AssetLimits,
    private readonly folder: string,
    private readonly assetType: "image" | "video" | null,
  ) {}

  /** @throws PlatenError `invalid_request`, `too_large`. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.length;
    this.#hash.update(chunk);
    this.#chunks.push(chunk);
    if (this.#size >= HEAD_BYTES) await this.#keep();
  }

  /** @throws PlatenError `invalid_request` also for an empty file. */
  async end(): Promise<Received> {
    if (this.#size === 0)
      throw new PlatenError("invalid_request", "The file is empty.");
    const family = await this.#keep();
    const contentHash = this.#hash.digest("hex");
    const received = { contentHash, sizeBytes: this.#size };
    if (this.#file) return { ...received, family: "video", file: this.#file };
    if (family === "video") throw new Error("a video was not kept in a file");
    return { ...received, family, bytes: Buffer.concat(this.#chunks) };
  }

  /** Lets go of what was kept on disk; whatever happened. */
  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #keep(): Promise<Family> {
    this.#family ??= this.#judge();
    const most = this.#most(this.#family);
    if (this.#size > most) throw tooLarge(this.#family, most);
    if (this.#family === "video") {
      this.#file ??= await NamelessFile.open(this.folder);
      for (const chunk of this.#chunks.splice(0))
        await this.#file.append(chunk);
    }
    return this.#family;
  }

  #judge(): Family {
    const family = familyOf(Buffer.concat(this.#chunks));
    if (family === null) throw unknownKind();
    if (this.assetType === "video" && family !== "video") throw noVideo(family);
    if (this.assetType === "image" && family === "video") throw isVideo();
    return family;
  }

  #most(family: Family): number {
    const { imageBytes, videoBytes, fontBytes, pdfBytes } = this.limits;
    if (family === "video") return videoBytes;
    if (family === "font") return fontBytes;
    return family === "pdf" ? pdfBytes : imageBytes;
  }
}

const variables: Record<Family, string> = {
  image: "PLATEN_ASSET_MAX_BYTES",
  svg: "PLATEN_ASSET_MAX_BYTES",
  video: "PLATEN_VIDEO_MAX_BYTES",
  font: "PLATEN_FONT_MAX_BYTES",
  pdf: "PLATEN_PDF_MAX_BYTES",
};

function tooLarge(family: Family, most: number): PlatenError {
  return new PlatenError(
    "too_large",
    `The ${family} is larger than the ${most} bytes that one may have. Send a smaller one, or have ${variables[family]} raised.`,
  );
}

function unknownKind(): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The file is no picture, no video, no PDF and no font that can be used, whatever its name says. Use png, jpg, webp, gif, avif, svg, mp4, webm, mov, pdf, ttf, otf, woff or woff2.",
  );
}

function noVideo(family: Family): PlatenError {
  const what = family === "svg" ? "image" : family;
  return typeProblem(
    `is video, and by its bytes the file is of the kind ${what}.`,
    "Leave it out, or send an mp4, webm or mov file.",
  );
}

function isVideo(): PlatenError {
  return typeProblem(
    "is image, and the file is a video.",
    'Send it again with "video".',
  );
}

function typeProblem(message: string, hint: string): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The file is not what it was said to be.",
    { problems: [{ path: "$.assetType", code: "asset_type", message, hint }] },
  );
}

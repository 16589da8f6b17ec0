import { createHash, randomBytes } from "node:crypto";
import { type EntityManager, IsNull, LessThan } from "typeorm";
import { requireFolder } from "../folders/index.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  insertRow,
  type Store,
  UploadLink,
} from "../storage/database/index.js";
import {
  type AssetLimits,
  type AssetOwner,
  getMaxBytes,
  parseName,
} from "./context.js";

const validMs = 15 * 60_000;
/** Longer than it is valid, so that a late upload gets an explanation. */
const keptMs = 24 * 60 * 60_000;

export interface UploadLinkRequest {
  name: string;
  /** The required type; any by default. */
  assetType?: "image" | "video" | undefined;
  folderId?: string | null | undefined;
}

/** Permission to upload one file without an API key. */
export interface UploadLinkView {
  uploadUrl: string;
  method: "PUT";
  /** ISO 8601. */
  expiresAt: string;
  maxBytes: number;
  /** A shell command; contains `FILE` in place of an unknown path. */
  curl: string;
}

/** Links for uploading one file without an API key within a few minutes. */
export class UploadLinks {
  constructor(
    private readonly store: Pick<Store, "read" | "unitOfWork">,
    private readonly baseUrl: string,
    private readonly limits: AssetLimits,
  ) {}

  /** @throws PlatenError `invalid_request` for the name or the folder. */
  async create(
    { organizationId, userId }: AssetOwner,
    { name, assetType, folderId = null }: UploadLinkRequest,
    path = "FILE",
  ): Promise<UploadLinkView> {
    const secret = randomBytes(32).toString("base64url");
    const now = new Date();
    const row: UploadLink = {
      id: hashSecret(secret),
      organizationId,
      createdById: userId,
      folderId,
      name: parseName(name),
      assetType: assetType ?? null,
      expiresAt: new Date(now.getTime() + validMs),
      assetId: null,
      createdAt: now,
    };
    await this.store.unitOfWork.run(async (tx) => {
      if (folderId !== null)
        await requireFolder(tx, organizationId, "asset", folderId);
      await insertRow(tx, UploadLink, row);
    });
    const uploadUrl = `${this.baseUrl}/uploads/${secret}`;
    return {
      uploadUrl,
      method: "PUT",
      expiresAt: row.expiresAt.toISOString(),
      maxBytes: getMaxBytes(this.limits, row.assetType),
      curl: `curl --upload-file ${quoteForShell(path)} ${quoteForShell(uploadUrl)}`,
    };
  }

  /** @throws PlatenError `not_found` for an unknown link, `gone` for a used or expired one. */
  async find(secret: string, now: Date): Promise<UploadLink> {
    const row = await this.store.read.findOneBy(UploadLink, {
      id: hashSecret(secret),
    });
    if (!row)
      throw new PlatenError(
        "not_found",
        "Upload link not found. Use it exactly as you received it.",
      );
    if (row.assetId !== null) throw alreadyUsed();
    if (row.expiresAt <= now)
      throw new PlatenError(
        "gone",
        `This upload link expired at ${row.expiresAt.toISOString()}. Request a new one.`,
      );
    return row;
  }

  /** Deletes expired links. @returns the number of links. */
  async sweep(now: Date): Promise<number> {
    const expiresAt = LessThan(new Date(now.getTime() - keptMs));
    const { affected } = await this.store.unitOfWork.run((tx) =>
      tx.delete(UploadLink, { expiresAt }),
    );
    return affected ?? 0;
  }
}

/** Runs in the transaction that inserts the asset. @throws PlatenError `gone` if another upload was faster. */
export async function markUploadLinkUsed(
  tx: EntityManager,
  { id }: Pick<UploadLink, "id">,
  assetId: string,
): Promise<void> {
  const unused = { id, assetId: IsNull() };
  const { affected } = await tx.update(UploadLink, unused, { assetId });
  if (affected !== 1) throw alreadyUsed();
}

function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function alreadyUsed(): PlatenError {
  return new PlatenError(
    "gone",
    "This upload link was used; each accepts one file. Request a new one.",
  );
}

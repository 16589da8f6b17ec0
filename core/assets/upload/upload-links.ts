import { createHash, randomBytes } from "node:crypto";
import { type EntityManager, IsNull, LessThan } from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import { requireFolder } from "../../folders/index.js";
import {
  insertRow,
  type Store,
  UploadLink,
} from "../../storage/database/index.js";
import { type AssetLimits, mostBytes } from "../asset-limits.js";
import type { AssetOwner } from "../asset-owner.js";
import { checkName } from "../check-name.js";

const VALID_MS = 15 * 60_000;
/** Longer than it is valid, so that who comes late is told so. */
const KEPT_MS = 24 * 60 * 60_000;

export interface UploadLinkRequest {
  name: string;
  /** What the file has to be; whatever it is, when left out. */
  assetType?: "image" | "video" | undefined;
  folderId?: string | null | undefined;
}

/** Leave to send one file without a key. */
export interface UploadLinkView {
  uploadUrl: string;
  method: "PUT";
  /** ISO 8601. */
  expiresAt: string;
  maxBytes: number;
  /** For a shell; `FILE` stands for the file's path unless that is known. */
  curl: string;
}

/** Links by which a file is sent without a key: once, within minutes, and only what was said. */
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
      id: idOf(secret),
      organizationId,
      createdById: userId,
      folderId,
      name: checkName(name),
      assetType: assetType ?? null,
      expiresAt: new Date(now.getTime() + VALID_MS),
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
      maxBytes: mostBytes(this.limits, row.assetType),
      curl: `curl --upload-file ${quoted(path)} ${quoted(uploadUrl)}`,
    };
  }

  /** @throws PlatenError `not_found` for what was never a link, `gone` for one that was used or is too old. */
  async open(secret: string, now: Date): Promise<UploadLink> {
    const row = await this.store.read.findOneBy(UploadLink, {
      id: idOf(secret),
    });
    if (!row) throw noSuchLink();
    if (row.assetId !== null) throw used();
    if (row.expiresAt <= now) throw tooOld(row.expiresAt);
    return row;
  }

  /** @returns how many links that nobody can use any more were forgotten. */
  async sweep(now: Date): Promise<number> {
    const expiresAt = LessThan(new Date(now.getTime() - KEPT_MS));
    const { affected } = await this.store.unitOfWork.run((tx) =>
      tx.delete(UploadLink, { expiresAt }),
    );
    return affected ?? 0;
  }
}

/** Uses a link in the transaction that writes its asset. @throws PlatenError `gone` if another was faster. */
export async function spendUploadLink(
  tx: EntityManager,
  { id }: Pick<UploadLink, "id">,
  assetId: string,
): Promise<void> {
  const unused = { id, assetId: IsNull() };
  const { affected } = await tx.update(UploadLink, unused, { assetId });
  if (affected !== 1) throw used();
}

function idOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** One word of a shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function noSuchLink(): PlatenError {
  return new PlatenError(
    "not_found",
    "There is no such upload link. Use it exactly as it was given.",
  );
}

function used(): PlatenError {
  return new PlatenError(
    "gone",
    "This upload link was used: each takes one file. Ask for another.",
  );
}

function tooOld(at: Date): PlatenError {
  return new PlatenError(
    "gone",
    `This upload link expired at ${at.toISOString()}. Ask for another.`,
  );
}

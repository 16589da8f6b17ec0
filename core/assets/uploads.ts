import { createHash, randomBytes } from "node:crypto";
import { type EntityManager, IsNull, LessThan } from "typeorm";
import { z } from "zod";
import { type Actor, recordAudit } from "../accounts/index.js";
import { requireFolder } from "../folders/index.js";
import { clock } from "../lib/clock.js";
import { timestampSchema } from "../lib/schemas.js";
import { PlatenError, type FileStore } from "../plugin-api/index.js";
import {
  type CreatedCallback,
  UploadLink,
  findForUpdate,
  insertRow,
  type Store,
  Asset,
  newId,
  Organization,
} from "../storage/database/index.js";
import { deleteOrphans } from "../storage/files/index.js";
import {
  type AssetContext,
  type AssetOwner,
  parseName,
  type AssetLimits,
  getMaxBytes,
  createAuditEvent,
  toSearchName,
  type AssetView,
  toAssetView,
} from "./context.js";
import {
  UploadReader,
  parseSource,
  readSource,
  type UploadSource,
  type AssetContent,
} from "./upload-reader.js";

/** A file from exactly one source. */
export interface AssetUpload extends UploadLinkRequest, UploadSource {}

export interface UploadOptions {
  actor: Actor;
  /** The folder in which `filePath` is read; without it, paths are rejected. */
  root?: string | undefined;
  /** Cancels a fetch. */
  signal?: AbortSignal | undefined;
  inTransaction?: CreatedCallback<AssetView> | undefined;
}

/** A file whose bytes are in memory or arrive as a stream. */
interface AssetBytes extends UploadLinkRequest {
  actor: Actor;
  inTransaction?: CreatedCallback<AssetView> | undefined;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

export class Uploads {
  readonly links: UploadLinks;

  constructor(private readonly context: AssetContext) {
    const { store, baseUrl, limits } = context;
    this.links = new UploadLinks(store, baseUrl, limits);
  }

  /** See `Assets.upload`. */
  async fromSource(
    owner: AssetOwner,
    upload: AssetUpload,
    { actor, root, signal, inTransaction }: UploadOptions,
  ): Promise<AssetView> {
    const source = parseSource(upload);
    if (source.kind === "filePath" && root === undefined)
      throw pathNotReadable(
        await this.links.create(owner, upload, source.value),
      );
    const { limits } = this.context;
    const { assetType = null } = upload;
    return this.#store(
      owner,
      { ...upload, actor, inTransaction },
      async (reader) =>
        readSource(source, (bytes) => reader.write(bytes), {
          outbound: await this.context.outbound.forOrganization(
            owner.organizationId,
          ),
          limits,
          assetType,
          root: root ?? "",
          signal,
        }),
    );
  }

  /** Stores a file as it arrives. @throws PlatenError `invalid_request`, `too_large`. */
  fromBytes(
    owner: AssetOwner,
    { bytes, ...upload }: AssetBytes,
  ): Promise<AssetView> {
    return this.#store(owner, upload, (reader) => writeAll(bytes, reader));
  }

  /** Stores the file of an upload link. @throws PlatenError as `fromBytes`, and `not_found` or `gone` for the link. */
  async byLink(
    secret: string,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<AssetView> {
    const link = await this.links.find(secret, clock.date());
    const { organizationId, createdById: userId, name, folderId } = link;
    const assetType = link.assetType ?? undefined;
    // The creator of the link is responsible for its upload.
    const actor = { origin: "rest", userId, keyId: null } as const;
    return this.#store(
      { organizationId, userId },
      { name, folderId, assetType, actor },
      (reader) => writeAll(bytes, reader),
      link,
    );
  }

  async #store(
    owner: AssetOwner,
    upload: Omit<AssetBytes, "bytes">,
    read: (reader: UploadReader) => Promise<void>,
    uploadLink?: UploadLink,
  ): Promise<AssetView> {
    const { assetType = null, folderId = null, actor, inTransaction } = upload;
    const name = parseName(upload.name);
    const { links } = this.context;
    const reader = new UploadReader(
      this.context,
      assetType,
      owner.organizationId,
    );
    try {
      await read(reader);
      const row = await storeAsset(this.context, owner, await reader.end(), {
        name,
        folderId,
        actor,
        uploadLink,
        inTransaction: (tx, stored) =>
          inTransaction?.(tx, toAssetView(stored, links)),
      });
      return toAssetView(row, links);
    } finally {
      await reader.close();
    }
  }
}

async function writeAll(
  bytes: AssetBytes["bytes"],
  reader: UploadReader,
): Promise<void> {
  if (bytes instanceof Uint8Array) await reader.write(bytes);
  else for await (const chunk of bytes) await reader.write(chunk);
}

function pathNotReadable({ curl, expiresAt }: UploadLinkView): PlatenError {
  return new PlatenError(
    "invalid_request",
    "This service cannot read files on your machine.",
    {
      problems: [
        {
          path: "$.filePath",
          code: "upload_link",
          message: "cannot be read. Send the file itself:",
          // The shell comment keeps text after the line from becoming part of the URL.
          hint: `${curl} # works once, until ${expiresAt}`,
        },
      ],
    },
  );
}

const validMs = 15 * 60_000;
/** Longer than it is valid, so that a late upload gets an explanation. */
const keptMs = 24 * 60 * 60_000;

export interface UploadLinkRequest {
  name: string;
  /** The required type; any by default. */
  assetType?: "image" | "video" | undefined;
  folderId?: string | null | undefined;
}

export const uploadLinkSchema = z
  .strictObject({
    uploadUrl: z.string().meta({
      description: "Accepts the file's bytes once, by PUT, without a key.",
    }),
    method: z.literal("PUT"),
    expiresAt: timestampSchema,
    maxBytes: z.number().int(),
    curl: z.string().meta({
      description: "A shell command; replace `FILE` with the path of the file.",
    }),
  })
  .meta({ id: "UploadLink" });

export type UploadLinkView = z.output<typeof uploadLinkSchema>;

/** Links for uploading one file without an API key within a few minutes. */
class UploadLinks {
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
    const now = clock.date();
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
async function markUploadLinkUsed(
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

interface NewAsset {
  /** Validated. */
  name: string;
  folderId: string | null;
  actor: Actor;
  uploadLink?: UploadLink | undefined;
  inTransaction: (
    tx: EntityManager,
    stored: Asset,
  ) => Promise<void> | undefined;
}

/**
 * Stores the file, then its row, so that a row always has its file; the cleanup deletes files of crashed uploads. The
 * same file with the same name in the same folder is the existing asset.
 */
async function storeAsset(
  { store, files, links, limits }: AssetContext,
  owner: AssetOwner,
  content: AssetContent,
  { name, folderId, actor, uploadLink, inTransaction }: NewAsset,
): Promise<Asset> {
  const { organizationId, userId } = owner;
  const { organizationBytes = null } = limits;
  const size = { organizationId, sizeBytes: content.sizeBytes };
  // Before the file is stored, too, so that refused files do not fill the disk.
  await assertSpace(store.read, size, organizationBytes);
  const keys = createKeys(organizationId, content);
  await putFiles(files, content, keys);
  const { extension: _extension, ...kind } = content.kind;
  const now = clock.date();
  const newRow: Asset = {
    id: newId(),
    organizationId,
    folderId,
    name,
    searchName: toSearchName(name),
    ...kind,
    sizeBytes: content.sizeBytes,
    contentHash: content.contentHash,
    ...keys,
    linkKey: links.newKey(organizationId, content.contentHash),
    createdById: userId,
    createdAt: now,
    updatedAt: now,
    trashedAt: null,
    trashedById: null,
  };
  const stored = await store.unitOfWork.run(async (tx) => {
    if (folderId !== null)
      await requireFolder(tx, organizationId, "asset", folderId);
    const row = (await findDuplicate(tx, newRow)) ?? newRow;
    if (uploadLink) await markUploadLinkUsed(tx, uploadLink, row.id);
    if (row === newRow) {
      // Of uploads at the same time, each counts those before it.
      if (organizationBytes !== null)
        await findForUpdate(tx, Organization, { id: organizationId });
      await assertSpace(tx, size, organizationBytes);
      await insertRow(tx, Asset, row);
      await recordAudit(tx, actor, createAuditEvent(row, "asset.created"));
    }
    await inTransaction(tx, row);
    return row;
  });
  // A cleanup that ran before the row was committed may have deleted the files.
  if (!(await hasFiles(files, keys))) await putFiles(files, content, keys);
  return stored;
}

/** @throws PlatenError `too_large` when the organization's assets would exceed the limit with this one. */
async function assertSpace(
  reader: EntityManager,
  { organizationId, sizeBytes }: Pick<Asset, "organizationId" | "sizeBytes">,
  limit: number | null,
): Promise<void> {
  if (limit === null) return;
  const stored =
    (await reader.sum(Asset, "sizeBytes", { organizationId })) ?? 0;
  const total = stored + sizeBytes;
  if (total <= limit) return;
  throw new PlatenError(
    "too_large",
    `With this file, the organization's assets would have ${total} bytes, more than the limit of ${limit} bytes. ` +
      "Delete assets permanently, or ask the operator of the service to raise PLATEN_ORGANIZATION_ASSET_BYTES.",
  );
}

function findDuplicate(tx: EntityManager, row: Asset): Promise<Asset | null> {
  const { organizationId, contentHash, name, folderId } = row;
  return tx.findOneBy(Asset, {
    organizationId,
    contentHash,
    name,
    folderId: folderId ?? IsNull(),
    trashedAt: IsNull(),
  });
}

type AssetKeys = Pick<Asset, "storageKey" | "posterKey">;

/** Assets of one organization with equal content share a file; organizations share none, so each can be deleted alone. */
function createKeys(
  organizationId: string,
  { contentHash: hash, kind, poster }: AssetContent,
): AssetKeys {
  const prefix = `assets/${hash.slice(0, 2)}/${organizationId}.${hash}`;
  return {
    storageKey: `${prefix}.${kind.extension}`,
    posterKey: poster && `${prefix}.poster.png`,
  };
}

/** Writes even existing files, since the cleanup never deletes files that were just written. */
async function putFiles(
  files: FileStore,
  content: AssetContent,
  { storageKey, posterKey }: AssetKeys,
): Promise<void> {
  await files.put(storageKey, content.body());
  if (posterKey !== null && content.poster !== null)
    await files.put(posterKey, content.poster);
}

async function hasFiles(
  files: FileStore,
  { storageKey, posterKey }: AssetKeys,
): Promise<boolean> {
  return (
    (await files.size(storageKey)) !== null &&
    (posterKey === null || (await files.size(posterKey)) !== null)
  );
}

/** Deletes files of assets that no row references. @returns the number of files. */
export function deleteOrphanedAssets(
  read: EntityManager,
  files: FileStore,
  now: Date,
): Promise<number> {
  const assets = {
    folder: "assets",
    chunkSize: 100,
    isCandidate: (key: string) => parseKey(key) !== null,
    findReferenced: async (keys: readonly string[]) => {
      const rows = await read.find(Asset, {
        where: keys.flatMap((key) => parseKey(key) ?? []),
        select: { id: true, storageKey: true, posterKey: true },
      });
      return new Set(
        rows.flatMap(({ storageKey, posterKey }) => [storageKey, posterKey]),
      );
    },
  };
  return deleteOrphans(files, assets, now);
}

const keyPattern =
  /^assets\/[0-9a-f]{2}\/([\w-]+)\.([0-9a-f]{64})\.[a-z0-9.]+$/;

/** null for files that are not assets. */
function parseKey(
  key: string,
): { organizationId: string; contentHash: string } | null {
  const [, organizationId, contentHash] = keyPattern.exec(key) ?? [];
  if (organizationId === undefined || contentHash === undefined) return null;
  return { organizationId, contentHash };
}

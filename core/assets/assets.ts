import {
  type EntityManager,
  type FindOptionsWhere,
  IsNull,
  Not,
  Raw,
} from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import { requireFolder } from "../folders/index.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { type FileStore, PlatenError } from "../plugin-api/index.js";
import {
  Asset,
  findForUpdate,
  isId,
  listPage,
  Organization,
  type PageRequest,
  toLikePattern,
} from "../storage/database/index.js";
import {
  type AssetContext,
  type AssetOwner,
  type AssetView,
  createAuditEvent,
  parseName,
  toAssetListView,
  toAssetView,
  toSearchName,
  ASSET_CONTEXT,
} from "./context.js";
import {
  deleteOrphanedAssets,
  type UploadLinkRequest,
  type UploadLinkView,
  type AssetUpload,
  type UploadOptions,
  Uploads,
} from "./uploads.js";
import { removeLeftoverUploads } from "./upload-reader.js";

interface AssetQuery extends PageRequest {
  assetType?: Asset["assetType"] | undefined;
  folderId?: string | undefined;
  includeTrashed?: boolean | undefined;
  onlyTrashed?: boolean | undefined;
  /** Part of the name, in any case. */
  q?: string | undefined;
}

/** Absent fields stay as they are. */
interface AssetChange {
  name?: string | undefined;
  folderId?: string | null | undefined;
}

/** The images, videos, fonts and PDFs of organizations. Assets of other organizations are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class Assets {
  readonly uploads: Uploads;

  constructor(@inject(ASSET_CONTEXT) private readonly context: AssetContext) {
    this.uploads = new Uploads(context);
  }

  /**
   * Stores a file from the request, a URL or a local path.
   * @throws PlatenError `invalid_request` for an unusable file, `too_large`, `timeout` and `unavailable` for a URL. For
   * a `filePath` without a root folder, the error contains an upload link.
   */
  upload(
    owner: AssetOwner,
    upload: AssetUpload,
    options: UploadOptions,
  ): Promise<AssetView> {
    return this.uploads.fromSource(owner, upload, options);
  }

  /** @throws PlatenError `invalid_request` for the name or the folder. */
  createUploadLink(
    owner: AssetOwner,
    request: UploadLinkRequest,
  ): Promise<UploadLinkView> {
    return this.uploads.links.create(owner, request);
  }

  /** Newest first, by default without trashed assets. */
  async list(organizationId: string, query: AssetQuery) {
    const { page, pageSize } = query;
    const { rows, ...pagination } = await this.context.store.snapshot((read) =>
      listPage(read, Asset, {
        page,
        pageSize,
        where: createFilter(organizationId, query),
        newestBy: "createdAt",
        relations: { createdBy: true },
      }),
    );
    const data = rows.map((row) => toAssetListView(row, this.context.links));
    return { data, pagination };
  }

  /** Also returns trashed assets. @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<AssetView> {
    const row = isId(id)
      ? await this.context.store.read.findOneBy(Asset, { id, organizationId })
      : null;
    if (row === null) throw notFound();
    return toAssetView(row, this.context.links);
  }

  /** @throws PlatenError `not_found`, `invalid_request` for the name or the folder. */
  async change(
    { organizationId }: AssetOwner,
    id: string,
    { name, folderId }: AssetChange,
  ): Promise<AssetView> {
    const row = await this.context.store.unitOfWork.run(async (tx) => {
      const asset = await findAssetForUpdate(tx, organizationId, id);
      if (typeof folderId === "string")
        await requireFolder(tx, organizationId, "asset", folderId);
      const parsed = name === undefined ? null : parseName(name);
      return updateAsset(tx, asset, {
        ...(parsed && { name: parsed, searchName: toSearchName(parsed) }),
        ...(folderId !== undefined && { folderId }),
      });
    });
    return toAssetView(row, this.context.links);
  }

  /** Removes it from the lists; templates that use it still show it. @throws PlatenError `not_found`. */
  trash(owner: AssetOwner, id: string, actor: Actor): Promise<AssetView> {
    return this.#setTrashed(owner, id, actor, true);
  }

  /** @throws PlatenError `not_found`. */
  restore(owner: AssetOwner, id: string, actor: Actor): Promise<AssetView> {
    return this.#setTrashed(owner, id, actor, false);
  }

  async #setTrashed(
    { organizationId, userId }: AssetOwner,
    id: string,
    actor: Actor,
    isTrashed: boolean,
  ): Promise<AssetView> {
    const { store, links } = this.context;
    const row = await store.unitOfWork.run(async (tx) => {
      const asset = await findAssetForUpdate(tx, organizationId, id);
      if ((asset.trashedAt !== null) === isTrashed) return asset;
      await updateAsset(tx, asset, {
        trashedAt: isTrashed ? clock.date() : null,
        trashedById: isTrashed ? userId : null,
      });
      const action = isTrashed ? "asset.trashed" : "asset.restored";
      await recordAudit(tx, actor, createAuditEvent(asset, action));
      return asset;
    });
    return toAssetView(row, links);
  }

  /**
   * Deletes a trashed asset permanently, and its file unless another asset has the same content.
   * @throws PlatenError `not_found`, `conflict` when it is not in the trash, or a template, a version or the brand kit uses it.
   */
  async purge(
    { organizationId }: Pick<AssetOwner, "organizationId">,
    id: string,
    actor: Actor,
  ): Promise<AssetView> {
    const { store, files, links } = this.context;
    const row = await store.unitOfWork.run(async (tx) => {
      const asset = await findAssetForUpdate(tx, organizationId, id);
      if (asset.trashedAt === null)
        throw new PlatenError(
          "conflict",
          "Only assets in the trash can be deleted permanently. Move the asset to the trash first.",
        );
      const templates = await findTemplatesUsing(tx, asset);
      if (templates.length > 0) throw stillUsed(templates);
      if (await isLogo(tx, asset))
        throw new PlatenError(
          "conflict",
          "The brand kit uses this asset as its logo. Leave it in the trash, or choose another logo first.",
        );
      await tx.delete(Asset, { id, organizationId });
      await recordAudit(tx, actor, createAuditEvent(asset, "asset.deleted"));
      return asset;
    });
    await deleteUnusedFiles(store.read, files, row);
    return toAssetView(row, links);
  }

  /** Deletes files without an asset and expired upload links. */
  async sweep(now: Date): Promise<void> {
    const { store, files, folder } = this.context;
    await removeLeftoverUploads(folder);
    await deleteOrphanedAssets(store.read, files, now);
    await this.uploads.links.sweep(now);
  }
}

function createFilter(
  organizationId: string,
  { assetType, folderId, includeTrashed, onlyTrashed, q }: AssetQuery,
): FindOptionsWhere<Asset> {
  return {
    organizationId,
    ...(assetType && { assetType }),
    ...(folderId !== undefined && { folderId }),
    ...(!includeTrashed && { trashedAt: IsNull() }),
    ...(onlyTrashed && { trashedAt: Not(IsNull()) }),
    ...(q && {
      searchName: Raw((column) => `${column} LIKE :pattern ESCAPE '!'`, {
        pattern: toLikePattern(toSearchName(q)),
      }),
    }),
  };
}

async function findAssetForUpdate(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Asset> {
  const row = isId(id)
    ? await findForUpdate(tx, Asset, { id, organizationId })
    : null;
  if (row === null) throw notFound();
  return row;
}

function notFound(): PlatenError {
  return new PlatenError("not_found", "Asset not found.");
}

async function updateAsset(
  tx: EntityManager,
  row: Asset,
  changes: Partial<
    Pick<
      Asset,
      "name" | "searchName" | "folderId" | "trashedAt" | "trashedById"
    >
  >,
): Promise<Asset> {
  const { id, organizationId } = row;
  const columns = { ...changes, updatedAt: clock.date() };
  await tx.update(Asset, { id, organizationId }, columns);
  return Object.assign(row, columns);
}

const maxTemplateNames = 3;

/**
 * The names of some reusable blocks, and of templates whose definition, or that of one of their versions, contains the asset's id, link key or
 * font family, including trashed templates. Assets that only records refer to are not found.
 */
async function findTemplatesUsing(
  read: EntityManager,
  { id, linkKey, details, organizationId }: Asset,
): Promise<string[]> {
  const family = details?.["family"];
  const words = [id, linkKey, ...(typeof family === "string" ? [family] : [])];
  // As written in a definition's JSON; styles may write font families in any case.
  const patterns = words.map((word) =>
    toLikePattern(JSON.stringify(word).slice(1, -1).toLowerCase()),
  );
  const matches = (column: string) =>
    patterns.map(() => `LOWER(${column}) LIKE ? ESCAPE '!'`).join(" OR ");
  const rows: { name: string }[] = await read.query(
    "SELECT name FROM template t WHERE t.organization_id = ? " +
      `AND (${matches("t.definition")} OR EXISTS (SELECT 1 FROM template_version v ` +
      `WHERE v.template_id = t.id AND (${matches("v.definition")}))) ` +
      `UNION ALL SELECT title FROM template_partial p WHERE p.organization_id = ? AND (${matches("p.components")}) ` +
      `LIMIT ${maxTemplateNames}`,
    [organizationId, ...patterns, ...patterns, organizationId, ...patterns],
  );
  return rows.map(({ name }) => name);
}

async function isLogo(
  read: EntityManager,
  { id, organizationId }: Asset,
): Promise<boolean> {
  const row = await read.findOne(Organization, {
    where: { id: organizationId },
    select: { id: true, brand: {} },
  });
  return Object(row?.brand).kit?.logo === id;
}

function stillUsed(templates: readonly string[]): PlatenError {
  const names = templates.map((name) => JSON.stringify(name)).join(", ");
  return new PlatenError(
    "conflict",
    `Templates, or versions of them, use this asset: ${names}. Leave it in the trash, or delete those templates and blocks first.`,
  );
}

/** File stores may record whole seconds only; newer files are left to the hourly cleanup. */
const minFileAgeMs = 5_000;

/** Deletes the files of a deleted row unless another asset has the same content. */
async function deleteUnusedFiles(
  read: EntityManager,
  files: FileStore,
  { storageKey, posterKey, organizationId, contentHash }: Asset,
): Promise<void> {
  const before = new Date(clock.now() - minFileAgeMs);
  if (await read.existsBy(Asset, { organizationId, contentHash })) return;
  for (const key of [storageKey, posterKey])
    if (key !== null) await files.deleteIfOlder(key, before);
}

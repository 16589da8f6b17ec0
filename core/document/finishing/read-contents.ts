import { buffer } from "node:stream/consumers";
import { type EntityManager, In, IsNull } from "typeorm";
import { type FileStore, PlatenError } from "../../contract/index.js";
import { Asset, type AssetType, isId } from "../../store/index.js";
import type { Contents, Wish } from "./pdf-wishes.js";

/** Of all files that are joined or attached to one document. */
const MOST_BYTES = 50 * 1024 * 1024;

export interface ContentSources {
  read: EntityManager;
  files: FileStore;
}

/**
 * Brings the files, in their order.
 * @param kinds of assets that may be meant
 * @throws PlatenError `invalid_request` for an asset that the organization does not have, `too_large` for all together.
 */
export async function readContents(
  { read, files }: ContentSources,
  organizationId: string,
  wishes: readonly Wish<Contents>[],
  kinds: readonly AssetType[],
): Promise<Uint8Array[]> {
  const rows = await findAssets(read, organizationId, wishes, kinds);
  const all: Uint8Array[] = [];
  let total = 0;
  for (const { path, wish } of wishes) {
    const bytes =
      "base64" in wish
        ? Buffer.from(wish.base64, "base64")
        : await bytesOf(files, rows.get(wish.asset));
    if (bytes === null) throw noAsset(path, kinds);
    total += bytes.length;
    if (total > MOST_BYTES) throw tooLarge(path);
    all.push(bytes);
  }
  return all;
}

async function findAssets(
  read: EntityManager,
  organizationId: string,
  wishes: readonly Wish<Contents>[],
  kinds: readonly AssetType[],
): Promise<Map<string, Asset>> {
  const ids = wishes
    .flatMap(({ wish }) => ("asset" in wish ? [wish.asset] : []))
    .filter((id) => isId(id));
  if (ids.length === 0) return new Map();
  const rows = await read.findBy(Asset, {
    id: In(ids),
    organizationId,
    assetType: In([...kinds]),
    trashedAt: IsNull(),
  });
  return new Map(rows.map((row) => [row.id, row]));
}

async function bytesOf(
  files: FileStore,
  asset: Asset | undefined,
): Promise<Buffer | null> {
  if (!asset || asset.sizeBytes > MOST_BYTES) return null;
  const file = await files.open(asset.storageKey);
  return file && buffer(file.stream);
}

function noAsset(path: string, kinds: readonly AssetType[]): PlatenError {
  const kind = kinds.length === 1 ? `stored ${kinds[0]}` : "stored asset";
  return refusal(path, `The organization has no such ${kind}.`);
}

function refusal(path: string, message: string): PlatenError {
  return new PlatenError("invalid_request", "The PDF cannot be finished.", {
    problems: [{ path, code: "unknown_asset", message }],
  });
}

function tooLarge(path: string): PlatenError {
  return new PlatenError(
    "too_large",
    `The files that are joined and attached are larger than ${MOST_BYTES} bytes with ${path}. Leave some out.`,
  );
}

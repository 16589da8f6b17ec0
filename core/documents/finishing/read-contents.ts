import { buffer } from "node:stream/consumers";
import { type EntityManager, In } from "typeorm";
import { type FileStore, PlatenError } from "../../plugin-api/index.js";
import { Asset, isId } from "../../storage/database/index.js";
import type { Contents, Wish } from "./pdf-wishes.js";

/** Of all files that are joined or attached to one document. */
const MOST_BYTES = 50 * 1024 * 1024;

export interface ContentSources {
  read: EntityManager;
  files: FileStore;
}

/**
 * Brings the files.
 * @throws PlatenError `invalid_request` for an asset that the organization does not have, `too_large` for all together.
 */
export async function readContents(
  { read, files }: ContentSources,
  organizationId: string,
  wishes: readonly Wish<Contents>[],
): Promise<Map<Wish<Contents>, Uint8Array>> {
  const rows = await findAssets(read, organizationId, wishes);
  const all = new Map<Wish<Contents>, Uint8Array>();
  let total = 0;
  for (const asked of wishes) {
    const { path, wish } = asked;
    const asset = fitting(asked, rows);
    const sent = "base64" in wish ? Buffer.from(wish.base64, "base64") : null;
    total += asset?.sizeBytes ?? sent?.length ?? 0;
    if (total > MOST_BYTES) throw tooLarge(path);
    const bytes = sent ?? (await bytesOf(files, asset));
    if (bytes === null) throw noAsset(asked);
    all.set(asked, bytes);
  }
  return all;
}

function fitting(
  { wish, kinds }: Wish<Contents>,
  rows: ReadonlyMap<string, Asset>,
): Asset | undefined {
  const asset = "asset" in wish ? rows.get(wish.asset) : undefined;
  return asset && kinds.includes(asset.assetType) ? asset : undefined;
}

async function findAssets(
  read: EntityManager,
  organizationId: string,
  wishes: readonly Wish<Contents>[],
): Promise<Map<string, Asset>> {
  const ids = wishes
    .flatMap(({ wish }) => ("asset" in wish ? [wish.asset] : []))
    .filter((id) => isId(id));
  if (ids.length === 0) return new Map();
  // One in the trash too: what names it still holds it.
  const rows = await read.findBy(Asset, { id: In(ids), organizationId });
  return new Map(rows.map((row) => [row.id, row]));
}

async function bytesOf(
  files: FileStore,
  asset: Asset | undefined,
): Promise<Buffer | null> {
  const file = asset ? await files.open(asset.storageKey) : null;
  return file && buffer(file.stream);
}

function noAsset({ path, kinds }: Wish<Contents>): PlatenError {
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

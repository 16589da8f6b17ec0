import { before } from "mocha";
import { z } from "zod";
import { parseConfig } from "../../config/index.js";
import { recordAudit } from "../../core/accounts/index.js";
import {
  assetSchema,
  assetListItemSchema,
  uploadLinkSchema,
} from "../../core/api/routes/assets.js";
import { folderSchema } from "../../core/api/routes/folders.js";
import { paginationSchema } from "../../core/api/schemas.js";
import { AssetLinks, Assets, PublicFiles } from "../../core/assets/index.js";
import { Folders } from "../../core/folders/index.js";
import { Outbound } from "../../core/lib/outbound/index.js";
import type { FileStore } from "../../core/plugin-api/index.js";
import type { Store } from "../../core/storage/database/index.js";
import { LocalFileStore } from "../../core/storage/files/index.js";
import { errorOf, type TestCaller, reader } from "./caller.js";
import { silentLog } from "./recording-log.js";
import { suiteFolder } from "./store-folder.js";
import { type OpenDatabase, newOwner } from "./store.js";

export type AssetReply = z.output<typeof assetSchema>;

/** Any JSON body of a request that makes an asset. */
type Upload = Record<string, unknown>;

/** Reads a good answer of this form. */
export const libraryReplies = {
  asset: reader(assetSchema),
  assets: reader(
    z.strictObject({
      data: z.array(assetListItemSchema),
      pagination: paginationSchema,
    }),
  ),
  uploadLink: reader(uploadLinkSchema),
  folder: reader(folderSchema),
  folders: reader(
    z.strictObject({
      data: z.array(folderSchema),
      pagination: paginationSchema,
    }),
  ),
};

/** Stores an asset over REST. */
export async function added(
  caller: TestCaller,
  upload: Upload,
): Promise<AssetReply> {
  return libraryReplies.asset(await caller.post("/api/assets", upload), 201);
}

/** The same with bytes. */
export function addedBytes(
  caller: TestCaller,
  name: string,
  bytes: Uint8Array,
  more: Upload = {},
): Promise<AssetReply> {
  return added(caller, { name, base64Data: base64(bytes), ...more });
}

/** The status and the words with which an upload is refused. */
export async function refusal(
  caller: TestCaller,
  upload: Upload,
): Promise<{ status: number; error: string }> {
  const response = await caller.post("/api/assets", upload);
  return { status: response.status, error: await errorOf(response) };
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

interface AssetRoom {
  store: Store;
  assets: Assets;
  publicFiles: PublicFiles;
  folders: Folders;
  owner: Awaited<ReturnType<typeof newOwner>>;
}

/** The library on a suite's database, with an organization; made before its tests. Files lie in a folder by default. */
export function useAssetRoom(
  open: OpenDatabase,
  filesOf?: () => FileStore,
): { now: AssetRoom } {
  const state: { now?: AssetRoom } = {};
  const folder = suiteFolder();
  before(async () => {
    const store = await open();
    const owner = await newOwner(store);
    const folders = new Folders(store);
    const files = filesOf?.() ?? (await filesIn(`${folder}/files`));
    const assets = assetsOn(store, files, `${folder}/uploads`);
    const publicFiles = new PublicFiles(store.read, files);
    state.now = { store, assets, publicFiles, folders, owner };
  });
  return {
    get now() {
      if (state.now) return state.now;
      throw new Error("the room is not open yet");
    },
  };
}

async function filesIn(folder: string): Promise<FileStore> {
  const files = new LocalFileStore(folder);
  await files.prepare();
  return files;
}

function assetsOn(store: Store, files: FileStore, folder: string): Assets {
  const { assets: limits } = parseConfig({});
  const baseUrl = "http://localhost:3000";
  return new Assets({
    store,
    files,
    outbound: new Outbound({ allowPrivateNetworks: [], log: silentLog }),
    links: new AssetLinks(baseUrl, "secret"),
    noteAct: recordAudit,
    limits: {
      imageBytes: limits.maxBytes,
      imagePixels: limits.maxPixels,
      videoBytes: limits.maxVideoBytes,
      fontBytes: limits.maxFontBytes,
      pdfBytes: limits.maxPdfBytes,
      isFetching: false,
      fetchTimeoutMs: 1000,
    },
    baseUrl,
    folder,
  });
}

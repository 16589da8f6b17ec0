import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parseConfig } from "../../config/index.js";
import { operator } from "../../core/accounts/index.js";
import {
  assetListItemSchema,
  AssetLinks,
  Assets,
  assetSchema,
  type AssetView,
  PublicFiles,
  uploadLinkSchema,
} from "../../core/assets/index.js";
import { PdfChecks } from "../../core/assets/pdfs.js";
import { Compute } from "../../core/compute/index.js";
import { Folders, folderSchema } from "../../core/folders/index.js";
import { Outbound } from "../../core/lib/outbound/index.js";
import { getPackageInfo } from "../../core/lib/package-info.js";
import type { FileStore } from "../../core/plugin-api/index.js";
import {
  readCharacterMap,
  writeCharacterMap,
  readTables,
  writeTables,
} from "../../core/rendering/fonts/open-type.js";
import { PdfEditor } from "../../core/rendering/pdf/index.js";
import type { Store } from "../../core/storage/database/index.js";
import { LocalFileStore } from "../../core/storage/files/index.js";
import { readError, type TestCaller, reader } from "./caller.js";
import { silentLog } from "./recording-log.js";
import type { TestService } from "./service.js";
import { suiteFolder } from "./store-folder.js";
import { type OpenDatabase, newOwner } from "./store.js";
import { paginationSchema } from "../../core/lib/schemas.js";

const pdfEditor = new PdfEditor();
const compute = new Compute();

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
export async function createAsset(
  caller: TestCaller,
  upload: Upload,
): Promise<AssetReply> {
  return libraryReplies.asset(await caller.post("/api/assets", upload), 201);
}

/** The same with bytes. */
export function uploadBytes(
  caller: TestCaller,
  name: string,
  bytes: Uint8Array,
  more: Upload = {},
): Promise<AssetReply> {
  return createAsset(caller, { name, base64Data: base64(bytes), ...more });
}

/** The status and the words with which an upload is refused. */
export async function rejection(
  caller: TestCaller,
  upload: Upload,
): Promise<{ status: number; error: string }> {
  const response = await caller.post("/api/assets", upload);
  return { status: response.status, error: await readError(response) };
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

interface AssetLibrary {
  store: Store;
  assets: Assets;
  publicFiles: PublicFiles;
  folders: Folders;
  owner: Awaited<ReturnType<typeof newOwner>>;
}

/** The library on a suite's database with an organization, created before its tests. Files are stored in a folder by default. */
export function useAssetLibrary(
  open: OpenDatabase,
  getFileStore?: () => FileStore,
): { now: AssetLibrary } {
  const state: { now?: AssetLibrary } = {};
  const folder = suiteFolder();
  before(async () => {
    const store = await open();
    const owner = await newOwner(store);
    const folders = new Folders(store);
    const files = getFileStore?.() ?? (await filesIn(`${folder}/files`));
    const assets = assetsOn(store, files, `${folder}/uploads`);
    const drawings = { find: () => Promise.resolve(null) };
    const publicFiles = new PublicFiles(store, files, drawings);
    state.now = { store, assets, publicFiles, folders, owner };
  });
  return {
    get now() {
      if (state.now) return state.now;
      throw new Error("the library is not open yet");
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
    limits: {
      imageBytes: limits.maxBytes,
      imagePixels: limits.maxPixels,
      videoBytes: limits.maxVideoBytes,
      fontBytes: limits.maxFontBytes,
      pdfBytes: limits.maxPdfBytes,
      isFetching: false,
      fetchTimeoutMs: 1000,
    },
    pdfChecks: new PdfChecks(pdfEditor),
    compute,
    baseUrl,
    folder,
  });
}

/** A face that the service ships under another name, and so draws in letters that can be told apart. */
export function greatVibes(): Promise<Buffer> {
  return readFile(
    join(getPackageInfo().folder, "fonts/great-vibes/400Regular.ttf"),
  );
}

function utf16(text: string): string {
  return Buffer.from(text, "utf16le").swap16().toString("latin1");
}

/** The same font under a name of the same length that nothing else has. */
export async function renamedFont(name = "Acme Hands"): Promise<Buffer> {
  const bytes = (await greatVibes()).toString("latin1");
  const renamed = bytes
    .replaceAll("Great Vibes", name.padEnd(11))
    .replaceAll(utf16("Great Vibes"), utf16(name.padEnd(11)));
  return Buffer.from(renamed, "latin1");
}

/** Adds a font or a picture to a caller's organization. */
export function addAsset(
  service: TestService,
  caller: TestCaller,
  name: string,
  bytes: Uint8Array,
): Promise<AssetView> {
  const { uploads } = service.container.resolve(Assets);
  return uploads.fromBytes(caller, { name, actor: operator, bytes });
}

/** The same, in which a character that no shipped font has (U+E041) looks like an A. */
export async function shiftedFont(name?: string): Promise<Buffer> {
  const font = await renamedFont(name);
  const tables = readTables(font);
  const characters = readCharacterMap(tables.get("cmap") ?? Buffer.alloc(0));
  characters.set(0xe041, characters.get(0x41) ?? 0);
  tables.set("cmap", writeCharacterMap(characters));
  return writeTables(font, tables);
}

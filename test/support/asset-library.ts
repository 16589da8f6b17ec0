import { before } from "mocha";
import { parseConfig } from "../../config/index.js";
import { AssetLinks, Assets, PublicFiles } from "../../core/assets/index.js";
import type { FileStore } from "../../core/plugin-api/index.js";
import { Folders } from "../../core/folders/index.js";
import { LocalFileStore } from "../../core/storage/files/index.js";
import { Outbound } from "../../core/lib/outbound/index.js";
import type { Store } from "../../core/storage/database/index.js";
import type { OpenDatabase } from "./store.js";
import { suiteFolder } from "./store-folder.js";
import { silentLog } from "./recording-log.js";
import { newOwner } from "./store.js";

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
  filesOf?: () => FileStore,
): { now: AssetLibrary } {
  const state: { now?: AssetLibrary } = {};
  const folder = suiteFolder();
  before(async () => {
    const store = await open();
    const owner = await newOwner(store);
    const folders = new Folders(store);
    const files = filesOf?.() ?? (await filesIn(`${folder}/files`));
    const assets = assetsOn(store, files, `${folder}/uploads`);
    const publicFiles = new PublicFiles(store, files);
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
    baseUrl,
    folder,
  });
}

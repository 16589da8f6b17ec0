import { before } from "mocha";
import { parseConfig } from "../../config/index.js";
import { AssetLinks, Assets } from "../../core/asset/index.js";
import { Folders } from "../../core/folder/index.js";
import { LocalFileStore } from "../../core/file/index.js";
import { Outbound } from "../../core/outbound/index.js";
import type { Store } from "../../core/store/index.js";
import type { OpenDatabase } from "./store.js";
import { suiteFolder } from "./store-folder.js";
import { silentLog } from "./store-log.js";
import { newOwner } from "./store-templates.js";

interface AssetRoom {
  store: Store;
  assets: Assets;
  folders: Folders;
  owner: Awaited<ReturnType<typeof newOwner>>;
}

/** The library on a suite's database, with an organization; made before its tests. */
export function useAssetRoom(open: OpenDatabase): { now: AssetRoom } {
  const state: { now?: AssetRoom } = {};
  const folder = suiteFolder();
  before(async () => {
    const store = await open();
    const owner = await newOwner(store);
    const folders = new Folders(store);
    const assets = await assetsOn(store, folder);
    state.now = { store, assets, folders, owner };
  });
  return {
    get now() {
      if (state.now) return state.now;
      throw new Error("the room is not open yet");
    },
  };
}

async function assetsOn(store: Store, folder: string): Promise<Assets> {
  const { assets: limits } = parseConfig({});
  const files = new LocalFileStore(`${folder}/files`);
  await files.prepare();
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
    folder: `${folder}/uploads`,
  });
}

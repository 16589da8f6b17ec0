import { join } from "node:path";
import type { DependencyContainer } from "tsyringe";
import type { Config } from "../../config/index.js";
import { recordAudit } from "../accounts/index.js";
import { AssetLinks, Assets, PublicFiles } from "../assets/index.js";
import { Folders } from "../folders/index.js";
import { make } from "./make.js";
import * as t from "./tokens.js";

/** A fetch for the library may bring a video, a fetch for a document only an image. */
const FETCH_TIMES = 6;

/** The library: assets, their addresses, and folders. */
export function joinAssets(container: DependencyContainer): void {
  make(container, t.FOLDERS, (c) => new Folders(c.resolve(t.STORE)));
  make(
    container,
    t.ASSET_LINKS,
    (c) => new AssetLinks(c.resolve(t.BASE_URL), c.resolve(t.SECRET)),
  );
  make(
    container,
    t.PUBLIC_FILES,
    (c) => new PublicFiles(c.resolve(t.STORE).read, c.resolve(t.FILE_STORE)),
  );
  make(container, t.ASSETS, (c) => {
    const { assets, dataFolder } = c.resolve(t.CONFIG);
    return new Assets({
      store: c.resolve(t.STORE),
      files: c.resolve(t.FILE_STORE),
      outbound: c.resolve(t.OUTBOUND),
      links: c.resolve(t.ASSET_LINKS),
      limits: limitsOf(assets),
      recordAudit: recordAudit,
      baseUrl: c.resolve(t.BASE_URL),
      folder: join(dataFolder, "uploads"),
    });
  });
}

function limitsOf(assets: Config["assets"]) {
  return {
    imageBytes: assets.maxBytes,
    imagePixels: assets.maxPixels,
    videoBytes: assets.maxVideoBytes,
    fontBytes: assets.maxFontBytes,
    pdfBytes: assets.maxPdfBytes,
    isFetching: assets.isFetching,
    fetchTimeoutMs: assets.timeoutMs * FETCH_TIMES,
  };
}

import { join } from "node:path";
import { COMPUTE } from "../compute/tokens.js";
import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { OUTBOUND } from "../lib/outbound/tokens.js";
import { BASE_URL, CONFIG, FILE_STORE } from "../lib/tokens.js";
import { PDF_EDITOR } from "../rendering/tokens.js";
import { STORE } from "../storage/database/tokens.js";
import { AssetLinks, Assets, Drawings, PublicFiles } from "./index.js";
import { PdfChecks } from "./pdfs.js";
import * as t from "./tokens.js";

/** A fetched asset may be a video, which takes longer than a document's image. */
const fetchTimeoutFactor = 6;

export function registerAssets(container: DependencyContainer): void {
  registerClass(container, t.ASSETS, Assets);
  registerClass(container, t.ASSET_LINKS, AssetLinks);
  registerClass(container, t.PUBLIC_FILES, PublicFiles);
  registerClass(container, t.DRAWINGS, Drawings);
  registerFactory(
    container,
    t.DRAWING_RETENTION_MS,
    (c) => c.resolve(CONFIG).assets.drawingRetentionMs,
  );
  registerFactory(container, t.ASSET_CONTEXT, (c) => {
    const { assets, dataFolder } = c.resolve(CONFIG);
    return {
      store: c.resolve(STORE),
      files: c.resolve(FILE_STORE),
      outbound: c.resolve(OUTBOUND),
      links: c.resolve(t.ASSET_LINKS),
      limits: {
        imageBytes: assets.maxBytes,
        imagePixels: assets.maxPixels,
        videoBytes: assets.maxVideoBytes,
        fontBytes: assets.maxFontBytes,
        pdfBytes: assets.maxPdfBytes,
        organizationBytes: assets.maxOrganizationBytes,
        isFetching: assets.isFetching,
        fetchTimeoutMs: assets.timeoutMs * fetchTimeoutFactor,
      },
      pdfChecks: new PdfChecks(c.resolve(PDF_EDITOR)),
      compute: c.resolve(COMPUTE),
      baseUrl: c.resolve(BASE_URL),
      folder: join(dataFolder, "uploads"),
    };
  });
}

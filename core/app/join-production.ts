import type { DependencyContainer } from "tsyringe";
import { configuredRenderer } from "./configured-renderer.js";
import {
  PdfPostProcessor,
  OutputStore,
  OrganizationFonts,
  Pictures,
  ProgramCache,
  type RenderParts,
  RenderMetrics,
} from "../documents/index.js";
import { make } from "./make.js";
import { PdfEditor } from "../rendering/pdf/index.js";
import * as t from "./tokens.js";

const MEGABYTE = 1024 * 1024;

/** What a document is made with, whether its caller waits or it was queued. */
export function joinProduction(container: DependencyContainer): void {
  make(container, t.RENDERER, (c) =>
    configuredRenderer(
      c.resolve(t.CONFIG),
      c.resolve(t.PACKAGE),
      c.resolve(t.LOG),
    ),
  );
  joinPictures(container);
  make(container, t.PROGRAM_CACHE, () => new ProgramCache(128 * MEGABYTE));
  make(
    container,
    t.OUTPUT_STORE,
    (c) => new OutputStore(c.resolve(t.FILE_STORE), c.resolve(t.STORED_LINKS)),
  );
  make(
    container,
    t.RENDER_METRICS,
    (c) => new RenderMetrics(c.resolve(t.METRICS)),
  );
  make(container, t.PDF_EDITOR, () => new PdfEditor());
  make(
    container,
    t.PDF_POST_PROCESSOR,
    (c) =>
      new PdfPostProcessor(
        { read: c.resolve(t.STORE).read, files: c.resolve(t.FILE_STORE) },
        c.resolve(t.PDF_EDITOR),
      ),
  );
}

/** All of it, for those who render. */
export function renderParts(c: DependencyContainer): RenderParts {
  return {
    store: c.resolve(t.STORE),
    pictures: c.resolve(t.PICTURES),
    fonts: c.resolve(t.ORGANIZATION_FONTS),
    outputs: c.resolve(t.OUTPUT_STORE),
    programs: c.resolve(t.PROGRAM_CACHE),
    renderer: c.resolve(t.RENDERER),
    finishing: c.resolve(t.PDF_POST_PROCESSOR),
    signing: c.resolve(t.SIGNING),
    witness: c.resolve(t.RENDER_METRICS),
    payloads: c.resolve(t.RECENT_PAYLOADS),
    log: c.resolve(t.LOG),
  };
}

function joinPictures(container: DependencyContainer): void {
  make(container, t.PICTURES, (c) => {
    const limits = c.resolve(t.CONFIG).assets;
    const cacheBytes = limits.cacheBytes - fontShare(limits);
    const parts = {
      read: c.resolve(t.STORE).read,
      files: c.resolve(t.FILE_STORE),
      links: c.resolve(t.ASSET_LINKS),
      outbound: c.resolve(t.OUTBOUND),
    };
    return new Pictures(parts, { ...limits, cacheBytes });
  });
  make(
    container,
    t.ORGANIZATION_FONTS,
    (c) =>
      new OrganizationFonts(
        c.resolve(t.STORE).read,
        c.resolve(t.FILE_STORE),
        c.resolve(t.ASSET_LINKS),
        fontShare(c.resolve(t.CONFIG).assets),
      ),
  );
}

/** What fonts have of the memory that is there for images and fonts. */
function fontShare({ cacheBytes }: { cacheBytes: number }): number {
  return cacheBytes / 4;
}

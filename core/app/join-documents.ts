import type { DependencyContainer } from "tsyringe";
import {
  createRenderDocument,
  Documents,
  DraftPreviews,
} from "../documents/index.js";
import {
  TemplateEditor,
  Templates,
  type ThumbnailUrl,
} from "../templates/index.js";
import { Thumbnails } from "../documents/index.js";
import { renderParts } from "./join-production.js";
import { make } from "./make.js";
import * as t from "./tokens.js";

/** Templates, and what is made of them. */
export function joinDocuments(container: DependencyContainer): void {
  make(container, t.RENDER_DOCUMENT, (c) =>
    createRenderDocument(renderParts(c)),
  );
  make(container, t.DOCUMENTS, (c) => new Documents(c.resolve(t.STORE)));
  make(
    container,
    t.TEMPLATES,
    (c) => new Templates(c.resolve(t.STORE), thumbnailUrl(c)),
  );
  make(
    container,
    t.TEMPLATE_EDITOR,
    (c) => new TemplateEditor(c.resolve(t.STORE), thumbnailUrl(c)),
  );
  make(container, t.DRAFT_PREVIEWS, (c) => {
    const { timeoutMs } = c.resolve(t.CONFIG).render;
    return new DraftPreviews({
      pictures: c.resolve(t.PICTURES),
      fonts: c.resolve(t.ORGANIZATION_FONTS),
      programs: c.resolve(t.PROGRAM_CACHE),
      renderer: c.resolve(t.RENDERER),
      timeoutMs,
    });
  });
  make(container, t.THUMBNAILS, (c) => {
    const { timeoutMs } = c.resolve(t.CONFIG).render;
    return new Thumbnails({
      store: c.resolve(t.STORE),
      files: c.resolve(t.FILE_STORE),
      pictures: c.resolve(t.PICTURES),
      fonts: c.resolve(t.ORGANIZATION_FONTS),
      programs: c.resolve(t.PROGRAM_CACHE),
      renderer: c.resolve(t.RENDERER),
      links: c.resolve(t.THUMBNAIL_LINKS),
      timeoutMs,
    });
  });
}

function thumbnailUrl(container: DependencyContainer): ThumbnailUrl {
  const links = container.resolve(t.THUMBNAIL_LINKS);
  return (id, hash) => links.create(id, hash);
}

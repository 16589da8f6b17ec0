import type { DependencyContainer } from "tsyringe";
import { DraftPrinter, RecentPayloads } from "../documents/index.js";
import { DraftService } from "../templates/drafts/index.js";
import { make } from "./make.js";
import {
  getFamilyAliases,
  readFace,
  listShippedFaces,
} from "../rendering/index.js";
import * as t from "./tokens.js";

/** What templates are designed with. */
export function joinDrafts(container: DependencyContainer): void {
  make(container, t.RECENT_PAYLOADS, (c) => {
    const { recentPayloadsMs } = c.resolve(t.CONFIG);
    return new RecentPayloads(c.resolve(t.STORE), recentPayloadsMs);
  });
  make(container, t.DRAFT_DESK, (c) => {
    const printer = new DraftPrinter({
      pictures: c.resolve(t.PICTURES),
      fonts: c.resolve(t.ORGANIZATION_FONTS),
      renderer: c.resolve(t.RENDERER),
      finishing: c.resolve(t.PDF_POST_PROCESSOR),
      timeoutMs: c.resolve(t.CONFIG).render.timeoutMs,
    });
    return new DraftService({
      store: c.resolve(t.STORE),
      printer,
      fonts: c.resolve(t.ORGANIZATION_FONTS),
      payloads: c.resolve(t.RECENT_PAYLOADS),
      shipped: {
        faces: listShippedFaces(),
        aliases: getFamilyAliases(),
        read: readFace,
      },
    });
  });
}

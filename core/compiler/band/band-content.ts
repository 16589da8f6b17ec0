import type { Component } from "../../definition/schema/component-schema.js";
import type { Band, PageSetup } from "../../definition/schema/page-schema.js";
import { toPx } from "../../definition/page/lengths.js";
import type { Edge, Edges } from "./edges.js";

/** What a header or footer holds. */
export interface BandContent {
  components: readonly Component[];
  /** JSON path of the list. */
  path: string;
  /** Room that it needs at least, in CSS px; 0 when it does not say. */
  heightPx: number;
}

/** Without a variant of its own the first page is like the others; an empty one leaves its edge bare. */
export function bandContents(page: PageSetup = {}): Edges<BandContent> {
  return {
    top: edgeOf(page, "header", "firstHeader"),
    bottom: edgeOf(page, "footer", "firstFooter"),
  };
}

function edgeOf(
  page: PageSetup,
  name: "header" | "footer",
  firstName: "firstHeader" | "firstFooter",
): Edge<BandContent> {
  const other = contentOf(page[name], `$.page.${name}`);
  const own = page[firstName];
  const first =
    own === undefined ? other : contentOf(own, `$.page.${firstName}`);
  return { first, other };
}

function contentOf(band: Band | undefined, path: string): BandContent | null {
  if (band === undefined) return null;
  const content = Array.isArray(band)
    ? { components: band, path, heightPx: 0 }
    : {
        components: band.components,
        path: `${path}.components`,
        heightPx: toPx(band.height ?? "0") ?? 0,
      };
  return content.components.length === 0 ? null : content;
}

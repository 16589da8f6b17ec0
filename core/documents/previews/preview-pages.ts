import type { Deadline } from "../../plugin-api/index.js";
import type { Renderer } from "../../rendering/index.js";
import { MAX_PREVIEWS, type Preview, previewScale } from "./preview.js";

export interface PrintedPages {
  pdf: Buffer;
  /** How many there are. */
  pages: number;
  /** The size of a sheet, in CSS px. */
  sheet: { widthPx: number; heightPx: number };
}

/** Pictures of the first pages of what was printed. @throws PlatenError as `Renderer.images`. */
export function previewPages(
  renderer: Pick<Renderer, "images">,
  { pdf, pages, sheet }: PrintedPages,
  choice: "first" | "all",
  deadline: Deadline,
): Promise<Preview[]> {
  const last = choice === "first" ? 1 : Math.min(pages, MAX_PREVIEWS);
  return renderer.images({
    pdf,
    type: "png",
    pages: `1-${last}`,
    scale: previewScale(sheet),
    deadline,
  });
}

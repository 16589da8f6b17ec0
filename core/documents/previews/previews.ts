import type { Deadline } from "../../plugin-api/index.js";
import type { Renderer, Screenshot } from "../../rendering/index.js";

/** Which pages a render also draws as previews: none, the first one, or all up to a limit. */
export type PreviewChoice = "none" | "first" | "all";

/** A small png of a page. It is returned and not stored. */
export interface Preview {
  /** From 1; for an email, which has no pages, the number of the section. */
  page: number;
  widthPx: number;
  heightPx: number;
  bytes: Buffer;
}

export interface Previews {
  /** Empty unless requested. */
  pictures: readonly Preview[];
  /** Why there are none although they were requested. */
  problem: string | null;
}

/** Each costs an AI assistant about 2,000 tokens, and its client accepts about 25,000 at once. */
const MAX_PREVIEWS = 10;

// The largest size that AI assistants do not scale down themselves.
const WIDTH = 1000;
const PREVIEW_HEIGHT = 1568;

/** Enough for small print on small paper. */
const MAX_SCALE = 2;

/** An email as an email client's window shows it. */
interface ShownEmail {
  html: string;
  widthPx: number;
  /** The organization. */
  owner: string;
}

/** An email from the top, cut into readable sections. @throws PlatenError as `Renderer.screenshot`. */
export async function previewEmail(
  renderer: Pick<Renderer, "screenshot">,
  email: ShownEmail,
  choice: "first" | "all",
  deadline: Deadline,
): Promise<Preview[]> {
  const job = { ...email, type: "png", scale: 1, deadline } as const;
  const shot = await renderer.screenshot(job);
  const count = Math.ceil(shot.heightPx / PREVIEW_HEIGHT);
  const last = choice === "first" ? 1 : Math.min(count, MAX_PREVIEWS);
  return Promise.all(
    Array.from({ length: last }, (_, index) => stretch(shot, index)),
  );
}

async function stretch(
  { bytes, widthPx, heightPx }: Screenshot,
  index: number,
): Promise<Preview> {
  const { default: sharp } = await import("sharp");
  const top = index * PREVIEW_HEIGHT;
  const height = Math.min(PREVIEW_HEIGHT, heightPx - top);
  const area = { left: 0, top, width: widthPx, height };
  return {
    page: index + 1,
    widthPx,
    heightPx: height,
    bytes: await sharp(bytes).extract(area).png().toBuffer(),
  };
}

interface PrintedPages {
  /** As of a render job. */
  owner: string;
  pdf: Buffer;
  pages: number;
  /** The size of a page, in CSS px. */
  sheet: { widthPx: number; heightPx: number };
}

/** Previews of the first pages of a printed PDF. @throws PlatenError as `Renderer.images`. */
export function previewPages(
  renderer: Pick<Renderer, "images">,
  { owner, pdf, pages, sheet }: PrintedPages,
  choice: "first" | "all",
  deadline: Deadline,
): Promise<Preview[]> {
  const last = choice === "first" ? 1 : Math.min(pages, MAX_PREVIEWS);
  return renderer.images({
    pdf,
    type: "png",
    pages: `1-${last}`,
    owner,
    // So that the preview shows all of the page.
    scale: Math.min(
      MAX_SCALE,
      WIDTH / sheet.widthPx,
      PREVIEW_HEIGHT / sheet.heightPx,
    ),
    deadline,
  });
}

import type { Deadline } from "../../plugin-api/index.js";
import type { Renderer, Screenshot } from "../../rendering/index.js";

/** Whether a render also draws pictures for whoever asked: of the first page, or of all up to a limit. */
export type PreviewChoice = "none" | "first" | "all";

/** A picture for a quick look, png. It is handed over and not kept. */
export interface Preview {
  /** From 1; of an email, which has no pages, the stretch of it. */
  page: number;
  widthPx: number;
  heightPx: number;
  bytes: Buffer;
}

export interface Previews {
  /** Empty unless they were asked for. */
  pictures: readonly Preview[];
  /** Why there are none although they were asked for. */
  problem: string | null;
}

/** Each costs an assistant about 2,000 tokens, and its client takes some 25,000 at once. */
const MAX_PREVIEWS = 10;

// What assistants look at without making it smaller themselves.
const WIDTH = 1000;
const PREVIEW_HEIGHT = 1568;

/** Enough for small print on small paper; more would only be larger. */
const MAX_SCALE = 2;

/** Picture pixels for each CSS px of a sheet, so that all of it is seen at once. */
function previewScale(page: { widthPx: number; heightPx: number }): number {
  return Math.min(
    MAX_SCALE,
    WIDTH / page.widthPx,
    PREVIEW_HEIGHT / page.heightPx,
  );
}

/** An email as a mail program's window shows it. */
interface ShownEmail {
  html: string;
  widthPx: number;
  /** Whose it is. */
  owner: string;
}

/** An email from its top on, cut into stretches that can be read. @throws PlatenError as `Renderer.screenshot`. */
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

// Pictures for a quick look at a document while it is designed: small, handed over at once, never stored.

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
export const MAX_PREVIEWS = 10;

// What assistants look at without making it smaller themselves.
const WIDTH = 1000;
export const PREVIEW_HEIGHT = 1568;

/** Enough for small print on small paper; more would only be larger. */
const MAX_SCALE = 2;

/** Picture pixels for each CSS px of a sheet, so that all of it is seen at once. */
export function previewScale(page: {
  widthPx: number;
  heightPx: number;
}): number {
  return Math.min(
    MAX_SCALE,
    WIDTH / page.widthPx,
    PREVIEW_HEIGHT / page.heightPx,
  );
}

import type { Deadline } from "../../plugin-api/index.js";
import type { Renderer, Screenshot } from "../../rendering/index.js";
import { MAX_PREVIEWS, type Preview, PREVIEW_HEIGHT } from "./preview.js";

/** An email as a mail program's window shows it. */
export interface ShownEmail {
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

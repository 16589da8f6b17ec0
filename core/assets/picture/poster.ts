import type { Asset } from "../../storage/database/index.js";

type Video = Pick<Asset, "width" | "height" | "details">;

const WIDTH = 1280;

/** What stands under the play mark. Both are text that SVG can hold as it is. */
export interface PosterWords {
  name: string;
  note: string;
}

/**
 * A quiet picture that stands for a video where none can play: a dark sheet of the video's shape with a play mark, and
 * with words where whoever draws it has fonts.
 */
export function posterSvg(video: Video, words?: PosterWords): string {
  const height = heightOf(video);
  const middle = { x: WIDTH / 2, y: height / 2 };
  const radius = Math.min(104, height / 5);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">` +
    '<defs><linearGradient id="sheet" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#2b3445"/>' +
    '<stop offset="1" stop-color="#141a26"/></linearGradient></defs>' +
    `<rect width="${WIDTH}" height="${height}" fill="url(#sheet)"/>` +
    `<circle cx="${middle.x}" cy="${middle.y}" r="${radius}" fill="#fff" fill-opacity=".14" stroke="#fff" stroke-width="5"/>` +
    `<path d="${triangle(middle, radius)}" fill="#fff" stroke="#fff" stroke-width="8" stroke-linejoin="round"/>` +
    (words ? caption(words, height) : "") +
    "</svg>"
  );
}

/** The same without words, as png, for mails: their readers show no svg. */
export async function drawPoster(video: Video): Promise<Buffer> {
  // Loaded by the first video: it takes long to load.
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(posterSvg(video)))
    .png({ palette: true })
    .toBuffer();
}

/** The video's own shape, within what looks well on a page. */
function heightOf({ width, height }: Video): number {
  const ratio = width && height ? height / width : 9 / 16;
  return Math.round(WIDTH * Math.min(1.8, Math.max(0.3, ratio)));
}

/** Its middle is that of its weight, which is where the eye looks for it. */
function triangle({ x, y }: { x: number; y: number }, radius: number): string {
  const [left, right, half] = [
    x - radius * 0.28,
    x + radius * 0.52,
    radius * 0.46,
  ];
  return `M${left} ${y - half}L${right} ${y}L${left} ${y + half}Z`;
}

function caption({ name, note }: PosterWords, height: number): string {
  const text = `font-family="Inter,Noto Sans,sans-serif" fill="#fff"`;
  return (
    `<text x="48" y="${height - 48}" ${text} font-size="38" font-weight="600">${name}</text>` +
    `<text x="${WIDTH - 48}" y="${height - 48}" ${text} font-size="32" fill-opacity=".75" text-anchor="end">${note}</text>`
  );
}

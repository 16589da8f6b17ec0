import { escapeHtml } from "../../definition/expressions/index.js";

const IMAGE =
  /(<a\b[^>]*>)?<img\b[^>]*\bsrc="(platen-asset-[0-9a-f]{32})"[^>]*>/g;
const MJML_IMAGE = /<mj-image\b[^>]*\bsrc="(platen-asset-[0-9a-f]{32})"[^>]*>/g;

/**
 * The html or MJML of a merged document, in which the picture of a video leads to the video; one that its template has
 * lead elsewhere stays as it is.
 * @param videos addresses by token.
 */
export function linkVideos(
  text: string,
  videos: ReadonlyMap<string, string>,
): string {
  if (videos.size === 0) return text;
  return text
    .replace(IMAGE, (image, link: string | undefined, token: string) => {
      const url = videos.get(token);
      if (url === undefined || link !== undefined) return image;
      return `<a href="${escapeHtml(url)}">${image}</a>`;
    })
    .replace(MJML_IMAGE, (image, token: string) => {
      const url = videos.get(token);
      if (url === undefined || / href="/.test(image)) return image;
      return image.replace(
        "<mj-image",
        () => `<mj-image href="${escapeHtml(url)}"`,
      );
    });
}

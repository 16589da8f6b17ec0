import { escapeHtml } from "../../definition/expressions/index.js";
import type { AssetBook } from "../../definition/assets/asset-book.js";

/** Sanitized markup whose images are in the book, like those of image components. */
export function fetchImages(html: string, assets: AssetBook): string {
  if (!html.includes("<img")) return html;
  return html.replace(/<img\b[^>]*>/g, (tag) => {
    const alt = attribute(tag, "alt");
    const address = assets.address(attribute(tag, "src"), alt);
    const src = escapeHtml(address ?? assets.placeholder(alt));
    return tag.replace(/ src="[^"]*"/, () => ` src="${src}"`);
  });
}

/** As the sanitizer writes it: in double quotes, with five characters escaped. */
function attribute(tag: string, name: string): string {
  const [, value = ""] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return value
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

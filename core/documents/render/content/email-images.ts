import {
  drawPng,
  type EmailImage,
  rasterizeSvg,
} from "../../../assets/index.js";
import {
  type AssetReference,
  decodeDataUrl,
  getDrawing,
  placeholder,
} from "../../../compiler/index.js";

/**
 * An image as a file for mail programs, many of which show no SVG and nothing that is part of the text.
 * @param resolved data URLs by token; a placeholder is drawn for null and for a missing token
 */
export function toEmailImage(
  owner: string,
  reference: AssetReference,
  resolved: ReadonlyMap<string, string | null>,
): EmailImage {
  const drawing = getDrawing(reference);
  if (drawing) {
    const { svg, widthPx, heightPx } = drawing;
    return {
      content: `${widthPx} ${heightPx} ${svg}`,
      mimeType: "image/png",
      bytes: () => drawPng(drawing, owner),
    };
  }
  const dataUrl = resolved.get(reference.token) ?? placeholder(reference.alt);
  const [, mimeType = ""] = /^data:([^;,]*)/.exec(dataUrl) ?? [];
  const bytes = decodeDataUrl(dataUrl);
  return mimeType === "image/svg+xml"
    ? {
        content: dataUrl,
        mimeType: "image/png",
        bytes: () => rasterizeSvg(bytes, owner),
      }
    : { content: dataUrl, mimeType, bytes: async () => bytes };
}

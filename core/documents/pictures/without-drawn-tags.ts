import { markupWithoutFieldTags } from "../../compiler/index.js";
import type { ResolvedAssets } from "./pictures.js";

const DRAWING = "data:image/svg+xml;base64,";

/** The same images with no field of a provider's in their texts: a drawing's text becomes text of the PDF. */
export function withoutDrawnTags<T extends Pick<ResolvedAssets, "byToken">>(
  assets: T,
): T {
  const byToken = Array.from(
    assets.byToken,
    ([token, address]) => [token, address && guarded(address)] as const,
  );
  return { ...assets, byToken: new Map(byToken) };
}

function guarded(address: string): string {
  if (!address.startsWith(DRAWING)) return address;
  const svg = Buffer.from(address.slice(DRAWING.length), "base64").toString();
  const safe = markupWithoutFieldTags(svg);
  return safe === svg
    ? address
    : DRAWING + Buffer.from(safe).toString("base64");
}

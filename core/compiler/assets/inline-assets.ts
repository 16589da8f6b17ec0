import { escapeHtml } from "../../definition/expressions/index.js";
import {
  isInline,
  TOKEN,
  type AssetReference,
} from "../../definition/assets/asset-book.js";
import { bytesOfDataUrl } from "./data-url.js";
import { placeholder } from "../../definition/assets/placeholder.js";

/**
 * The html with its tokens replaced.
 * @param resolved base64 data URLs by token; null draws a placeholder, and so does a token that it lacks, unless its
 * source is a data URL, which stands for itself.
 */
export function inlineAssets(
  merged: { html: string; assets: readonly AssetReference[] },
  resolved: ReadonlyMap<string, string | null>,
): string {
  return replaceTokens(merged.html, merged.assets, (reference) =>
    addressIn(resolved, reference),
  );
}

/**
 * The same for a mail, whose reader fetches images by itself: what has an address keeps it.
 * @param addresses of images that we keep, by token.
 */
export function linkAssets(
  merged: { html: string; assets: readonly AssetReference[] },
  resolved: ReadonlyMap<string, string | null>,
  addresses: ReadonlyMap<string, string>,
): string {
  return replaceTokens(merged.html, merged.assets, (reference) => {
    const address =
      addresses.get(reference.token) ??
      (isRemote(reference) ? reference.source : undefined);
    return address === undefined
      ? addressIn(resolved, reference)
      : escapeHtml(address);
  });
}

function addressIn(
  resolved: ReadonlyMap<string, string | null>,
  reference: AssetReference,
): string {
  const { token, source, alt } = reference;
  const address = resolved.get(token);
  if (address === undefined && isInline(reference)) return inBase64(source);
  return address ?? placeholder(alt);
}

/** Percent signs would not outlive the header's picture that an image may stand in. */
function inBase64(dataUrl: string): string {
  const [type = ""] = dataUrl.split(/[;,]/, 1);
  return `${type};base64,${bytesOfDataUrl(dataUrl).toString("base64")}`;
}

/** Whether the image lies on another machine. */
export function isRemote({ source }: Pick<AssetReference, "source">): boolean {
  return /^https?:/i.test(source);
}

function replaceTokens(
  html: string,
  assets: readonly AssetReference[],
  addressOf: (reference: AssetReference) => string,
): string {
  if (assets.length === 0) return html;
  const known = new Map(assets.map((one) => [one.token, one]));
  return html.replace(TOKEN, (token) => {
    const reference = known.get(token);
    return reference === undefined ? token : addressOf(reference);
  });
}

import { escapeHtml } from "../binding/index.js";
import { TOKEN, type AssetReference } from "./asset-book.js";
import { placeholder } from "./placeholder.js";

/**
 * The html with its tokens replaced.
 * @param resolved base64 data URLs by token; null, or a token that it lacks, draws a placeholder.
 */
export function inlineAssets(
  merged: { html: string; assets: readonly AssetReference[] },
  resolved: ReadonlyMap<string, string | null>,
): string {
  return replaceTokens(
    merged.html,
    merged.assets,
    ({ token, alt }) => resolved.get(token) ?? placeholder(alt),
  );
}

/** The same for a mail, whose reader fetches images by itself: what has an address keeps it. */
export function linkAssets(
  merged: { html: string; assets: readonly AssetReference[] },
  resolved: ReadonlyMap<string, string | null>,
): string {
  return replaceTokens(merged.html, merged.assets, (reference) =>
    isRemote(reference)
      ? escapeHtml(reference.source)
      : (resolved.get(reference.token) ?? placeholder(reference.alt)),
  );
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

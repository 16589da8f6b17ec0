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
  if (merged.assets.length === 0) return merged.html;
  const known = new Map(merged.assets.map((one) => [one.token, one]));
  return merged.html.replace(TOKEN, (token) => {
    const reference = known.get(token);
    if (reference === undefined) return token;
    return resolved.get(token) ?? placeholder(reference.alt);
  });
}

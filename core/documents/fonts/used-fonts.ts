import type { AssetLinks } from "../../assets/index.js";
import type { Asset } from "../../storage/database/index.js";
import { familiesIn, type FontFace } from "../../compiler/index.js";

type Named = Pick<FontFace, "family" | "weight" | "style">;

/** A font in the library, and the face that it is. */
export interface OwnFont {
  asset: Asset;
  named: Named;
}

/**
 * The fonts that a text names, each under the name that is used: its family, or itself as `asset:<id>` or by its
 * address. One in the trash has lost its family to whatever was written later.
 */
export function usedIn(
  text: string,
  fonts: readonly OwnFont[],
  links: Pick<AssetLinks, "url">,
  writtenAt: Date,
): OwnFont[] {
  const families = fonts.filter(
    ({ asset: { trashedAt } }) => trashedAt === null || trashedAt > writtenAt,
  );
  const all = [
    ...families,
    ...(hasAddress(text) ? addressed(fonts, links) : []),
  ];
  const names = all.map(({ named: { family } }) => family);
  const used = familiesIn(text, names);
  return all.filter(({ named: { family } }) => used.has(family));
}

/** Few documents name a font by its address, and each such name costs a search. */
function hasAddress(text: string): boolean {
  return /asset:|\/cdn\//i.test(text);
}

function addressed(
  fonts: readonly OwnFont[],
  links: Pick<AssetLinks, "url">,
): OwnFont[] {
  return fonts.flatMap(({ asset, named }) =>
    [`asset:${asset.id}`, links.url(asset)].map((family) => ({
      asset,
      named: { ...named, family },
    })),
  );
}

/** What was read from the file when it was added. */
export function namedIn({ details }: Asset): Named | null {
  const { family, weight, style } = details ?? {};
  if (typeof family !== "string" || typeof weight !== "string") return null;
  return { family, weight, style: style === "italic" ? "italic" : "normal" };
}

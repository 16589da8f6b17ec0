import type { DesignFont, EditorDesign } from "../../plugin-api/index.js";

type Face = Pick<DesignFont, "family" | "weight" | "style">;

/** The fonts that every document may name. */
export interface ShippedFonts {
  faces: readonly (Face & { file: string })[];
  aliases: Record<string, string>;
  /** @throws PlatenError `not_found`. */
  read(file: string): Promise<Uint8Array>;
}

/** The families to choose from, and their faces: the shipped ones, then the organization's own. */
export function designFonts(
  { faces, aliases }: Omit<ShippedFonts, "read">,
  own: readonly (Face & { url: string })[],
): Pick<EditorDesign, "fontFamilies" | "fonts" | "fontAliases"> {
  const fonts = [
    ...faces.map(({ file, ...face }) => ({ ...face, source: { file } })),
    ...own.map(({ url, ...face }) => ({ ...face, source: { url } })),
  ];
  return {
    fontFamilies: [...new Set(fonts.map(({ family }) => family))],
    fonts,
    fontAliases: aliases,
  };
}

import { copyFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The faces of the index page, beside it, so that the page needs nothing from elsewhere. */
export const FONT_FACES = [
  { weight: 400, file: "400Regular/Inter_400Regular.ttf" },
  { weight: 600, file: "600SemiBold/Inter_600SemiBold.ttf" },
] as const;

export function fontFileName(weight: number): string {
  return `inter-${weight}.ttf`;
}

export async function copyFonts(folder: string): Promise<void> {
  const find = createRequire(import.meta.url).resolve;
  const fonts = dirname(find("@expo-google-fonts/inter/package.json"));
  for (const { weight, file } of FONT_FACES)
    await copyFile(join(fonts, file), join(folder, fontFileName(weight)));
}

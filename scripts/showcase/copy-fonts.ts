import { copyFile } from "node:fs/promises";
import { join } from "node:path";

/** The faces of the index page, beside it, so that the page needs nothing from elsewhere. */
export const FONT_FACES = [
  { weight: 400, file: "400Regular.ttf" },
  { weight: 600, file: "600SemiBold.ttf" },
] as const;

export function fontFileName(weight: number): string {
  return `inter-${weight}.ttf`;
}

export async function copyFonts(folder: string): Promise<void> {
  const fonts = join(import.meta.dirname, "../../fonts/inter");
  for (const { weight, file } of FONT_FACES)
    await copyFile(join(fonts, file), join(folder, fontFileName(weight)));
}

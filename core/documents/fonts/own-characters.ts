import { LRUCache } from "lru-cache";
import type { FontFace } from "../../compiler/index.js";

/** Fonts of which it is remembered which characters they have. */
const KNOWN = 50;

/** Which characters the fonts of organizations have; the renderer knows only its own. */
export class OwnCharacters {
  private readonly sets = new LRUCache<string, ReadonlySet<number>>({
    max: KNOWN,
  });

  /** Those of the characters that none of the fonts has. */
  async lacking<T extends { character: string }>(
    characters: readonly T[],
    faces: readonly FontFace[],
  ): Promise<T[]> {
    if (characters.length === 0) return [];
    const sets = await Promise.all(faces.map((face) => this.setOf(face)));
    return characters.filter(({ character }) => {
      const codePoint = character.codePointAt(0) ?? 0;
      return !sets.some((set) => set.has(codePoint));
    });
  }

  private async setOf({ dataUrl }: FontFace): Promise<ReadonlySet<number>> {
    const known = this.sets.get(dataUrl);
    if (known) return known;
    // Loaded by the first document that needs it: few do.
    const { create } = await import("fontkit");
    const font = create(Buffer.from(dataUrl.split(",")[1] ?? "", "base64"));
    const set = new Set("characterSet" in font ? font.characterSet : []);
    this.sets.set(dataUrl, set);
    return set;
  }
}

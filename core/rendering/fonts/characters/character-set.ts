const CODE_POINTS = 0x110000;
/** Most documents consist of these alone, and regular expressions pass over them much faster than a loop does. */
const OTHERS_THAN_LATIN = /[^\0-\u024f]+/g;

/** A set of Unicode characters, one bit for each. */
export class CharacterSet {
  /** @param bits of a former set. */
  constructor(readonly bits: Uint8Array = new Uint8Array(CODE_POINTS / 8)) {}

  add(codePoint: number): void {
    this.bits[codePoint >> 3]! |= 1 << (codePoint & 7);
  }

  delete(codePoint: number): void {
    this.bits[codePoint >> 3]! &= ~(1 << (codePoint & 7));
  }

  has(codePoint: number): boolean {
    return (this.bits[codePoint >> 3]! & (1 << (codePoint & 7))) !== 0;
  }

  /** Whether it holds every character of a text; Latin letters, signs and controls are taken to be in the set. */
  hasAllOf(text: string): boolean {
    for (const { 0: run } of text.matchAll(OTHERS_THAN_LATIN))
      if (!this.#hasEach(run)) return false;
    return true;
  }

  #hasEach(text: string): boolean {
    for (let at = 0; at < text.length; at += 1) {
      const codePoint = text.codePointAt(at)!;
      if (!this.has(codePoint)) return false;
      if (codePoint > 0xffff) at += 1;
    }
    return true;
  }
}

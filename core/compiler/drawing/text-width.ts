const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/u;

/** Glyph widths of a common text font in ems, the first that fits; Inter's, which is on the wide side. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[\p{Mn}\p{Cf}]/u, 0],
  [WIDE, 1],
  [/[MWmw%@—…]/, 0.88],
  [/[fijlrtI.,:;'|!()[\] \-\u00a0\u202f]/, 0.34],
  [/\p{Nd}/u, 0.63],
  [/\p{Lu}/u, 0.7],
];
const OTHER = 0.58;

/** About how wide a line of text is in pixels: enough to choose a layout where no font can be measured. */
export function textWidth(text: string, fontSize: number): number {
  let ems = 0;
  for (const character of text) ems += glyphWidth(character);
  return ems * fontSize;
}

export function widestText(texts: readonly string[], fontSize: number): number {
  return texts.reduce(
    (most, text) => Math.max(most, textWidth(text, fontSize)),
    0,
  );
}

/** The text itself, or as much of its beginning as fits, with an ellipsis. */
export function fitText(text: string, fontSize: number, width: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  const characters = Array.from(text);
  let used = textWidth("…", fontSize);
  const kept = characters.findIndex((character) => {
    used += glyphWidth(character) * fontSize;
    return used > width;
  });
  return `${characters.slice(0, kept).join("").trimEnd()}…`;
}

function glyphWidth(character: string): number {
  return widths.find(([glyphs]) => glyphs.test(character))?.[1] ?? OTHER;
}

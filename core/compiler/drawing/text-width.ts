/** Inter's advance widths in hundredths of an em, give or take two; its figures are all of one width in documents. */
const advances: Record<number, string> = {
  25: "ijlıłI‘’",
  28: " !,.:;'`\u00a0\u202f",
  34: "t|()/[\\]",
  38: "fr",
  44: '{}"_°„“”',
  51: "*–^?s",
  54: "kx",
  57: "JLaceyvz•«»ð",
  61: "EFZbdghnopquøßđþŁ£",
  65: "#$&+-<=>~€0123456789BPRST",
  68: "AKVXY",
  74: "CDGHNOQUØ",
  84: "w…",
  89: "Mmæ",
  98: "%@W—œÆŒ",
};

const advanceByCharacter = new Map(
  Object.entries(advances).flatMap(([width, characters]) =>
    Array.from(characters, (character) => [character, Number(width)] as const),
  ),
);

/** What other characters measure on average in the fonts that we ship, by the first that fits. */
const averages: readonly (readonly [RegExp, number])[] = [
  [/[\p{Mn}\p{Cf}]/u, 0],
  [
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/u,
    100,
  ],
  [/\p{Script=Arabic}/u, 40],
  [/\p{Nd}/u, 62],
  [/\p{Lu}/u, 74],
];
const OTHER = 60;

/** About how wide a line of text is in pixels: enough to choose a layout where no font can be measured. */
export function textWidth(text: string, fontSize: number): number {
  let hundredths = 0;
  for (const character of text) hundredths += advance(character);
  return (hundredths / 100) * fontSize;
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
  const end = characters.findIndex((character) => {
    used += (advance(character) / 100) * fontSize;
    return used > width;
  });
  return `${characters.slice(0, end).join("").trimEnd()}…`;
}

function advance(character: string): number {
  return advanceByCharacter.get(character) ?? measureUnlisted(character);
}

/** A letter with an accent is as wide as the letter. */
function measureUnlisted(character: string): number {
  const [base = ""] = character.normalize("NFD");
  return (
    advanceByCharacter.get(base) ??
    averages.find(([characters]) => characters.test(character))?.[1] ??
    OTHER
  );
}

/** Where a line may break: after a space, after a hyphen or slash within words, and between Chinese or Japanese characters. */
const breakOpportunities =
  /(?<=\s)(?=\S)|(?<=\p{L}[-–/])(?=\p{L})|(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])(?![々ぁぃぅぇぉっゃゅょァィゥェォッャュョ])/u;

/** Lines of at most about `width` pixels; an ellipsis replaces what does not fit into `max` lines. */
export function wrapText(
  text: string,
  fontSize: number,
  width: number,
  max: number,
): string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of text.split(breakOpportunities)) {
    const longer = line + part;
    if (line !== "" && textWidth(longer.trimEnd(), fontSize) > width) {
      lines.push(line.trimEnd());
      line = part;
    } else line = longer;
  }
  lines.push(line.trimEnd());
  const visibleLines = lines.slice(0, Math.max(1, max));
  if (visibleLines.length < lines.length)
    visibleLines.push(`${visibleLines.pop() ?? ""} …`);
  return visibleLines;
}

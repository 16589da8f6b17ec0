import { textWidth } from "./text-width.js";

/** After a space, after a hyphen or slash within words, and between Chinese or Japanese characters. */
const opportunities =
  /(?<=\s)(?=\S)|(?<=\p{L}[-–/])(?=\p{L})|(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])(?![々ぁぃぅぇぉっゃゅょァィゥェォッャュョ])/u;

/** Lines of at most about `width` pixels; what the last of `most` lines cannot hold is left off with an ellipsis. */
export function wrapText(
  text: string,
  fontSize: number,
  width: number,
  most: number,
): string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of text.split(opportunities)) {
    const longer = line + part;
    if (line !== "" && textWidth(longer.trimEnd(), fontSize) > width) {
      lines.push(line.trimEnd());
      line = part;
    } else line = longer;
  }
  lines.push(line.trimEnd());
  const shown = lines.slice(0, Math.max(1, most));
  if (shown.length < lines.length) shown.push(`${shown.pop() ?? ""} …`);
  return shown;
}

import { textWidth } from "./text-width.js";

/** Lines of at most about `width` pixels; what the last of `most` lines cannot hold is left off with an ellipsis. */
export function wrapText(
  text: string,
  fontSize: number,
  width: number,
  most: number,
): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, fontSize) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  const shown = lines.slice(0, Math.max(1, most));
  if (shown.length < lines.length) shown.push(`${shown.pop() ?? ""} …`);
  return shown;
}

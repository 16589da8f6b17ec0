// ECharts keeps measured texts in a plain object by the text itself: a label "__proto__" would change Object.prototype
// of the whole process. So each line that comes from data is handed to it behind a mark, which is taken off its SVG.
const MARK = "\u2060"; // word joiner: no width, and no name of any property

/** A text for ECharts, which may have several lines. */
export function guarded(text: string): string {
  return text
    .replaceAll(MARK, "")
    .split("\n")
    .map((line) => MARK + line)
    .join("\n");
}

/** ECharts' SVG with its texts as they were. */
export function unguarded(svg: string): string {
  return svg.replaceAll(MARK, "");
}

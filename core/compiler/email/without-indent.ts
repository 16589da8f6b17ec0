/**
 * Html without the indentation that MJML gives it, a fifth of the page: Gmail cuts off what is longer than 102 kB.
 * Only white space with a line break goes, inside and between tags; texts stay as they were written.
 */
export function withoutIndent(html: string): string {
  return html.replace(/\s+/g, (space, at: number) => {
    if (!space.includes("\n")) return space;
    const before = html.slice(Math.max(0, at - LONGEST_NAME), at);
    const after = html.slice(at + space.length, at + space.length + 2);
    if (after.startsWith(">")) return "";
    if (/<\w+$/.test(before)) return " ";
    return /(>|%\})$/.test(before) && /^(<|\{%)/.test(after) ? "\n" : space;
  });
}

const LONGEST_NAME = 24; // of a tag

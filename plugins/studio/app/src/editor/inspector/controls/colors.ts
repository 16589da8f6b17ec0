const hex = /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/gi;
const most = 12;

/** The colours that are written in a definition, those used most first. */
export function colorsIn(definition: object): string[] {
  const counts = new Map<string, number>();
  for (const [found] of JSON.stringify(definition).matchAll(hex)) {
    const color = found.toLowerCase();
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([color]) => color);
}

/** As `#rrggbb`, which is all that the browser's picker takes; null for anything else. */
export function hexOf(color: string | undefined): string | null {
  const text = color?.trim().toLowerCase() ?? "";
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(text);
  return short
    ? `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join("")}`
    : null;
}

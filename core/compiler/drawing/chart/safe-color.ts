// ECharts writes colours into attributes as they are and remembers them by name in a plain object, so that nothing
// but a colour may reach it, and no name such as "constructor".
const color =
  /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([\d\s.,%/+a-z-]{1,60}\))$/i;

/** The colour itself; undefined for what is none, as for none. */
export function safeColor(value: string | undefined): string | undefined {
  return value !== undefined && color.test(value) && !(value in {})
    ? value
    : undefined;
}

/** A colour that text on white can have: at least 4.5 to 1 in contrast (WCAG 2), told for `#rrggbb` only. */
export function isReadable(value: string): boolean {
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(value) ?? [];
  if (hex === undefined) return false;
  const luminance = [0.2126, 0.7152, 0.0722].reduce(
    (sum, weight, at) =>
      sum + weight * linear(Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16)),
    0,
  );
  return 1.05 / (luminance + 0.05) >= 4.5;
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

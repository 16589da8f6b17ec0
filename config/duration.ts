import { z } from "zod";

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000,
};
const pattern = /^(\d{1,9})(ms|s|m|h|d)$/;

/** Milliseconds of a duration such as `90s` or `5d`; null for what is none. */
function millisecondsOf(text: string): number | null {
  const [, digits = "", unit = ""] = pattern.exec(text.trim()) ?? [];
  const factor = units[unit];
  return factor === undefined ? null : Number(digits) * factor;
}

/** One duration, such as `24h`. */
export function duration(fallback: string) {
  return z
    .string()
    .prefault(fallback)
    .transform(millisecondsOf)
    .pipe(z.number());
}

/** One of at most `mostMs`; a lone `0` for none. */
export function durationOrNone(fallback: string, mostMs: number) {
  return z
    .string()
    .prefault(fallback)
    .transform((text) => (text === "0" ? 0 : millisecondsOf(text)))
    .pipe(z.number().max(mostMs));
}

/** Several, with commas; a lone `none` for none at all. */
export function durations(fallback: string) {
  return z
    .string()
    .prefault(fallback)
    .transform((text) =>
      text === "none" ? [] : text.split(",").map(millisecondsOf),
    )
    .pipe(z.array(z.number()));
}

import { argumentError } from "./filter-definition.js";

const PATTERN = /^([#0,]*)(?:\.([#0]*))?(%?)$/;
const MOST_DIGITS = 20;

/**
 * The Intl options of a pattern: `0,0.00` and `#,##0.00` group, `0.0#` prints one decimal or two, `000` fills up
 * with zeros, `0.0%` is a percentage.
 * @throws PlatenError `invalid_definition` for what is no such pattern
 */
export function numberPattern(pattern: string): Intl.NumberFormatOptions {
  const [, whole = "", decimals = "", percent] = PATTERN.exec(pattern) ?? [];
  const least = minimumDigits(whole);
  const most = Math.max(least, decimals.length);
  if (!/[#0]/.test(whole + decimals) || most > MOST_DIGITS) {
    throw argumentError(
      `"${pattern}" is no number pattern.`,
      'Write "0,0.00", with as many zeros after the point as there shall be decimals.',
    );
  }
  return {
    style: percent ? "percent" : "decimal",
    useGrouping: whole.includes(","),
    minimumIntegerDigits: Math.max(1, least),
    minimumFractionDigits: decimals.replaceAll("#", "").length,
    maximumFractionDigits: decimals.length,
    signDisplay: "negative",
  };
}

/** `0,0` is the usual way to ask for groups, and asks for no second digit. */
function minimumDigits(whole: string): number {
  return whole === "0,0" ? 1 : whole.replaceAll(/[#,]/g, "").length;
}

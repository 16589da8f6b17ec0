import { format, getFormatFromId, getLocale } from "numfmt";

// The number formats of Excel: what a cell shows in place of its number.

export interface NumberFormat {
  kind: "number" | "date" | "time";
  /** Shows numbers, and texts too when the code has a section for them; null when programs show them differently. */
  code: string | null;
}

const GENERAL = "General";
/** Those that show dates, times and amounts as the settings of the computer say. */
const SYSTEM_IDS = new Set([
  5,
  6,
  7,
  8,
  14,
  22,
  42,
  44,
  ...Array.from({ length: 10 }, (_, index) => 27 + index),
  ...Array.from({ length: 9 }, (_, index) => 50 + index),
]);
const ELAPSED = /\[[hms]+\]/i;
const SYSTEM_CODE = /\[\$-(?:F800|F400|x-sysdate|x-systime)\]/i;

/** @param code what the workbook says about the ID */
export function toNumberFormat(
  id: number,
  code: string | undefined,
): NumberFormat {
  const isDate = id === 14 || id === 22;
  const isSystem =
    isDate ||
    (code === undefined ? SYSTEM_IDS.has(id) : SYSTEM_CODE.test(code));
  const used = code ?? getFormatFromId(id) ?? GENERAL;
  return {
    kind: isDate ? "date" : findKind(used),
    code: isSystem || used === GENERAL ? null : used,
  };
}

function findKind(code: string): NumberFormat["kind"] {
  const [first = ""] = code.split(";");
  const plain = first.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, "");
  if (/general/i.test(plain)) return "number";
  if (/[yd]/i.test(plain) || /^m+$/i.test(plain.trim())) return "date";
  return /[hs]/i.test(plain) && !ELAPSED.test(first) ? "time" : "number";
}

/** What a cell with the format shows; null when it is the value itself. */
export function showValue(
  numberFormat: NumberFormat,
  value: number | string,
  locale: string,
): string | null {
  const { code } = numberFormat;
  if (code === null || code === "@") return null;
  // The library counts the days and minutes of a negative duration from the wrong end.
  if (typeof value === "number" && value < 0 && ELAPSED.test(code)) {
    const text = showValue(numberFormat, -value, locale);
    return text === null ? null : `-${text}`;
  }
  // Most texts have a format for numbers.
  if (typeof value === "string" && !code.includes("@")) return null;
  try {
    const tag = getLocale(locale) ? locale : "en-US";
    const text = format(code, value, { locale: tag, nbsp: false }).trim();
    return text === String(value) ? null : text;
  } catch {
    return null;
  }
}

const longest = 60;
const isoDate = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A sample as a short text, to recognise it by; empty for nothing. */
export function sampleText(value: unknown, locale = "en-US"): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value))
    return value.length === 1 ? "1 entry" : `${value.length} entries`;
  if (typeof value === "object") return "";
  if (typeof value === "number")
    return value.toLocaleString(knownLocale(locale), {
      maximumFractionDigits: 6,
    });
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = typeof value === "string" ? value : "";
  return isDate(text) ? dateText(text, locale) : shortened(text);
}

export function isDate(value: unknown): boolean {
  return (
    typeof value === "string" &&
    isoDate.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

function dateText(text: string, locale: string): string {
  const timeZone = "UTC";
  const form = new Intl.DateTimeFormat(knownLocale(locale), {
    dateStyle: "medium",
    timeZone,
  });
  return form.format(Date.parse(text));
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  return `${Array.from(line)
    .slice(0, longest - 1)
    .join("")}…`;
}

/** A definition may name a locale that is none while it is worked on. */
export function knownLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? "en-US";
  } catch {
    return "en-US";
  }
}

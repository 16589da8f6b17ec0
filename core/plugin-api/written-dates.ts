// Dates that name their month, such as "3. März 2026" and "mars 12, 2026", in any language of this list. A name that is
// another month in another language is none.

const LANGUAGES =
  "ar be bg bs ca cs da de de-AT el en en-GB es et eu fa fi fr fr-CA ga gl he hi hr hu hy id is it ka kk lt lv mk ms nb nl pl pt ro ru sk sl sq sr sr-Latn sv sw th tr uk".split(
    " ",
  );
/** As Excel and people shorten them, where Intl does not. */
const MORE_MONTHS: Readonly<Record<string, number>> = {
  mrz: 3,
  sept: 9,
  sep: 9,
};

/** The parts of a date as texts of digits, for a time of 12 hours with `half`. */
export interface WrittenDate {
  date: readonly [year: string, month: string, day: string];
  time: readonly (string | undefined)[];
  half: string | undefined;
  /** The numbers that the day of the week may have, from 0 for Sunday; null when it is not named. */
  weekdays: ReadonlySet<number> | null;
}

const WEEKDAY =
  "(?:le\\s+)?(?:(?<weekday>[\\p{L}\\p{M}'’-]+)\\.?,?\\s+(?:(?:the|den|dem|le)\\s+)?)?";
const MONTH = "(?<month>[\\p{L}\\p{M}][\\p{L}\\p{M}'’]*)\\.?";
const DAY = "(?<day>\\d{1,2})(?:\\.?[ºª°]|st|nd|rd|th|er|re|ste|de)?\\.?";
const OF = "(?:(?:de|del|di|of|do)\\s+|d['’])?";
const TIME =
  "(?:,?\\s+(?:(?:at|à|um|kl\\.?|às|a las|alle|ore)\\s+)?(?<hour>\\d{1,2})[:.](?<minute>\\d\\d)(?::(?<second>\\d\\d))?(?:\\s*(?<half>[ap])\\.?m\\.?)?)?";
const FORMS = [
  `${WEEKDAY}${DAY}[-/\\s]*${OF}${MONTH}[-/,\\s]*(?:(?:de|del)\\s+)?(?<year>\\d{4}|\\d{2})(?:\\s*(?:г|р)\\.?)?${TIME}`,
  `${WEEKDAY}${MONTH}[-/\\s]*${DAY}(?:,\\s*(?<year>\\d{4}|\\d{2})|[-/\\s]+(?<year4>\\d{4}))${TIME}`,
  `(?<year>\\d{4})\\.?[-/,\\s]*${OF}${MONTH}[-/\\s]*${DAY}${TIME}`,
  `(?<year>\\d{4})\\s*[年년]\\s*(?<monthNumber>\\d{1,2})\\s*[月월]\\s*(?<day>\\d{1,2})\\s*[日일]${TIME}`,
].map((form) => new RegExp(`^${form}$`, "iu"));
const HAS_NAME = /\d.*\p{L}|\p{L}.*\d/u;
const MAX_CHARACTERS = 60;
/** Thai years are 543 more. */
const MAX_YEAR = 2200;

/** Null for other texts. Whether the calendar has the date is not checked. */
export function findWrittenDate(text: string): WrittenDate | null {
  if (text.length > MAX_CHARACTERS || !HAS_NAME.test(text)) return null;
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (!groups) continue;
    const { day = "", weekday, hour, minute, second, half } = groups;
    const month = groups["monthNumber"] ?? findMonth(groups["month"] ?? "");
    if (month === null) continue;
    const weekdays =
      weekday === undefined ? null : getNames().weekdays.get(simplify(weekday));
    if (weekdays === undefined) continue;
    const year = groups["year"] ?? groups["year4"] ?? "";
    if (Number(year) > MAX_YEAR) continue;
    return {
      date: [toFullYear(year), String(month), day],
      time: [hour, minute, second],
      half,
      weekdays,
    };
  }
  return null;
}

/** Of a year with two digits, that from 1970 to 2029; others stay, as programs read them as years of either century. */
export function toFullYear(year: string): string {
  if (year.length !== 2) return year;
  if (Number(year) < 30) return `20${year}`;
  return Number(year) < 70 ? year : `19${year}`;
}

function findMonth(name: string): number | null {
  const months = getNames().months.get(simplify(name));
  const [month = null] = months ?? [];
  return months?.size === 1 ? month : null;
}

type Names = ReadonlyMap<string, ReadonlySet<number>>;

let names: { months: Names; weekdays: Names } | null = null;

function getNames(): { months: Names; weekdays: Names } {
  names ??= listNames();
  return names;
}

function listNames(): { months: Names; weekdays: Names } {
  const months = new Map<string, Set<number>>();
  const weekdays = new Map<string, Set<number>>();
  for (const [name, month] of Object.entries(MORE_MONTHS))
    add(months, name, month);
  for (const language of LANGUAGES)
    for (const width of ["long", "short"] as const)
      for (const more of [
        { month: width },
        { month: width, day: "numeric", year: "numeric" },
        { weekday: width },
      ] as const) {
        const format = new Intl.DateTimeFormat(language, {
          calendar: "gregory",
          timeZone: "UTC",
          ...more,
        });
        for (let month = 0; month < 12; month += 1) {
          const day = new Date(Date.UTC(2026, month, 1));
          for (const { type, value } of format.formatToParts(day))
            if (type === "month") add(months, value, month + 1);
        }
        for (let day = 0; day < 7; day += 1)
          for (const { type, value } of format.formatToParts(
            new Date(Date.UTC(2026, 1, 1 + day)),
          ))
            if (type === "weekday") add(weekdays, value, day);
      }
  return { months, weekdays };
}

function add(
  list: Map<string, Set<number>>,
  name: string,
  value: number,
): void {
  const plain = simplify(name);
  // Without accents, as many people type.
  for (const key of [plain, plain.normalize("NFD").replaceAll(/\p{M}/gu, "")])
    list.set(key, (list.get(key) ?? new Set()).add(value));
}

function simplify(name: string): string {
  return name
    .normalize()
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^d['’]/, "");
}

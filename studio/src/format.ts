import { clock } from "../../core/lib/clock.js";
import { formatSize, formatUnit } from "../../core/plugin-api/languages.js";
import { locale, t } from "./messages/index.js";

const day = new Intl.DateTimeFormat(locale, {
  dateStyle: "medium",
});
const full = new Intl.DateTimeFormat(locale, {
  dateStyle: "medium",
  timeStyle: "short",
});
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

const whole = new Intl.NumberFormat(locale);

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["minute", 60],
  ["hour", 3600],
  ["day", 86_400],
];

export function dayOf(iso: string): string {
  return day.format(new Date(iso));
}

export function momentOf(iso: string): string {
  return full.format(new Date(iso));
}

/** Such as "12,000". */
export function numberOf(count: number): string {
  return whole.format(count);
}

/** Such as "5 minutes ago"; a date for what is more than a week away. */
export function agoOf(iso: string, now = clock.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const span = Math.abs(seconds);
  if (span < 45) return t("common.justNow");
  if (span > 7 * 86_400) return dayOf(iso);
  const [unit, size] = units.findLast(([, least]) => span >= least * 0.75) ??
    units[0] ?? ["minute", 60];
  return relative.format(Math.round(seconds / size), unit);
}

export function sizeOf(bytes: number): string {
  return formatSize(bytes, locale);
}

/** Such as "12 sec". */
export function secondsOf(seconds: number): string {
  return formatUnit(seconds, "second", locale);
}

/** A browser, as people call it. */
export function browserOf(userAgent: string): string {
  const browser = ["Edg", "OPR", "Firefox", "Chrome", "Safari"].find((name) =>
    userAgent.includes(`${name}/`),
  );
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera" };
  const system =
    ["Windows", "Android", "iPhone", "iPad", "Macintosh", "CrOS", "Linux"].find(
      (name) => userAgent.includes(name),
    ) ?? null;
  const systems: Record<string, string> = {
    Macintosh: "Mac",
    CrOS: "ChromeOS",
  };
  if (!browser) return userAgent.slice(0, 60) || t("common.unknownBrowser");
  const called = names[browser] ?? browser;
  return system
    ? t("common.browserOnSystem", { called, system: systems[system] ?? system })
    : called;
}

/** The local time as a `datetime-local` input holds it, such as `2026-07-31T09:30`. */
export function toLocalDateTime(time: number): string {
  const offsetMs = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offsetMs).toISOString().slice(0, 16);
}

/** The start of a local day such as 2026-07-31, plus some days, in ISO 8601; null when it is not a date. */
export function dayIn(said: string | null, daysLater: number): string | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(said ?? "");
  if (!match) return null;
  const [year = 0, month = 1, date = 1] = match.slice(1).map(Number);
  const time = new Date(year, month - 1, date + daysLater);
  return time.toISOString();
}

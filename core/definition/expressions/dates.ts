import { fromWallClock, toWallClock } from "../../plugin-api/time-zones.js";

/** A point in time, or a calendar day, which no time zone shifts: then `time` is its midnight in UTC. */
export interface DateValue {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly isDay: boolean;
}

const DAY_MS = 86_400_000;
const MAX_TIME = 8.64e15;
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[-+]\d\d(?::?\d\d)?)?)?$/i;
const EPOCH = /^-?\d{9,16}$/;

/**
 * Parses ISO 8601, epoch milliseconds or a date without time; null for anything else. A time without an offset is local
 * time in `timeZone`.
 */
export function toDateValue(
  value: unknown,
  timeZone: string,
): DateValue | null {
  if (typeof value === "number") return instant(value);
  if (typeof value !== "string" || value.length > 40) return null;
  const text = value.trim();
  const parts = ISO.exec(text);
  if (parts) return parseIso(parts, timeZone);
  return EPOCH.test(text) ? instant(Number(text)) : null;
}

function instant(time: number): DateValue | null {
  return Math.abs(time) <= MAX_TIME ? { time, isDay: false } : null;
}

/** Milliseconds of these years would be 1966 to 1973; as seconds they are all plausible dates. */
const SECONDS_BELOW = 1e11;

/** Whether a number or a text of digits is a time in seconds by mistake, which would print a day around 1970. */
export function isEpochSeconds(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) < SECONDS_BELOW;
  if (typeof value !== "string" || value.charAt(4) === "-") return false;
  return /^\s*-?\d+\s*$/.test(value) && Math.abs(Number(value)) < SECONDS_BELOW;
}

const WRITTEN_DATE =
  /^\s*(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}\/\d{1,2}\/\d{2})(?:[\s,]|$)/;

/** Whether a value is a date as people write it, such as 12/05/2026. Texts of this kind are in no order of time. */
export function isWrittenDate(value: unknown): value is string {
  return typeof value === "string" && WRITTEN_DATE.test(value);
}

function parseIso(parts: RegExpExecArray, timeZone: string): DateValue | null {
  const day = midnight(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  if (day === null) return null;
  if (parts[4] === undefined) return { time: day, isDay: true };
  const time = timeOfDay(parts);
  if (time === null) return null;
  const offset = parts[8];
  if (offset === undefined) return instant(fromWallClock(day + time, timeZone));
  return instant(day + time - offsetMs(offset));
}

/** In UTC; null for an invalid date. */
function midnight(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  const time = date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day
    ? time
    : null;
}

/** Milliseconds since midnight; null for an invalid time. */
function timeOfDay(parts: RegExpExecArray): number | null {
  const hour = Number(parts[4]);
  const minute = Number(parts[5]);
  const second = Number(parts[6] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return null;
  const fraction = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000);
  return ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
}

function offsetMs(offset: string): number {
  if (offset.toUpperCase() === "Z") return 0;
  const sign = offset.startsWith("-") ? -1 : 1;
  const [hours, minutes] = [offset.slice(1, 3), offset.slice(-2)].map(Number);
  const extra = offset.length > 3 ? (minutes ?? 0) : 0;
  return sign * ((hours ?? 0) * 60 + extra) * 60_000;
}

/** Days since 1970 of the calendar day in the zone. */
export function toDayNumber(dateValue: DateValue, timeZone: string): number {
  const clock = dateValue.isDay
    ? dateValue.time
    : toWallClock(dateValue.time, timeZone);
  return Math.floor(clock / DAY_MS);
}

/** The calendar day for a number of days since 1970. */
export function fromDayNumber(days: number): DateValue {
  return { time: days * DAY_MS, isDay: true };
}

/** Epoch milliseconds; a day begins at its midnight in the zone. */
export function toStartTime(dateValue: DateValue, timeZone: string): number {
  return dateValue.isDay
    ? fromWallClock(dateValue.time, timeZone)
    : dateValue.time;
}

/** Compared with a day, a point in time counts as its calendar day. */
export function compareDateValues(
  a: DateValue,
  b: DateValue,
  timeZone: string,
): number {
  if (a.isDay === b.isDay) return a.time - b.time;
  return toDayNumber(a, timeZone) - toDayNumber(b, timeZone);
}

export function formatIso(dateValue: DateValue): string {
  const text = new Date(dateValue.time).toISOString();
  return dateValue.isDay ? text.slice(0, text.indexOf("T")) : text;
}

export const UNITS = [
  ...(["second", "minute", "hour"] as const),
  ...(["day", "week", "month", "year"] as const),
];
export type Unit = (typeof UNITS)[number];

/** Units whose length does not depend on the time zone. */
const FIXED_MS: Partial<Record<Unit, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
};

/** `day` for "day", "days" or "Days"; null for anything that is not a unit. */
export function toUnit(value: unknown): Unit | null {
  const name = String(value).toLowerCase().replace(/s$/, "");
  return UNITS.find((unit) => unit === name) ?? null;
}

/**
 * Adds whole days and longer units, and parts of shorter ones. A day stays a day, unless hours or less are added to it;
 * a time keeps what its clock shows when the clocks change; the end of a month is never overrun. Null past the last date
 * there is.
 */
export function addUnits(
  dateValue: DateValue,
  amount: number,
  unit: Unit,
  timeZone: string,
): DateValue | null {
  const fixed = FIXED_MS[unit];
  const isDay = dateValue.isDay && fixed === undefined;
  const zone = isDay ? "UTC" : timeZone;
  const start = Math.trunc(
    isDay ? dateValue.time : toStartTime(dateValue, zone),
  );
  let time = start;
  const whole = Math.trunc(amount);
  if (fixed !== undefined) time += Math.round(amount * fixed);
  else if (whole !== 0)
    time = fromWallClock(
      addToClock(toWallClock(start, zone), whole, unit),
      zone,
    );
  return Math.abs(time) <= MAX_TIME ? { time, isDay } : null;
}

function addToClock(clock: number, amount: number, unit: Unit): number {
  if (unit === "day") return clock + amount * DAY_MS;
  if (unit === "week") return clock + amount * 7 * DAY_MS;
  const sum = new Date(clock);
  const day = sum.getUTCDate();
  const months = unit === "year" ? amount * 12 : amount;
  sum.setUTCMonth(sum.getUTCMonth() + months + 1, 0);
  if (day < sum.getUTCDate()) sum.setUTCDate(day);
  return sum.getTime();
}

/** Whole units from `start` to `end`; a day beside a time is compared by days, and by clock units from midnight. */
export function unitsBetween(
  end: DateValue,
  start: DateValue,
  unit: Unit,
  timeZone: string,
): number {
  const fixed = FIXED_MS[unit];
  const byDay = end.isDay || start.isDay;
  const read = (dateValue: DateValue) => {
    if (fixed !== undefined)
      return Math.trunc(toStartTime(dateValue, timeZone));
    if (byDay) return toDayNumber(dateValue, timeZone) * DAY_MS;
    return toWallClock(Math.trunc(dateValue.time), timeZone);
  };
  return wholeUnits(read(end), read(start), unit) + 0; // no negative zero
}

function wholeUnits(end: number, start: number, unit: Unit): number {
  if (end < start) return -wholeUnits(start, end, unit);
  if (unit === "month") return monthsBetween(end, start);
  if (unit === "year") return Math.trunc(monthsBetween(end, start) / 12);
  const days = unit === "week" ? 7 : 1;
  return Math.trunc((end - start) / (FIXED_MS[unit] ?? days * DAY_MS));
}

/** The most months that `addToClock` can add to `start` without passing `end`. */
function monthsBetween(end: number, start: number): number {
  const months = monthNumber(end) - monthNumber(start);
  return addToClock(start, months, "month") > end ? months - 1 : months;
}

function monthNumber(clock: number): number {
  const date = new Date(clock);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

import { LRUCache } from "lru-cache";

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

function parseIso(parts: RegExpExecArray, timeZone: string): DateValue | null {
  const day = midnight(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  if (day === null) return null;
  if (parts[4] === undefined) return { time: day, isDay: true };
  const time = timeOfDay(parts);
  if (time === null) return null;
  const offset = parts[8];
  if (offset === undefined) return instant(fromClock(day + time, timeZone));
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

/** The local time in the zone, as if it were UTC. */
function toClock(time: number, timeZone: string): number {
  return time + zoneOffset(time, timeZone);
}

/**
 * The time at which the clocks of the zone show `clock`: the first one where they show it twice, and as far
 * after the gap where they skip it.
 */
function fromClock(clock: number, timeZone: string): number {
  if (timeZone === "UTC") return clock;
  const before = clock - zoneOffset(clock - DAY_MS, timeZone);
  if (toClock(before, timeZone) === clock) return before;
  const after = clock - zoneOffset(clock + DAY_MS, timeZone);
  return toClock(after, timeZone) === clock ? after : before;
}

/** Days since 1970 of the calendar day in the zone. */
export function toDayNumber(dateValue: DateValue, timeZone: string): number {
  const clock = dateValue.isDay
    ? dateValue.time
    : toClock(dateValue.time, timeZone);
  return Math.floor(clock / DAY_MS);
}

/** The calendar day for a number of days since 1970. */
export function fromDayNumber(days: number): DateValue {
  return { time: days * DAY_MS, isDay: true };
}

/** Epoch milliseconds; a day begins at its midnight in the zone. */
export function toStartTime(dateValue: DateValue, timeZone: string): number {
  return dateValue.isDay ? fromClock(dateValue.time, timeZone) : dateValue.time;
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
 * A day stays a day, unless hours or less are added to it; a time keeps what its clock shows when the clocks
 * change; the end of a month is never overrun. Null past the last date there is.
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
  if (fixed !== undefined) time += amount * fixed;
  else if (amount !== 0)
    time = fromClock(addToClock(toClock(start, zone), amount, unit), zone);
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
    return toClock(Math.trunc(dateValue.time), timeZone);
  };
  return wholeUnits(read(end), read(start), unit) + 0; // no negative zero
}

function wholeUnits(end: number, start: number, unit: Unit): number {
  if (unit === "month") return monthsBetween(end, start);
  if (unit === "year") return yearsBetween(end, start);
  const days = unit === "week" ? 7 : 1;
  return Math.trunc((end - start) / (FIXED_MS[unit] ?? days * DAY_MS));
}

/**
 * As date-fns counted, so that results do not change: 31 January to 28 February is a whole month, 31 March to
 * 30 April too, but 31 March to 30 June is two.
 */
function monthsBetween(end: number, start: number): number {
  const sign = Math.sign(end - start);
  const moved = new Date(end);
  const months = Math.abs(monthNumber(moved) - monthNumber(new Date(start)));
  if (months === 0) return 0;
  if (sign > 0 && months === 1 && isMonthEnd(end)) return 1;
  if (moved.getUTCMonth() === 1 && moved.getUTCDate() > 27)
    moved.setUTCDate(30);
  moved.setUTCMonth(moved.getUTCMonth() - sign * months);
  const isPartial = Math.sign(moved.getTime() - start) === -sign;
  return sign * (isPartial ? months - 1 : months);
}

function monthNumber(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function isMonthEnd(clock: number): boolean {
  return new Date(clock + DAY_MS).getUTCDate() === 1;
}

function yearsBetween(end: number, start: number): number {
  const sign = Math.sign(end - start);
  const [to, from] = [new Date(end), new Date(start)];
  const years = Math.abs(to.getUTCFullYear() - from.getUTCFullYear());
  const leapYear = 1584; // February 29 stays one beside any other day
  const difference =
    to.setUTCFullYear(leapYear) - from.setUTCFullYear(leapYear);
  return sign * (Math.sign(difference) === -sign ? years - 1 : years);
}

/** Intl prints a date to answer; the records of a list, and the documents of a batch, share their dates. */
const zones = new LRUCache<string, Zone>({ max: 50 });
const MAX_TIMES = 2000; // of a zone, then all are forgotten

interface Zone {
  /** Prints "19 GMT-05:00"; "00 GMT" in UTC; with seconds before zones had whole minutes. */
  readonly dates: Intl.DateTimeFormat;
  readonly offsets: Map<number, number>;
}

/** Milliseconds by which the zone's clocks are ahead of UTC at `time`. */
export function zoneOffset(time: number, timeZone: string): number {
  if (timeZone === "UTC" || !(Math.abs(time) <= MAX_TIME)) return 0;
  const { dates, offsets } = zones.get(timeZone) ?? createZone(timeZone);
  const known = offsets.get(time);
  if (known !== undefined) return known;
  const offset = parseOffset(dates.format(time));
  if (offsets.size >= MAX_TIMES) offsets.clear();
  offsets.set(time, offset);
  return offset;
}

function createZone(timeZone: string): Zone {
  const dates = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hour: "numeric",
    hourCycle: "h23",
    timeZoneName: "longOffset",
  });
  const zone = { dates, offsets: new Map<number, number>() };
  zones.set(timeZone, zone);
  return zone;
}

function parseOffset(text: string): number {
  const parts = /([-+])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (!parts) return 0;
  const [hours = 0, minutes = 0, seconds = 0] = parts
    .slice(2)
    .map((part) => Number(part ?? 0));
  const ms = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return parts[1] === "-" ? -ms : ms;
}

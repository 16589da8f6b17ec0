import { zoneOffset } from "./zone-offset.js";

/** A point in time, or a calendar day, which no time zone shifts: then `time` is its midnight in UTC. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly isDay: boolean;
}

const DAY_MS = 86_400_000;
const LAST_TIME = 8.64e15;
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[-+]\d\d(?::?\d\d)?)?)?$/i;
const EPOCH = /^-?\d{9,16}$/;

/**
 * ISO 8601, epoch milliseconds, or a date alone; null for anything else.
 * A time without an offset is a clock's reading in `timeZone`.
 */
export function toMoment(value: unknown, timeZone: string): Moment | null {
  if (typeof value === "number") return instant(value);
  if (typeof value !== "string" || value.length > 40) return null;
  const text = value.trim();
  const parts = ISO.exec(text);
  if (parts) return isoMoment(parts, timeZone);
  return EPOCH.test(text) ? instant(Number(text)) : null;
}

function instant(time: number): Moment | null {
  return Math.abs(time) <= LAST_TIME ? { time, isDay: false } : null;
}

function isoMoment(parts: RegExpExecArray, timeZone: string): Moment | null {
  const day = midnight(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  if (day === null) return null;
  if (parts[4] === undefined) return { time: day, isDay: true };
  const time = timeOfDay(parts);
  if (time === null) return null;
  const offset = parts[8];
  if (offset === undefined) return instant(fromClock(day + time, timeZone));
  return instant(day + time - offsetMs(offset));
}

/** In UTC; null for a day that no calendar has. */
function midnight(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  const time = date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day
    ? time
    : null;
}

/** Milliseconds since midnight; null for a time that no clock shows. */
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

/** What the clocks of the zone show, as if it were UTC. */
function toClock(time: number, timeZone: string): number {
  return time + zoneOffset(time, timeZone);
}

/** The time at which the clocks of the zone show `clock`; in an hour that is skipped, the time after the gap. */
function fromClock(clock: number, timeZone: string): number {
  const near = clock - zoneOffset(clock, timeZone);
  return clock - zoneOffset(near, timeZone);
}

/** Days since 1970 of the calendar day that the moment falls on in the zone. */
export function dayOf(moment: Moment, timeZone: string): number {
  const clock = moment.isDay ? moment.time : toClock(moment.time, timeZone);
  return Math.floor(clock / DAY_MS);
}

/** The day at this number of days since 1970. */
export function dayMoment(days: number): Moment {
  return { time: days * DAY_MS, isDay: true };
}

/** Epoch milliseconds; a day begins at its midnight in the zone. */
export function startOf(moment: Moment, timeZone: string): number {
  return moment.isDay ? fromClock(moment.time, timeZone) : moment.time;
}

/** Beside a day, a point in time counts as the day that it falls on. */
export function compareMoments(a: Moment, b: Moment, timeZone: string): number {
  if (a.isDay === b.isDay) return a.time - b.time;
  return dayOf(a, timeZone) - dayOf(b, timeZone);
}

/** ISO 8601, as data would have it. */
export function momentText(moment: Moment): string {
  const text = new Date(moment.time).toISOString();
  return moment.isDay ? text.slice(0, text.indexOf("T")) : text;
}

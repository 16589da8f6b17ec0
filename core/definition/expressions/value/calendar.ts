import { addDays } from "date-fns/addDays";
import { addHours } from "date-fns/addHours";
import { addMinutes } from "date-fns/addMinutes";
import { addMonths } from "date-fns/addMonths";
import { addSeconds } from "date-fns/addSeconds";
import { addWeeks } from "date-fns/addWeeks";
import { addYears } from "date-fns/addYears";
import { differenceInDays } from "date-fns/differenceInDays";
import { differenceInHours } from "date-fns/differenceInHours";
import { differenceInMinutes } from "date-fns/differenceInMinutes";
import { differenceInMonths } from "date-fns/differenceInMonths";
import { differenceInSeconds } from "date-fns/differenceInSeconds";
import { differenceInWeeks } from "date-fns/differenceInWeeks";
import { differenceInYears } from "date-fns/differenceInYears";
import { dayMoment, dayOf, startOf, type Moment } from "./moment.js";
import { zonedDate } from "./zoned-date.js";

const LAST_TIME = 8.64e15;

const ADD = {
  second: addSeconds,
  minute: addMinutes,
  hour: addHours,
  day: addDays,
  week: addWeeks,
  month: addMonths,
  year: addYears,
};

const DIFFERENCE = {
  second: differenceInSeconds,
  minute: differenceInMinutes,
  hour: differenceInHours,
  day: differenceInDays,
  week: differenceInWeeks,
  month: differenceInMonths,
  year: differenceInYears,
};

export type Unit = keyof typeof ADD;
export const UNITS: readonly Unit[] = [
  ...(["second", "minute", "hour"] as const),
  ...(["day", "week", "month", "year"] as const),
];
const CLOCK_UNITS: readonly Unit[] = ["second", "minute", "hour"];

/** `day` of "day", "days" or "Days"; null for what is no unit. */
export function toUnit(value: unknown): Unit | null {
  const name = String(value).toLowerCase().replace(/s$/, "");
  return UNITS.find((unit) => unit === name) ?? null;
}

/**
 * A day stays a day, unless hours or less are added to it; a time keeps what its clock shows when the clocks
 * change; the end of a month is never overrun. Null past the last date there is.
 */
export function addUnits(
  moment: Moment,
  amount: number,
  unit: Unit,
  timeZone: string,
): Moment | null {
  const isDay = moment.isDay && !CLOCK_UNITS.includes(unit);
  const time = isDay ? moment.time : startOf(moment, timeZone);
  const date = zonedDate(time, isDay ? "UTC" : timeZone);
  const sum = ADD[unit](date, amount).getTime();
  return Math.abs(sum) <= LAST_TIME ? { time: sum, isDay } : null;
}

/** Whole units from `start` to `end`; a day beside a time is compared by days, and by clock units from midnight. */
export function unitsBetween(
  end: Moment,
  start: Moment,
  unit: Unit,
  timeZone: string,
): number {
  const byDay = (end.isDay || start.isDay) && !CLOCK_UNITS.includes(unit);
  const date = (moment: Moment) =>
    byDay
      ? zonedDate(dayMoment(dayOf(moment, timeZone)).time, "UTC")
      : zonedDate(startOf(moment, timeZone), timeZone);
  return DIFFERENCE[unit](date(end), date(start));
}

import { TZDate } from "@date-fns/tz";
import { UTCDate } from "@date-fns/utc";

/**
 * A date whose fields are what the clocks of the zone show, for the functions of date-fns.
 * Days alone are read in UTC: there the fields are Date's own, thirty times quicker than a named zone's.
 */
export function zonedDate(time: number, timeZone: string): Date {
  return timeZone === "UTC" ? new UTCDate(time) : new TZDate(time, timeZone);
}

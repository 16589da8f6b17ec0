import { LRUCache } from "lru-cache";

const DAY_MS = 86_400_000;
const MAX_TIME = 8.64e15; // the last time that a Date holds

/** Intl prints a date to answer; the records of a list, and the documents of a batch, share their dates. */
const zones = new LRUCache<string, Zone>({ max: 50 });
const MAX_TIMES = 2000; // of a zone, then all are forgotten

interface Zone {
  /** Prints "19 GMT-05:00"; "00 GMT" in UTC; with seconds before zones had whole minutes. */
  readonly dates: Intl.DateTimeFormat;
  readonly offsets: Map<number, number>;
}

/**
 * Milliseconds by which the clocks of the zone are ahead of UTC at `time` (epoch milliseconds).
 *
 * @param timeZone an IANA name, or an offset such as "-07:00"
 * @throws RangeError for an unknown time zone
 */
export function zoneOffset(time: number, timeZone: string): number {
  if (timeZone === "UTC" || !(Math.abs(time) <= MAX_TIME)) return 0;
  const { dates, offsets } = zones.get(timeZone) ?? createZone(timeZone);
  const cached = offsets.get(time);
  if (cached !== undefined) return cached;
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

/** The local time in the zone, as if it were UTC. */
export function toWallClock(time: number, timeZone: string): number {
  return time + zoneOffset(time, timeZone);
}

/**
 * The time (epoch milliseconds) at which the clocks of the zone show `clock`, a local time written as if it were
 * UTC: the first one where they show it twice, and as far after the gap where they skip it.
 */
export function fromWallClock(clock: number, timeZone: string): number {
  if (timeZone === "UTC") return clock;
  const before = clock - zoneOffset(clock - DAY_MS, timeZone);
  if (toWallClock(before, timeZone) === clock) return before;
  const after = clock - zoneOffset(clock + DAY_MS, timeZone);
  return toWallClock(after, timeZone) === clock ? after : before;
}

import { tzOffset } from "@date-fns/tz";
import { LRUCache } from "lru-cache";

/** A look-up asks Intl to print a date; the records of a list, and the documents of a batch, share their dates. */
const zones = new LRUCache<string, LRUCache<number, number>>({ max: 50 });
const TIMES = 2000; // that are kept of a zone

/** Milliseconds by which the zone's clocks are ahead of UTC at `time`. */
export function zoneOffset(time: number, timeZone: string): number {
  if (timeZone === "UTC") return 0;
  const offsets = zones.get(timeZone) ?? keptZone(timeZone);
  const known = offsets.get(time);
  if (known !== undefined) return known;
  const offset = (tzOffset(timeZone, new Date(time)) || 0) * 60_000;
  offsets.set(time, offset);
  return offset;
}

function keptZone(timeZone: string): LRUCache<number, number> {
  const offsets = new LRUCache<number, number>({ max: TIMES });
  zones.set(timeZone, offsets);
  return offsets;
}

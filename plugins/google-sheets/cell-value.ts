import { DateTime } from "luxon";
import { attachmentsIn } from "./file-links.js";
import type { SheetColumn } from "./sheet-shape.js";
import { textOf } from "./sheet-text.js";

/** The day that Google counts from: 1899-12-30. */
const firstDay = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;

/** A cell as the host knows it: dates as ISO 8601; null for an empty one. */
export function cellValue(
  value: unknown,
  { kind, native }: SheetColumn,
  timeZone: string,
): unknown {
  if (value === undefined || value === null || value === "") return null;
  if (kind === "attachment") return attachmentsIn(textOf(value));
  if (kind !== "date" || typeof value !== "number") return value;
  return native === "DATE" ? dayOf(value) : timeOf(value, timeZone);
}

function dayOf(serial: number): string {
  return new Date(firstDay + Math.floor(serial) * dayMs)
    .toISOString()
    .slice(0, 10);
}

/**
 * A sheet's times have no zone of their own: they are those of the spreadsheet's, an IANA zone or, where Google
 * has none, an offset such as "GMT-07:00".
 */
function timeOf(serial: number, timeZone: string): string {
  const wall = firstDay + Math.round(serial * 86_400) * 1000;
  const zone = timeZone.replace(/^GMT(?=[-+])/, "UTC");
  const text = DateTime.fromMillis(wall, { zone: "UTC" })
    .setZone(zone, { keepLocalTime: true })
    .toISO();
  if (text === null) throw new RangeError(`Unknown time zone: ${timeZone}`);
  return text;
}

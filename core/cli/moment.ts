import { InvalidArgumentError } from "commander";

/** An ISO 8601 timestamp, or a date, which means the end of that day in UTC. */
export function moment(text: string): Date {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTimestamp = /^\d{4}-\d{2}-\d{2}T/.test(text);
  const time = new Date(isDate ? `${text}T23:59:59.999Z` : text);
  if ((isDate || isTimestamp) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError(
    "Give a date such as 2030-12-31, or a time such as 2030-12-31T18:00:00Z.",
  );
}

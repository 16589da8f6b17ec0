import { Cron } from "croner";
import { clock } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import type { AutomationTrigger } from "../storage/database/index.js";

/** The longest interval between two looks for changes: one day. */
const maxEveryMinutes = 24 * 60;

/**
 * Checks a schedule. A cron expression has five fields (minute, hour, day of month, month, day of week), so that it is due
 * at most once a minute. @throws PlatenError `invalid_request`, also for an expression that is never due.
 */
export function parseTrigger(trigger: AutomationTrigger): AutomationTrigger {
  if ("everyMinutes" in trigger) {
    const { everyMinutes } = trigger;
    if (
      Number.isInteger(everyMinutes) &&
      everyMinutes >= 1 &&
      everyMinutes <= maxEveryMinutes
    )
      return trigger;
    throw invalid(
      "everyMinutes",
      `must be a whole number from 1 to ${maxEveryMinutes}`,
    );
  }
  const cron = trigger.cron.trim().split(/\s+/).join(" ");
  const timeZone = parseTimeZone(trigger.timeZone);
  if (cron.split(" ").length !== 5)
    throw invalid(
      "cron",
      "must have five fields: minute, hour, day of month, month and day of week, such as 0 8 * * 1 for every Monday at 8:00",
    );
  const parsed = { cron, timeZone };
  const [first] = findRuns(parsed, clock.date(), 1);
  if (first !== undefined) return parsed;
  throw invalid(
    "cron",
    `is never due: no month that "${cron}" names has such a day. Choose a day that exists, or L for the last day of the month`,
  );
}

function parseTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat("en", {
      timeZone: name,
    }).resolvedOptions().timeZone;
  } catch {
    throw invalid(
      "timeZone",
      `names the unknown time zone "${name.slice(0, 60)}". Use a name such as Europe/Berlin or UTC`,
    );
  }
}

/**
 * The next times after `from`, ascending; fewer than `count` when there are no more. A time in the hour that a clock
 * change skips is due when that hour would have begun, one in the hour that is repeated only the first time.
 */
export function listRuns(
  trigger: AutomationTrigger,
  from: Date,
  count: number,
): Date[] {
  if ("cron" in trigger) return findRuns(trigger, from, count);
  const stepMs = trigger.everyMinutes * 60_000;
  return Array.from(
    { length: count },
    (_, index) => new Date(from.getTime() + (index + 1) * stepMs),
  );
}

function findRuns(
  { cron, timeZone }: { cron: string; timeZone: string },
  from: Date,
  count: number,
): Date[] {
  try {
    const options = {
      timezone: timeZone,
      mode: "5-part",
      paused: true,
    } as const;
    return new Cron(cron, options).nextRuns(count, from);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(
      "cron",
      `is not a valid cron expression: ${reason.replace(/^CronPattern: /, "")}`,
    );
  }
}

function invalid(field: string, message: string): PlatenError {
  return new PlatenError("invalid_request", "Invalid schedule.", {
    problems: [{ path: `$.when.${field}`, code: "schedule", message }],
  });
}

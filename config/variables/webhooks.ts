import { duration, durations } from "../duration.js";
import { type Variable, whole } from "../variable.js";

const aDuration = "a number and ms, s, m, h or d";

/** How events are told to webhook endpoints. */
export const webhookVariables = {
  PLATEN_WEBHOOK_SCHEDULE: {
    schema: durations("5s,5m,30m,2h,5h,10h,14h,20h,24h"),
    expected: `the waits between attempts, each ${aDuration}, with commas; or none`,
    example: "5s,5m,30m,2h,5h,10h,14h,20h,24h",
  },
  PLATEN_WEBHOOK_TIMEOUT: {
    schema: duration("15s"),
    expected: aDuration,
    example: "15s",
  },
  PLATEN_WEBHOOK_MAX_HOLD: {
    schema: duration("24h"),
    expected: aDuration,
    example: "24h",
  },
  PLATEN_WEBHOOK_DISABLE_AFTER: {
    schema: duration("5d"),
    expected: aDuration,
    example: "5d",
  },
  PLATEN_WEBHOOK_SECRET_OVERLAP: {
    schema: duration("24h"),
    expected: aDuration,
    example: "24h",
  },
  PLATEN_WEBHOOK_CONCURRENCY: {
    schema: whole(32, 1, 1000),
    expected: "how many webhooks a process sends at once, 1 to 1000",
    example: "32",
  },
  PLATEN_WEBHOOK_PER_ENDPOINT: {
    schema: whole(8, 1, 1000),
    expected: "how many of them go to one endpoint at once, 1 to 1000",
    example: "8",
  },
  PLATEN_EVENT_RETENTION: {
    schema: duration("30d"),
    expected: aDuration,
    example: "30d",
  },
} satisfies Record<string, Variable<unknown>>;

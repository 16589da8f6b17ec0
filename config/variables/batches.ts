import { z } from "zod";
import { duration, durations } from "../duration.js";
import { MEGABYTE, type Variable, whole } from "../variable.js";

/** A number that is unset for what follows from others. */
const optionalWhole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .optional()
    .transform((value) => value ?? null);

/** What a batch may hold, and how its documents are worked off. */
export const batchVariables = {
  PLATEN_MAX_BATCH_BODY_BYTES: {
    schema: whole(512 * MEGABYTE, 1024, 16_384 * MEGABYTE),
    expected: "bytes from 1024 to 17179869184",
    example: "536870912",
  },
  PLATEN_MAX_BATCH_ITEMS: {
    schema: whole(100_000, 1, 1_000_000),
    expected: "a number from 1 to 1000000",
    example: "100000",
  },
  PLATEN_WORKER_CONCURRENCY: {
    schema: optionalWhole(1, 256),
    expected: "how many documents of batches a worker has in hand, 1 to 256",
    example: "6",
  },
  PLATEN_ORGANIZATION_CONCURRENCY: {
    schema: optionalWhole(1, 10_000),
    expected:
      "how many documents of one organization's batches are rendered at once, 1 to 10000; unset for no limit",
    example: "4",
  },
  PLATEN_WORKER_LEASE: {
    schema: duration("30s").pipe(z.number().min(1000).max(3_600_000)),
    expected: "how long a silent worker keeps its documents, 1s to 1h",
    example: "30s",
  },
  PLATEN_BATCH_RETRY_DELAYS: {
    schema: durations("2s,15s,60s").pipe(z.array(z.number()).length(3)),
    expected: "three durations with commas, one before each retry",
    example: "2s,15s,60s",
  },
} satisfies Record<string, Variable<unknown>>;

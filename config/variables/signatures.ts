import { z } from "zod";
import { duration, durations } from "../duration.js";
import type { Variable } from "../variable.js";

const poll = durations("1m,1h").pipe(
  z
    .tuple([z.number().min(1), z.number()])
    .refine(([least, most]) => least <= most),
);

/** Documents that are sent to be signed. */
export const signatureVariables = {
  PLATEN_SIGNATURE_TIMEOUT: {
    schema: duration("30s"),
    expected: "a number and ms, s, m, h or d",
    example: "30s",
  },
  PLATEN_SIGNATURE_RETRY_DELAYS: {
    schema: durations("5s,30s,2m,10m,30m"),
    expected: "durations with commas, one before each further start",
    example: "5s,30s,2m,10m,30m",
  },
  PLATEN_SIGNATURE_FIND_WAITS: {
    schema: durations("2s,10s,30s,60s"),
    expected:
      "durations with commas, longer in all than PLATEN_SIGNATURE_TIMEOUT, before a provider is asked for what it gave no answer to",
    example: "2s,10s,30s,60s",
  },
  PLATEN_SIGNATURE_POLL: {
    schema: poll,
    expected: "the shortest and the longest wait between two looks",
    example: "1m,1h",
  },
  PLATEN_SIGNED_RETENTION: {
    schema: duration("365d"),
    expected: "a number and ms, s, m, h or d",
    example: "3650d",
  },
} satisfies Record<string, Variable<unknown>>;

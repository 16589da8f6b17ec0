import { text, type Variable, optionalWhole } from "../variable.js";

/** Where the numbers for Prometheus are told; nowhere without a port. */
export const metricsVariables = {
  PLATEN_METRICS_PORT: {
    schema: optionalWhole(0, 65_535),
    expected: "a port from 0 to 65535, where 0 takes any free one",
    example: "9464",
  },
  PLATEN_METRICS_HOST: {
    schema: text("127.0.0.1"),
    expected: "an address or host name to tell the metrics on",
    example: "127.0.0.1",
  },
} satisfies Record<string, Variable<unknown>>;

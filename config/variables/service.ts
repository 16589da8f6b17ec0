import { z } from "zod";
import { PLANS } from "../../core/plugin-api/index.js";
import { rateLimits } from "../rate-limits.js";
import { choice, MEGABYTE, text, type Variable, whole } from "../variable.js";

const baseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ""))
  .optional()
  .transform((url) => url ?? null);

/** Where it listens, what it takes and what it writes to its log. */
export const serviceVariables = {
  PLATEN_HOST: {
    schema: text("127.0.0.1"),
    expected: "an address or host name to listen on",
    example: "0.0.0.0",
  },
  PLATEN_PORT: {
    schema: whole(3000, 0, 65_535),
    expected: "a port from 0 to 65535, where 0 takes any free one",
    example: "3000",
  },
  PLATEN_BASE_URL: {
    schema: baseUrl,
    expected: "the http or https address under which callers reach the service",
    example: "https://documents.example.com",
  },
  PLATEN_MAX_BODY_BYTES: {
    schema: whole(20 * MEGABYTE, 1024, 1024 * MEGABYTE),
    expected: "bytes from 1024 to 1073741824",
    example: "20971520",
  },
  PLATEN_RATE_LIMITS: {
    schema: rateLimits,
    expected: `none, or requests a minute by plan (${PLANS.join(", ")}), with commas`,
    example: "free=60,premium=600",
  },
  PLATEN_LOG_LEVEL: {
    schema: choice(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "info",
    ),
    expected: "trace, debug, info, warn, error, fatal or silent",
    example: "info",
  },
  PLATEN_LOG_FORMAT: {
    schema: choice(["auto", "json", "pretty"], "auto"),
    expected: "auto, json or pretty",
    example: "json",
  },
  PLATEN_DEMO: {
    schema: choice(["on", "off"], "on"),
    expected: "on or off",
    example: "off",
  },
} satisfies Record<string, Variable<unknown>>;

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { databaseUrl } from "./database-url.js";
import {
  choice,
  optionalText,
  text,
  type Variable,
  whole,
} from "./variable.js";

const MEGABYTE = 1024 * 1024;

const baseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ""))
  .optional()
  .transform((url) => url ?? null);

const secret = z
  .string()
  .min(32)
  .optional()
  .transform((value) => value ?? null);

/** Every variable that the service reads; `example.env` shows the same. */
export const variables = {
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
  PLATEN_DATA: {
    schema: text("./data").transform((path) => resolve(path)),
    expected: "a folder that the service may write",
    example: "/var/lib/platen",
  },
  PLATEN_DATABASE_URL: {
    schema: databaseUrl,
    expected: "mysql://, mariadb:// with a database's name, or sqlite:FILE",
    example: "mysql://platen:password@127.0.0.1:3306/platen",
    isSecret: true,
  },
  PLATEN_SECRET: {
    schema: secret,
    expected:
      "at least 32 characters, the same on every machine of the service",
    example: "the output of: openssl rand -base64 48",
    isSecret: true,
  },
  PUPPETEER_EXECUTABLE_PATH: {
    schema: optionalText,
    expected: "the path of a Chromium to print with",
    example: "/usr/bin/chromium",
  },
  PLATEN_CHROMIUM_SANDBOX: {
    schema: choice(["auto", "on", "off"], "auto"),
    expected: "auto, on or off",
    example: "auto",
  },
  PLATEN_RENDER_PAGES: {
    schema: whole(availableParallelism(), 1, 64),
    expected: "how many documents are printed at once, 1 to 64",
    example: "4",
  },
  PLATEN_RENDER_TIMEOUT: {
    schema: whole(60, 1, 3600).transform((seconds) => seconds * 1000),
    expected: "seconds from 1 to 3600",
    example: "60",
  },
  PLATEN_MAX_BODY_BYTES: {
    schema: whole(20 * MEGABYTE, 1024, 1024 * MEGABYTE),
    expected: "bytes from 1024 to 1073741824",
    example: "20971520",
  },
  PLATEN_MAX_PRINT_BYTES: {
    schema: whole(8 * MEGABYTE, 1024, 1024 * MEGABYTE),
    expected: "bytes from 1024 to 1073741824",
    example: "8388608",
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

export type VariableName = keyof typeof variables;
export type Values = {
  [N in VariableName]: z.output<(typeof variables)[N]["schema"]>;
};

import type { Writable } from "node:stream";
import { type DestinationStream, type LoggerOptions, pino } from "pino";
import { PinoPretty } from "pino-pretty";
import type { Log } from "../plugin-api/index.js";

export interface LogSettings {
  level: string;
  /** `auto`: readable text in a terminal, JSON elsewhere. */
  format: "auto" | "json" | "pretty";
}

export type LogStream = Writable & { isTTY?: boolean };

const SECRET_NAMES = new Set([
  "apiKey",
  "authorization",
  "cookie",
  "key",
  "password",
  "secret",
  "signature",
  "token",
  "x-api-key",
]);

/** The service's log, one line per event. Fields with the name of a secret are redacted at any depth. */
export function createLog(
  { level, format }: LogSettings,
  stream: LogStream = process.stdout,
): Log {
  const isPretty = format === "pretty" || (format === "auto" && !!stream.isTTY);
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => hideSecrets(fields),
      bindings: (fields) => hideSecrets(fields),
    },
    serializers: { err: errorFields },
  };
  return pino(options, isPretty ? prettyStream(stream) : stream);
}

/** The library's own `redact` takes nine times as long for a line, and knows no depth but those that are listed. */
function hideSecrets(fields: object, depth = 0): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    redacted[name] = SECRET_NAMES.has(name)
      ? "[hidden]"
      : hideSecretsInside(value, depth + 1);
  return redacted;
}

/** Objects with a class, such as errors, are not looked into. */
function hideSecretsInside(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[too deep]";
  if (Array.isArray(value))
    return value.map((item) => hideSecretsInside(item, depth + 1));
  const isLiteral = Object.getPrototypeOf(value) === Object.prototype;
  return isLiteral ? hideSecrets(value, depth) : value;
}

/** So that an object that contains itself ends. */
const MAX_DEPTH = 10;

/** Omits other properties: database errors, for example, contain the values of the query. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    type: error.name,
    message: error.message,
    ...("code" in error && { code: error.code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: errorFields(error.cause) }),
  };
}

function prettyStream(stream: LogStream): DestinationStream {
  return PinoPretty({
    destination: stream,
    colorize: !!stream.isTTY,
    ignore: "requestId",
    translateTime: "SYS:HH:MM:ss",
    singleLine: true,
    sync: true,
  });
}

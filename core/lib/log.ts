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

const secretNames = [
  "apiKey",
  "authorization",
  "cookie",
  "key",
  "password",
  "secret",
  "signature",
  "token",
  '["x-api-key"]',
];

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
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: errorFields },
    redact: { paths: secretNames.flatMap(anyDepth), censor: "[hidden]" },
  };
  return pino(options, isPretty ? prettyStream(stream) : stream);
}

/** The library's wildcard matches one level, so each level is listed; no log entry is deeper. */
function anyDepth(name: string): string[] {
  const dotted = name.startsWith("[") ? name : `.${name}`;
  return [name, `*${dotted}`, `*.*${dotted}`];
}

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

import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { PLANS, type Plan } from "../core/plugin-api/index.js";

// How the text of environment variables is parsed. All schemas accept undefined for a variable that is not set.

export const megabyte = 1024 * 1024;

/** null when it is not set. */
export function optional<T>(schema: z.ZodType<T, string>) {
  return schema.optional().transform((value) => value ?? null);
}

export const text = (fallback: string) => z.string().prefault(fallback);

export const optionalText = optional(z.string());

export function choice<const T extends readonly [string, ...string[]]>(
  words: T,
  fallback: T[number],
) {
  return z
    .string()
    .prefault(fallback)
    .transform((word) => word.toLowerCase())
    .pipe(z.enum(words));
}

const integerText = z.string().regex(/^\d+$/);

/** From `min` to `max`, both included. */
export function integer(fallback: number, min: number, max: number) {
  return integerText
    .prefault(String(fallback))
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

export function optionalInteger(min: number, max: number) {
  return optional(
    integerText.transform(Number).pipe(z.number().min(min).max(max)),
  );
}

/** A comma-separated list without empty items. */
export const list = z
  .string()
  .prefault("")
  .transform((items) => items.split(",").map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ""));

/** Without slashes at the end. */
export const optionalBaseUrl = optional(
  z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, "")),
);

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000,
};

/** Milliseconds of a duration such as `90s` or `5d`; null when it is malformed. */
function parseDuration(value: string): number | null {
  const [, digits = "", unit = ""] =
    /^(\d{1,9})(ms|s|m|h|d)$/.exec(value.trim()) ?? [];
  const factor = unitMs[unit];
  return factor === undefined ? null : Number(digits) * factor;
}

/** A duration such as `24h`, in milliseconds. */
export function duration(fallback: string) {
  return text(fallback).transform(parseDuration).pipe(z.number());
}

/** A duration of at most `maxMs`, or `0`. */
export function durationOrZero(fallback: string, maxMs: number) {
  return text(fallback)
    .transform((value) => (value === "0" ? 0 : parseDuration(value)))
    .pipe(z.number().max(maxMs));
}

/** Comma-separated durations, or `none`. */
export function durations(fallback: string) {
  return text(fallback)
    .transform((value) =>
      value === "none" ? [] : value.split(",").map(parseDuration),
    )
    .pipe(z.array(z.number()));
}

/** CIDR blocks; a single address is a block that contains only it. */
export const networks = z
  .string()
  .prefault("")
  .transform((value, context) => {
    const words = value.split(/[\s,]+/).filter((word) => word !== "");
    const blocks = words.map(toCidr);
    if (blocks.every((block) => block !== null)) return blocks;
    context.addIssue("invalid network");
    return z.NEVER;
  });

function toCidr(word: string): string | null {
  if (ipaddr.isValidCIDR(word)) return word;
  // Some programs accept IPv4 addresses with fewer than four parts, but they are usually mistakes.
  if (!ipaddr.IPv4.isValidFourPartDecimal(word) && !ipaddr.IPv6.isValid(word))
    return null;
  return `${word}/${word.includes(":") ? 128 : 32}`;
}

const peerPattern = /^([\w-]{1,32})=(https?:\/\/[^\s=]+?)\/*$/;

/** URLs by name, from `a=http://10.0.0.1:3000,b=http://10.0.0.2:3000`. */
export const peers = list.transform((items, context) => {
  const entries = items.flatMap((item): [string, string][] => {
    const [, name, url] = peerPattern.exec(item) ?? [];
    return name && url && URL.canParse(url) ? [[name, url]] : [];
  });
  const urls = new Map(entries);
  if (urls.size === items.length) return urls;
  context.addIssue("invalid list of peers");
  return z.NEVER;
});

/** Requests per minute by plan, from `free=60,premium=600`; other plans have no limit. */
export const rateLimits = text("none").transform((value, context) => {
  const limits: Partial<Record<Plan, number>> = {};
  if (value === "none") return limits;
  for (const part of value.split(",")) {
    const [, name, limit] = /^(\w+)=(\d{1,9})$/.exec(part.trim()) ?? [];
    const plan = PLANS.find((one) => one === name);
    if (!plan || !Number(limit)) {
      context.addIssue("invalid limit");
      return z.NEVER;
    }
    limits[plan] = Number(limit);
  }
  return limits;
});

/** `mysql://`, `mariadb://` (the same for the driver) or `sqlite:FILE`; null for the default file. */
export const databaseUrl = z
  .string()
  .optional()
  .transform((value, context) => {
    if (value === undefined) return null;
    const file = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
    if (file !== undefined)
      return { kind: "sqlite" as const, file: resolve(file) };
    const url = value.replace(/^mariadb:/, "mysql:");
    const isValid =
      url.startsWith("mysql:") &&
      URL.canParse(url) &&
      new URL(url).pathname.length > 1;
    if (isValid) return { kind: "mysql" as const, url };
    context.addIssue("invalid database URL");
    return z.NEVER;
  });

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { toCidr } from "../core/lib/networks.js";
import { PLANS, type Plan } from "../core/plugin-api/index.js";

export interface Variable<T> {
  /** Parses the trimmed text; undefined when the variable is not set. */
  schema: z.ZodType<T, string | undefined>;
  /** Completes "expected …" in error messages. */
  expected: string;
  example: string;
  /** Secret values never appear in error messages. */
  isSecret?: boolean;
}

const durationFormat = "a number and ms, s, m, h or d";
const minSecretLength = 32;

// How the text of environment variables is parsed. All schemas accept undefined for a variable that is not set.

const megabyte = 1024 * 1024;

/** null when it is not set. */
function optional<T>(schema: z.ZodType<T, string>) {
  return schema.optional().transform((value) => value ?? null);
}

const text = (fallback: string) => z.string().prefault(fallback);

const optionalText = optional(z.string());

function choice<const T extends readonly [string, ...string[]]>(
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
function integer(fallback: number, min: number, max: number) {
  return integerText
    .prefault(String(fallback))
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

function optionalInteger(min: number, max: number) {
  return optional(
    integerText.transform(Number).pipe(z.number().min(min).max(max)),
  );
}

/** `auto` when it is not set; null for `none`. */
const organizationRenders = text("auto").transform((value, context) => {
  if (value === "auto" || value === "none")
    return value === "auto" ? value : null;
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= 10_000) return number;
  context.addIssue("invalid number");
  return z.NEVER;
});

/** A comma-separated list without empty items. */
const list = z
  .string()
  .prefault("")
  .transform((items) => items.split(",").map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ""));

/** Without slashes at the end. */
const optionalBaseUrl = optional(
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
function duration(fallback: string) {
  return text(fallback).transform(parseDuration).pipe(z.number());
}

/** A duration of at most `maxMs`, or `0`. */
function durationOrZero(fallback: string, maxMs: number) {
  return text(fallback)
    .transform((value) => (value === "0" ? 0 : parseDuration(value)))
    .pipe(z.number().max(maxMs));
}

/** Comma-separated durations, or `none`. */
function durations(fallback: string) {
  return text(fallback)
    .transform((value) =>
      value === "none" ? [] : value.split(",").map(parseDuration),
    )
    .pipe(z.array(z.number()));
}

/** CIDR blocks; a single address is a block that contains only it. */
const networks = z
  .string()
  .prefault("")
  .transform((value, context) => {
    const words = value.split(/[\s,]+/).filter((word) => word !== "");
    const blocks = words.map(toCidr);
    if (blocks.every((block) => block !== null)) return blocks;
    context.addIssue("invalid network");
    return z.NEVER;
  });

const peerPattern = /^([\w-]{1,32})=(https?:\/\/[^\s=]+?)\/*$/;

/** URLs by name, from `a=http://10.0.0.1:3000,b=http://10.0.0.2:3000`. */
const peers = list.transform((items, context) => {
  const entries = items.flatMap((item): [string, string][] => {
    const [, name, url] = peerPattern.exec(item) ?? [];
    return name && url && URL.canParse(url) ? [[name, url]] : [];
  });
  const urls = new Map(entries);
  if (urls.size === items.length) return urls;
  context.addIssue("invalid list of peers");
  return z.NEVER;
});

type PlanNumbers = Partial<Record<Plan, number>>;

/**
 * Requests per minute of organizations and of their keys by plan, from `free=60,premium=600/300`; other plans have no
 * limit, and a plan without the second number none for keys.
 */
const rateLimits = text(
  "free=3000/1500,pro=12000/6000,premium=60000/30000,enterprise=120000/60000",
).transform((value, context) => {
  const limits: { organization: PlanNumbers; key: PlanNumbers } = {
    organization: {},
    key: {},
  };
  if (value === "none") return limits;
  for (const part of value.split(",")) {
    const [, name, limit, keyLimit] =
      /^(\w+)=(\d{1,9})(?:\/(\d{1,9}))?$/.exec(part.trim()) ?? [];
    const plan = PLANS.find((candidate) => candidate === name);
    if (!plan || !Number(limit) || (keyLimit && !Number(keyLimit))) {
      context.addIssue("invalid limit");
      return z.NEVER;
    }
    limits.organization[plan] = Number(limit);
    if (keyLimit) limits.key[plan] = Number(keyLimit);
  }
  return limits;
});

/** `mysql://`, `mariadb://` (the same for the driver) or `sqlite:FILE`; null for the default file. */
const databaseUrl = z
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

/** Every variable that the service reads; `example.env` lists the same ones. */
export const variables = {
  // The server and its log
  PLATEN_HOST: {
    schema: text("127.0.0.1"),
    expected: "an IP address or host name to listen on",
    example: "0.0.0.0",
  },
  PLATEN_PORT: {
    schema: integer(3000, 0, 65_535),
    expected: "a port from 0 to 65535, or 0 for any free port",
    example: "3000",
  },
  PLATEN_BASE_URL: {
    schema: optionalBaseUrl,
    expected: "the http or https URL at which clients reach the service",
    example: "https://documents.example.com",
  },
  PLATEN_MAX_BODY_BYTES: bytes(20 * megabyte, 1024, 1024 * megabyte),
  PLATEN_RATE_LIMITS: {
    schema: rateLimits,
    expected: `none, or comma-separated requests per minute by plan (${PLANS.join(", ")}), of an organization and, after a slash, of each API key`,
    example: "free=60,premium=600/300",
  },
  PLATEN_TRUSTED_PROXIES: {
    schema: networks,
    expected: "comma-separated networks of proxies as address/bits",
    example: "10.0.0.0/24,127.0.0.1",
  },
  PLATEN_LOG_LEVEL: oneOf(
    ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
    "info",
  ),
  PLATEN_LOG_FORMAT: oneOf(["auto", "json", "pretty"], "auto"),
  PLATEN_DEMO: oneOf(["on", "off"], "on"),

  // Database, files and secrets
  PLATEN_DATA: {
    schema: text("./data").transform((path) => resolve(path)),
    expected: "a folder that the service can write to",
    example: "/var/lib/platen",
  },
  PLATEN_DATABASE_URL: {
    schema: databaseUrl,
    expected:
      "mysql:// or mariadb:// with the name of a database, or sqlite:FILE",
    example: "mysql://platen:password@127.0.0.1:3306/platen",
    isSecret: true,
  },
  PLATEN_FILE_STORE: {
    schema: optional(z.url().transform((url) => new URL(url))),
    expected: "the URL of a file store, such as s3://bucket/prefix",
    example: "s3://KEY:SECRET@bucket?region=eu-central-1",
    isSecret: true,
  },
  PLATEN_SECRET: {
    schema: optional(z.string().min(minSecretLength)),
    expected: "at least 32 characters, the same on every machine",
    example: "the output of: openssl rand -base64 48",
    isSecret: true,
  },
  PLATEN_PREVIOUS_SECRETS: {
    schema: z
      .string()
      .prefault("")
      .transform(splitSecrets)
      .pipe(z.array(z.string().min(minSecretLength))),
    expected:
      "comma-separated earlier values of PLATEN_SECRET, each of at least 32 characters",
    example: "the previous value of PLATEN_SECRET",
    isSecret: true,
  },

  // Wake-ups of workers
  PLATEN_QUEUE_URL: {
    schema: optional(z.url({ protocol: /^postgres(ql)?$/ })),
    expected:
      "the postgres:// URL of the server for wake-ups; unset for the service's own database",
    example: "postgres://platen:password@127.0.0.1:5432/platen",
    isSecret: true,
  },
  PLATEN_QUEUE_POLL: {
    schema: duration("1s").pipe(z.number().min(50).max(60_000)),
    expected: "how often to poll for work from other processes, 50ms to 60s",
    example: "1s",
  },

  // Chromium and its limits
  PUPPETEER_EXECUTABLE_PATH: {
    schema: optionalText,
    expected: "the path of a Chromium executable",
    example: "/usr/bin/chromium",
  },
  PLATEN_CHROMIUM_SANDBOX: oneOf(["auto", "on", "off"], "auto"),
  PLATEN_RENDER_PAGES: count(
    "documents to print at once",
    availableParallelism(),
    1,
    64,
  ),
  PLATEN_ORGANIZATION_RENDERS: {
    schema: organizationRenders,
    expected:
      "documents of one organization to render at once for callers who wait, from 1 to 10000; or none",
    example: "32",
  },
  PLATEN_RENDER_ISOLATION: oneOf(
    ["shared", "organization", "document"],
    "shared",
  ),
  PLATEN_RENDER_PAGE_MB: count("megabytes", 4096, 256, 65_536),
  PLATEN_RENDER_TIMEOUT: seconds(60, 1, 3600),
  PLATEN_MAX_PRINT_BYTES: bytes(8 * megabyte, 1024, 1024 * megabyte),

  // Limits and processing of batches
  PLATEN_MAX_BATCH_BODY_BYTES: bytes(512 * megabyte, 1024, 16_384 * megabyte),
  PLATEN_MAX_BATCH_ITEMS: count("a number", 100_000, 1, 1_000_000),
  PLATEN_WORKER_CONCURRENCY: {
    schema: optionalInteger(1, 256),
    expected: "batch documents that a worker processes at once, from 1 to 256",
    example: "6",
  },
  PLATEN_ORGANIZATION_CONCURRENCY: {
    schema: optionalInteger(1, 10_000),
    expected:
      "batch documents of one organization to render at once, from 1 to 10000; unset for no limit",
    example: "4",
  },
  PLATEN_WORKER_LEASE: {
    schema: duration("30s").pipe(z.number().min(1000).max(3_600_000)),
    expected:
      "how long a worker that stopped responding keeps its jobs, 1s to 1h",
    example: "30s",
  },
  PLATEN_BATCH_RETRY_DELAYS: {
    schema: durations("2s,15s,60s").pipe(z.array(z.number()).length(3)),
    expected: "three comma-separated durations, one before each retry",
    example: "2s,15s,60s",
  },

  // Outbound requests, and the files of documents
  PLATEN_ALLOW_PRIVATE_NETWORKS: {
    schema: networks,
    expected: "comma-separated networks as address/bits",
    example: "10.20.0.0/16,fd12:3456::/48",
  },
  PLATEN_FETCH_ASSETS: oneOf(["on", "off"], "on"),
  PLATEN_ASSET_MAX_BYTES: bytes(10 * megabyte, 1024, 1024 * megabyte),
  PLATEN_ASSET_TOTAL_BYTES: bytes(50 * megabyte, 1024, 1024 * megabyte),
  PLATEN_ASSET_MAX_PIXELS: count("pixels", 50_000_000, 1, 1_000_000_000),
  PLATEN_ASSET_MAX_COUNT: count("remote images in a document", 100, 0, 10_000),
  PLATEN_ASSET_TIMEOUT: seconds(10, 1, 600),
  PLATEN_VIDEO_MAX_BYTES: bytes(200 * megabyte, 1024, 64 * 1024 * megabyte),
  PLATEN_FONT_MAX_BYTES: bytes(16 * megabyte, 1024, 1024 * megabyte),
  PLATEN_ORGANIZATION_ASSET_BYTES: {
    schema: optionalInteger(1, Number.MAX_SAFE_INTEGER),
    expected: "the bytes of all assets of an organization; unset for no limit",
    example: "1073741824",
  },
  PLATEN_PDF_MAX_BYTES: bytes(50 * megabyte, 1024, 1024 * megabyte),

  // Metrics for Prometheus
  PLATEN_METRICS_PORT: {
    schema: optionalInteger(0, 65_535),
    expected: "a port from 0 to 65535, or 0 for any free port",
    example: "9464",
  },
  PLATEN_METRICS_HOST: {
    schema: text("127.0.0.1"),
    expected: "an IP address or host name for the metrics endpoint",
    example: "127.0.0.1",
  },

  // Delivery of events
  PLATEN_WEBHOOK_SCHEDULE: delays(
    `comma-separated delays between attempts, each ${durationFormat}; or none`,
    "5s,5m,30m,2h,5h,10h,14h,20h,24h",
  ),
  PLATEN_WEBHOOK_TIMEOUT: time("15s"),
  PLATEN_WEBHOOK_DISABLE_AFTER: time("5d"),
  PLATEN_WEBHOOK_SECRET_OVERLAP: time("24h"),
  PLATEN_WEBHOOK_PER_ENDPOINT: count(
    "webhooks that an endpoint gets at once",
    8,
    1,
    1000,
  ),
  PLATEN_EVENT_RETENTION: time("30d"),

  // Installed plugins and write-backs
  PLATEN_PLUGINS: {
    // Packages by name, folders by a path that starts with `/` or `.`.
    schema: list.pipe(
      z.array(z.string().regex(/^([./].*|(@[\w.-]+\/)?[\w-][\w.-]*)$/)),
    ),
    expected: "comma-separated names of packages and paths of folders",
    example: "platen-plugin-warehouse,/opt/platen-plugins/shop",
  },
  PLATEN_PLUGIN_FOLDER: {
    schema: optional(z.string().transform((path) => resolve(path))),
    expected: "a folder with one subfolder for each plugin",
    example: "/opt/platen-plugins",
  },
  PLATEN_PLATFORM_PROCESSES: count(
    "processes that share platforms' rate limits",
    1,
    1,
    1000,
  ),
  PLATEN_WRITE_BACK_DELAYS: delays(
    "comma-separated durations, one before each retry of a write-back",
    "5s,30s,2m,10m,30m",
  ),

  // Documents that are sent for signature
  PLATEN_SIGNATURE_TIMEOUT: time("30s"),
  PLATEN_SIGNATURE_RETRY_DELAYS: delays(
    "comma-separated durations, one before each retry of a start",
    "5s,30s,2m,10m,30m",
  ),
  PLATEN_SIGNATURE_FIND_WAITS: delays(
    "comma-separated durations, in total longer than PLATEN_SIGNATURE_TIMEOUT, one before each lookup of a request without a response",
    "2s,10s,30s,60s",
  ),
  PLATEN_SIGNATURE_POLL: {
    schema: durations("1m,1h").pipe(
      z
        .tuple([z.number().min(1), z.number()])
        .refine(([min, max]) => min <= max)
        .transform((range): readonly [number, number] => range),
    ),
    expected: "the minimum and maximum delay between two polls",
    example: "1m,1h",
  },
  PLATEN_SIGNED_RETENTION: time("365d"),
  PLATEN_EMAIL_IMAGE_RETENTION: time("730d"),

  // Sign-in to the studio
  PLATEN_SMTP_URL: {
    schema: optional(z.url({ protocol: /^smtps?$/ })),
    expected: "the smtp:// or smtps:// URL of a mail server",
    example: "smtp://user:password@mail.example.com:587",
    isSecret: true,
  },
  PLATEN_MAIL_FROM: {
    schema: text("Platen <platen@localhost>"),
    expected: "the sender of emails",
    example: "Platen <documents@example.com>",
  },
  PLATEN_OIDC_ISSUER: {
    // Tokens are exchanged with this URL: with http, they could be intercepted.
    schema: optional(
      z
        .url({ protocol: /^https?$/ })
        .transform((url) => new URL(url))
        .refine((url) => url.protocol === "https:" || isLocal(url)),
    ),
    expected: "the https URL of an OpenID Connect provider",
    example: "https://accounts.example.com",
  },
  PLATEN_OIDC_CLIENT_ID: {
    schema: optionalText,
    expected: "the client id from the provider",
    example: "platen",
  },
  PLATEN_OIDC_CLIENT_SECRET: {
    schema: optionalText,
    expected: "the client secret from the provider",
    example: "3f9a…",
    isSecret: true,
  },
  PLATEN_OIDC_TITLE: {
    schema: text("single sign-on"),
    expected: "the provider's name on the sign-in page",
    example: "Acme",
  },
  PLATEN_LOGIN_LINK_TTL: time("15m"),
  PLATEN_SESSION_IDLE: time("12h"),
  PLATEN_SESSION_MAX: time("7d"),

  // The tool server for assistants
  PLATEN_MCP_URL: {
    schema: optionalBaseUrl,
    expected: "the http or https URL at which assistants reach /mcp and /sse",
    example: "https://tools.example.com",
  },
  PLATEN_MCP_HOSTS: {
    schema: list
      .transform((hosts) => hosts.map((host) => host.toLowerCase()))
      .pipe(z.array(z.string().regex(/^(?:[\w.-]+|\[[\da-f:.]+\])$/))),
    expected: "comma-separated host names without ports",
    example: "platen.internal,192.168.1.20",
  },
  PLATEN_MCP_NODE: {
    schema: optional(z.string().regex(/^[\w-]{1,32}$/)),
    expected:
      "this instance's name in PLATEN_MCP_PEERS: letters, digits, - and _",
    example: "a",
  },
  PLATEN_MCP_PEERS: {
    schema: peers,
    expected: "comma-separated instances as name=URL",
    example: "a=http://10.0.0.1:3000,b=http://10.0.0.2:3000",
  },
  PLATEN_MCP_SESSIONS: count("open streams per API key", 20, 1, 10_000),
  PLATEN_MCP_IDLE: time("1h"),
  PLATEN_MCP_KEEP_ALIVE: time("15s"),
  PLATEN_API_KEY: {
    schema: optionalText,
    expected: "the API key of `platen mcp --stdio` and `platen render --url`",
    example: "plk_...",
    isSecret: true,
  },

  // The studio
  PLATEN_RECENT_PAYLOADS: {
    schema: durationOrZero("24h", 24 * 3_600_000),
    expected: "a duration of at most 24h, such as 8h, or 0 to store none",
    example: "24h",
  },
} satisfies Record<string, Variable<unknown>>;

export type Values = {
  [N in keyof typeof variables]: z.output<(typeof variables)[N]["schema"]>;
};

// Variables of common types, with what errors say about them.

function bytes(fallback: number, min: number, max: number) {
  return count("bytes", fallback, min, max);
}

function seconds(fallback: number, min: number, max: number) {
  const variable = count("seconds", fallback, min, max);
  return {
    ...variable,
    schema: variable.schema.transform((value) => value * 1000),
  };
}

function count(what: string, fallback: number, min: number, max: number) {
  return {
    schema: integer(fallback, min, max),
    expected: `${what}, from ${min} to ${max}`,
    example: String(fallback),
  };
}

function time(fallback: string) {
  return {
    schema: duration(fallback),
    expected: durationFormat,
    example: fallback,
  };
}

function delays(expected: string, fallback: string) {
  return { schema: durations(fallback), expected, example: fallback };
}

function oneOf<const T extends readonly [string, ...string[]]>(
  words: T,
  fallback: T[number],
) {
  return {
    schema: choice(words, fallback),
    expected: `one of ${words.join(", ")}`,
    example: fallback,
  };
}

const isLocal = ({ hostname }: URL) =>
  ["127.0.0.1", "localhost", "[::1]"].includes(hostname);

/** A secret that contains a comma can be given alone: its parts are too short to be secrets. */
function splitSecrets(value: string): string[] {
  const words = value.split(",").map((word) => word.trim());
  const secrets = words.filter((word) => word !== "");
  const areLongEnough = secrets.every(
    ({ length }) => length >= minSecretLength,
  );
  return areLongEnough ? secrets : [value];
}

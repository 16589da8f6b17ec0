import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { PLANS } from "../core/plugin-api/index.js";
import {
  choice,
  databaseUrl,
  duration,
  durationOrZero,
  durations,
  integer,
  list,
  megabyte,
  networks,
  optional,
  optionalBaseUrl,
  optionalInteger,
  optionalText,
  peers,
  rateLimits,
  text,
} from "./schemas.js";

/** An environment variable. */
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
  PLATEN_MAX_BODY_BYTES: {
    schema: integer(20 * megabyte, 1024, 1024 * megabyte),
    expected: "bytes from 1024 to 1073741824",
    example: "20971520",
  },
  PLATEN_RATE_LIMITS: {
    schema: rateLimits,
    expected: `none, or comma-separated requests per minute by plan (${PLANS.join(", ")})`,
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
  PLATEN_CHROMIUM_SANDBOX: {
    schema: choice(["auto", "on", "off"], "auto"),
    expected: "auto, on or off",
    example: "auto",
  },
  PLATEN_RENDER_PAGES: {
    schema: integer(availableParallelism(), 1, 64),
    expected: "the number of documents to print at once, 1 to 64",
    example: "4",
  },
  PLATEN_RENDER_ISOLATION: {
    schema: choice(["shared", "organization", "document"], "shared"),
    expected: "shared, organization or document",
    example: "shared",
  },
  PLATEN_RENDER_PAGE_MB: {
    schema: integer(4096, 256, 65_536),
    expected: "megabytes from 256 to 65536",
    example: "4096",
  },
  PLATEN_RENDER_TIMEOUT: {
    schema: integer(60, 1, 3600).transform((seconds) => seconds * 1000),
    expected: "seconds from 1 to 3600",
    example: "60",
  },
  PLATEN_MAX_PRINT_BYTES: {
    schema: integer(8 * megabyte, 1024, 1024 * megabyte),
    expected: "bytes from 1024 to 1073741824",
    example: "8388608",
  },

  // Limits and processing of batches
  PLATEN_MAX_BATCH_BODY_BYTES: {
    schema: integer(512 * megabyte, 1024, 16_384 * megabyte),
    expected: "bytes from 1024 to 17179869184",
    example: "536870912",
  },
  PLATEN_MAX_BATCH_ITEMS: {
    schema: integer(100_000, 1, 1_000_000),
    expected: "a number from 1 to 1000000",
    example: "100000",
  },
  PLATEN_WORKER_CONCURRENCY: {
    schema: optionalInteger(1, 256),
    expected:
      "the number of batch documents that a worker processes at once, 1 to 256",
    example: "6",
  },
  PLATEN_ORGANIZATION_CONCURRENCY: {
    schema: optionalInteger(1, 10_000),
    expected:
      "the number of batch documents of one organization to render at once, 1 to 10000; unset for no limit",
    example: "4",
  },
  PLATEN_WORKER_LEASE: {
    schema: duration("30s").pipe(z.number().min(1000).max(3_600_000)),
    expected:
      "how long a worker that stopped responding keeps its documents, 1s to 1h",
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
  PLATEN_FETCH_ASSETS: {
    schema: choice(["on", "off"], "on"),
    expected: "on or off",
    example: "on",
  },
  PLATEN_ASSET_MAX_BYTES: {
    schema: integer(10 * megabyte, 1024, 1024 * megabyte),
    expected: "bytes from 1024 to 1073741824",
    example: "10485760",
  },
  PLATEN_ASSET_TOTAL_BYTES: {
    schema: integer(50 * megabyte, 1024, 1024 * megabyte),
    expected: "bytes from 1024 to 1073741824",
    example: "52428800",
  },
  PLATEN_ASSET_MAX_PIXELS: {
    schema: integer(50_000_000, 1, 1_000_000_000),
    expected: "pixels from 1 to 1000000000",
    example: "50000000",
  },
  PLATEN_ASSET_MAX_COUNT: {
    schema: integer(100, 0, 10_000),
    expected: "the maximum number of remote images in a document, 0 to 10000",
    example: "100",
  },
  PLATEN_ASSET_TIMEOUT: {
    schema: integer(10, 1, 600).transform((seconds) => seconds * 1000),
    expected: "seconds from 1 to 600",
    example: "10",
  },
  PLATEN_ASSET_CACHE_BYTES: {
    schema: integer(64 * megabyte, 0, 64 * 1024 * megabyte),
    expected: "bytes from 0 to 68719476736",
    example: "67108864",
  },
  PLATEN_VIDEO_MAX_BYTES: {
    schema: integer(200 * megabyte, 1024, 64 * 1024 * megabyte),
    expected: "bytes from 1024 to 68719476736",
    example: "209715200",
  },
  PLATEN_FONT_MAX_BYTES: {
    schema: integer(16 * megabyte, 1024, 1024 * megabyte),
    expected: "bytes from 1024 to 1073741824",
    example: "16777216",
  },
  PLATEN_PDF_MAX_BYTES: {
    schema: integer(50 * megabyte, 1024, 1024 * megabyte),
    expected: "bytes from 1024 to 1073741824",
    example: "52428800",
  },

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
  PLATEN_WEBHOOK_SCHEDULE: {
    schema: durations("5s,5m,30m,2h,5h,10h,14h,20h,24h"),
    expected: `comma-separated delays between attempts, each ${durationFormat}; or none`,
    example: "5s,5m,30m,2h,5h,10h,14h,20h,24h",
  },
  PLATEN_WEBHOOK_TIMEOUT: {
    schema: duration("15s"),
    expected: durationFormat,
    example: "15s",
  },
  PLATEN_WEBHOOK_MAX_HOLD: {
    schema: duration("24h"),
    expected: durationFormat,
    example: "24h",
  },
  PLATEN_WEBHOOK_DISABLE_AFTER: {
    schema: duration("5d"),
    expected: durationFormat,
    example: "5d",
  },
  PLATEN_WEBHOOK_SECRET_OVERLAP: {
    schema: duration("24h"),
    expected: durationFormat,
    example: "24h",
  },
  PLATEN_WEBHOOK_CONCURRENCY: {
    schema: integer(32, 1, 1000),
    expected: "the number of webhooks that a process sends at once, 1 to 1000",
    example: "32",
  },
  PLATEN_WEBHOOK_PER_ENDPOINT: {
    schema: integer(8, 1, 1000),
    expected: "the number of webhooks sent to one endpoint at once, 1 to 1000",
    example: "8",
  },
  PLATEN_EVENT_RETENTION: {
    schema: duration("30d"),
    expected: durationFormat,
    example: "30d",
  },

  // Installed plugins and write-backs
  PLATEN_PLUGINS: {
    // Packages by name, folders by a path that starts with `/` or `.`.
    schema: list.pipe(
      z.array(z.string().regex(/^([./].*|(@[\w.-]+\/)?[\w-][\w.-]*)$/)),
    ),
    expected: "comma-separated names of packages and paths of folders",
    example: "platen-plugin-directus,/opt/platen-plugins/warehouse",
  },
  PLATEN_PLUGIN_FOLDER: {
    schema: optional(z.string().transform((path) => resolve(path))),
    expected: "a folder with one subfolder for each plugin",
    example: "/opt/platen-plugins",
  },
  PLATEN_PLATFORM_PROCESSES: {
    schema: integer(1, 1, 1000),
    expected:
      "the number of processes that share the platforms' rate limits, 1 to 1000",
    example: "2",
  },
  PLATEN_WRITE_BACK_DELAYS: {
    schema: durations("5s,30s,2m,10m,30m"),
    expected:
      "comma-separated durations, one before each retry of a write-back",
    example: "5s,30s,2m,10m,30m",
  },

  // Documents that are sent for signature
  PLATEN_SIGNATURE_TIMEOUT: {
    schema: duration("30s"),
    expected: durationFormat,
    example: "30s",
  },
  PLATEN_SIGNATURE_RETRY_DELAYS: {
    schema: durations("5s,30s,2m,10m,30m"),
    expected: "comma-separated durations, one before each retry of a start",
    example: "5s,30s,2m,10m,30m",
  },
  PLATEN_SIGNATURE_FIND_WAITS: {
    schema: durations("2s,10s,30s,60s"),
    expected:
      "comma-separated durations, in total longer than PLATEN_SIGNATURE_TIMEOUT, one before each lookup of a request without a response",
    example: "2s,10s,30s,60s",
  },
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
  PLATEN_SIGNED_RETENTION: {
    schema: duration("365d"),
    expected: durationFormat,
    example: "3650d",
  },

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
  PLATEN_LOGIN_LINK_TTL: {
    schema: duration("15m"),
    expected: durationFormat,
    example: "15m",
  },
  PLATEN_SESSION_IDLE: {
    schema: duration("12h"),
    expected: durationFormat,
    example: "12h",
  },
  PLATEN_SESSION_MAX: {
    schema: duration("7d"),
    expected: durationFormat,
    example: "7d",
  },

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
  PLATEN_MCP_SESSIONS: {
    schema: integer(20, 1, 10_000),
    expected:
      "the maximum number of open streams per API key and instance, 1 to 10000",
    example: "20",
  },
  PLATEN_MCP_IDLE: {
    schema: duration("1h"),
    expected: durationFormat,
    example: "1h",
  },
  PLATEN_MCP_KEEP_ALIVE: {
    schema: duration("15s"),
    expected: durationFormat,
    example: "15s",
  },
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

import { join } from "node:path";
import { closest, distance } from "fastest-levenshtein";
import { PlatenError } from "../core/plugin-api/index.js";
import { type Values, type Variable, variables } from "./variables.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Each capability gets only its own part. */
export type Config = ReturnType<typeof createConfig>;

/** @throws PlatenError `invalid_request` that lists every invalid variable. */
export function parseConfig(env: Environment): Config {
  const errors: string[] = [];
  const entries = Object.entries<Variable<unknown>>(variables).map(
    ([name, variable]) => {
      const text = env[name]?.trim() || undefined;
      const result = variable.schema.safeParse(text);
      if (!result.success) errors.push(describeError(name, variable, text));
      return [name, result.data];
    },
  );
  if (errors.length > 0) throw invalidConfig(errors);
  // Each value was parsed by the schema of the same name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const values = Object.fromEntries(entries) as Values;
  return createConfig(
    values,
    findUnknownVariables(env),
    findForeignVariables(env),
  );
}

function describeError(
  name: string,
  { expected, example, isSecret }: Variable<unknown>,
  text: string | undefined,
): string {
  const actual = isSecret ? "its value is something else" : `it is "${text}"`;
  return `${name}: expected ${expected}; ${actual}. Example: ${example}`;
}

function invalidConfig(errors: readonly string[]): PlatenError {
  return new PlatenError(
    "invalid_request",
    ["Invalid configuration:", ...errors].join("\n  "),
  );
}

/** Warnings for `PLATEN_*` variables that nothing reads; those of the tests are ignored. */
function findUnknownVariables(env: Environment): string[] {
  const knownNames = Object.keys(variables);
  return Object.keys(env)
    .filter((name) => name.startsWith("PLATEN_") && !knownNames.includes(name))
    .filter((name) => !name.startsWith("PLATEN_TEST_"))
    .map((name) => {
      const near = closest(name, knownNames);
      const hint = distance(name, near) <= 4 ? ` Did you mean ${near}?` : "";
      return `${name} is not a variable of Platen and has no effect.${hint}`;
    });
}

/** The variables of other programs, which contain none of our secrets. */
function findForeignVariables(env: Environment): Record<string, string> {
  const foreign: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !name.startsWith("PLATEN_"))
      foreign[name] = value;
  return foreign;
}

/** Durations are in milliseconds. */
function createConfig(
  values: Values,
  warnings: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const dataFolder = values.PLATEN_DATA;
  return {
    host: values.PLATEN_HOST,
    /** 0: any free port. */
    port: values.PLATEN_PORT,
    /** Without a slash at the end; null: the listening address, see `getBaseUrl`. */
    baseUrl: values.PLATEN_BASE_URL,
    /** Absolute. */
    dataFolder,
    database: values.PLATEN_DATABASE_URL ?? {
      kind: "sqlite" as const,
      file: join(dataFolder, "platen.sqlite"),
    },
    /** The plugin of its scheme opens it; null: `files` in the data folder. */
    fileStore: values.PLATEN_FILE_STORE,
    /** null: stored in the data folder, see `loadSecret`. */
    secret: values.PLATEN_SECRET,
    /** Decrypt what was encrypted with earlier secrets. */
    previousSecrets: values.PLATEN_PREVIOUS_SECRETS,
    log: { level: values.PLATEN_LOG_LEVEL, format: values.PLATEN_LOG_FORMAT },
    /** Whether to fill an empty database with a demo organization. */
    demo: values.PLATEN_DEMO === "on",
    render: {
      /** null: the bundled browser. */
      executablePath: values.PUPPETEER_EXECUTABLE_PATH,
      sandbox: values.PLATEN_CHROMIUM_SANDBOX,
      /** Documents that are printed at once. */
      pages: values.PLATEN_RENDER_PAGES,
      /** Documents of one organization that a process renders at once for callers who wait; null: no limit. */
      perOrganization:
        values.PLATEN_ORGANIZATION_RENDERS === "auto"
          ? Math.max(16, 4 * values.PLATEN_RENDER_PAGES)
          : values.PLATEN_ORGANIZATION_RENDERS,
      /** Which documents may share a browser page. */
      isolation: values.PLATEN_RENDER_ISOLATION,
      /** The memory limit of one page. */
      pageMemoryMb: values.PLATEN_RENDER_PAGE_MB,
      timeoutMs: values.PLATEN_RENDER_TIMEOUT,
      maxPrintBytes: values.PLATEN_MAX_PRINT_BYTES,
    },
    outbound: {
      /** CIDR blocks of private networks that the service may call. */
      allowPrivateNetworks: values.PLATEN_ALLOW_PRIVATE_NETWORKS,
    },
    assets: {
      /** Whether files are fetched from URLs. */
      isFetching: values.PLATEN_FETCH_ASSETS === "on",
      /** Of one image. */
      maxBytes: values.PLATEN_ASSET_MAX_BYTES,
      /** Of all images of a document. */
      maxTotalBytes: values.PLATEN_ASSET_TOTAL_BYTES,
      maxPixels: values.PLATEN_ASSET_MAX_PIXELS,
      /** Remote images of one document. */
      maxCount: values.PLATEN_ASSET_MAX_COUNT,
      /** Of drawings in emails, from the end of the month in which they were drawn. */
      drawingRetentionMs: values.PLATEN_EMAIL_IMAGE_RETENTION,
      /** Of one fetch. */
      timeoutMs: values.PLATEN_ASSET_TIMEOUT,
      maxVideoBytes: values.PLATEN_VIDEO_MAX_BYTES,
      maxFontBytes: values.PLATEN_FONT_MAX_BYTES,
      maxPdfBytes: values.PLATEN_PDF_MAX_BYTES,
      /** Of all assets of an organization; null: no limit. */
      maxOrganizationBytes: values.PLATEN_ORGANIZATION_ASSET_BYTES,
    },
    maxBodyBytes: values.PLATEN_MAX_BODY_BYTES,
    /** Requests per minute of an organization by plan. */
    rateLimits: values.PLATEN_RATE_LIMITS.organization,
    /** Requests per minute of each API key by plan. */
    keyRateLimits: values.PLATEN_RATE_LIMITS.key,
    /** CIDR blocks of proxies whose `X-Forwarded-For` names the client. */
    trustedProxies: values.PLATEN_TRUSTED_PROXIES,
    batch: {
      maxBodyBytes: values.PLATEN_MAX_BATCH_BODY_BYTES,
      maxItems: values.PLATEN_MAX_BATCH_ITEMS,
      /** Documents that a worker processes at once; null: depends on its pages. */
      concurrency: values.PLATEN_WORKER_CONCURRENCY,
      /** Documents of one organization at once, over all workers; null: no limit. */
      perOrganization: values.PLATEN_ORGANIZATION_CONCURRENCY,
      retryDelaysMs: values.PLATEN_BATCH_RETRY_DELAYS,
    },
    queue: {
      /** The server for wake-ups; null: the service's own database. */
      serverUrl: values.PLATEN_QUEUE_URL,
      pollMs: values.PLATEN_QUEUE_POLL,
      /** When another worker takes over the jobs of a silent one. */
      leaseMs: values.PLATEN_WORKER_LEASE,
    },
    webhooks: {
      schedule: values.PLATEN_WEBHOOK_SCHEDULE,
      timeoutMs: values.PLATEN_WEBHOOK_TIMEOUT,
      disableAfterMs: values.PLATEN_WEBHOOK_DISABLE_AFTER,
      overlapMs: values.PLATEN_WEBHOOK_SECRET_OVERLAP,
      perEndpoint: values.PLATEN_WEBHOOK_PER_ENDPOINT,
      retentionMs: values.PLATEN_EVENT_RETENTION,
    },
    platforms: {
      /** Before each retry of a write-back. */
      writeBackDelaysMs: values.PLATEN_WRITE_BACK_DELAYS,
    },
    signatures: {
      /** Of one start. */
      timeoutMs: values.PLATEN_SIGNATURE_TIMEOUT,
      /** Before each retry of a start. */
      retryDelaysMs: values.PLATEN_SIGNATURE_RETRY_DELAYS,
      /** Before each lookup of a request that was sent without a response. */
      findWaitsMs: values.PLATEN_SIGNATURE_FIND_WAITS,
      /** The minimum and maximum delay between two polls. */
      pollMs: values.PLATEN_SIGNATURE_POLL,
      /** Of signed files and finished requests. */
      retentionMs: values.PLATEN_SIGNED_RETENTION,
    },
    /** How long the studio offers the records of recent documents; 0: they are not stored. */
    recentPayloadsMs: values.PLATEN_RECENT_PAYLOADS,
    /** Plugins in addition to the bundled ones. */
    plugins: {
      /** What plugins that do not ship with Platen see of the environment. */
      environment,
      /** Packages and paths of folders. */
      names: values.PLATEN_PLUGINS,
      /** Each folder in it is a plugin; packages are searched there first. Absolute. */
      folder: values.PLATEN_PLUGIN_FOLDER ?? join(dataFolder, "plugins"),
      /** The number of processes that share the rate limits of platforms. */
      processes: values.PLATEN_PLATFORM_PROCESSES,
    },
    /** null: no emails, neither sign-in links nor tests of templates. */
    mail:
      values.PLATEN_SMTP_URL === null
        ? null
        : { smtpUrl: values.PLATEN_SMTP_URL, from: values.PLATEN_MAIL_FROM },
    signIn: {
      linkMs: values.PLATEN_LOGIN_LINK_TTL,
      sessionIdleMs: values.PLATEN_SESSION_IDLE,
      sessionMaxMs: values.PLATEN_SESSION_MAX,
      /** null: no single sign-on. */
      openId: parseOpenId(values),
    },
    /** null: no metrics. Port 0: any free port. */
    metrics:
      values.PLATEN_METRICS_PORT === null
        ? null
        : {
            host: values.PLATEN_METRICS_HOST,
            port: values.PLATEN_METRICS_PORT,
          },
    mcp: {
      /** Without a slash at the end; null: the base URL. */
      url: values.PLATEN_MCP_URL,
      /** Allowed host names in addition to those of the two URLs. */
      hosts: values.PLATEN_MCP_HOSTS,
      ...parsePeers(values),
      /** Streams of one API key on this instance. */
      sessionsPerKey: values.PLATEN_MCP_SESSIONS,
      /** When a session without messages ends. */
      idleMs: values.PLATEN_MCP_IDLE,
      /** Between two keep-alive messages of a silent stream. */
      keepAliveMs: values.PLATEN_MCP_KEEP_ALIVE,
      /** For `platen mcp --stdio`. */
      apiKey: values.PLATEN_API_KEY,
    },
    /** Harmless mistakes, such as misspelled variables, for the log. */
    warnings,
  };
}

function parseOpenId(values: Values) {
  const { PLATEN_OIDC_ISSUER: issuer, PLATEN_OIDC_TITLE: title } = values;
  const clientId = values.PLATEN_OIDC_CLIENT_ID;
  const clientSecret = values.PLATEN_OIDC_CLIENT_SECRET;
  if (issuer === null && clientId === null && clientSecret === null)
    return null;
  if (issuer !== null && clientId !== null && clientSecret !== null)
    return { issuer, clientId, clientSecret, title };
  throw invalidConfig([
    "PLATEN_OIDC_ISSUER, PLATEN_OIDC_CLIENT_ID and PLATEN_OIDC_CLIENT_SECRET belong together: set all of them or none.",
  ]);
}

/** `peers` contains the URLs of all instances by name, `node` the name of this one. */
function parsePeers({
  PLATEN_MCP_NODE: node,
  PLATEN_MCP_PEERS: peers,
}: Values) {
  if (peers.size > 0 && (node === null || !peers.has(node)))
    throw invalidConfig([
      "PLATEN_MCP_NODE: expected this instance's name, one of those in " +
        `PLATEN_MCP_PEERS (${[...peers.keys()].join(", ")}); it is ${node === null ? "not set" : `"${node}"`}.`,
    ]);
  return { node, peers };
}

/** The public URL of the service when it listens on `port`. */
export function getBaseUrl(
  { baseUrl, host }: Pick<Config, "baseUrl" | "host">,
  port: number,
): string {
  return baseUrl ?? urlOf({ host, port });
}

/** The URL of a listening address for clients on this machine. */
export function urlOf(address: { host: string; port: number }): string {
  const isWildcard = address.host === "0.0.0.0" || address.host === "::";
  const host = isWildcard ? "127.0.0.1" : address.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

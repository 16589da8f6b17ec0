import { join } from "node:path";
import { PlatenError } from "../core/plugin-api/index.js";
import type { Config } from "./config.js";
import { mcpOf } from "./mcp.js";
import { signInOf } from "./sign-in.js";
import { unknownVariables } from "./unknown-variables.js";
import type { Variable } from "./variable.js";
import { type Values, variables } from "./variables/index.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the configuration. @throws PlatenError `invalid_request` that lists every variable at fault. */
export function parseConfig(env: Environment): Config {
  const faults: string[] = [];
  const entries = Object.entries<Variable<unknown>>(variables).map(
    ([name, variable]) => {
      const text = env[name]?.trim() || undefined;
      const result = variable.schema.safeParse(text);
      if (!result.success) faults.push(faultOf(name, variable, text));
      return [name, result.data];
    },
  );
  if (faults.length > 0) throw refusal(faults);
  // Each value came out of the schema of the same name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return configOf(Object.fromEntries(entries) as Values, unknownVariables(env));
}

function faultOf(
  name: string,
  { expected, example, isSecret }: Variable<unknown>,
  text: string | undefined,
): string {
  const got = isSecret ? "what it holds is not that" : `it is "${text}"`;
  return `${name}: expected ${expected}; ${got}. Example: ${example}`;
}

function refusal(faults: string[]): PlatenError {
  return new PlatenError(
    "invalid_request",
    ["The configuration cannot be used:", ...faults].join("\n  "),
  );
}

function configOf(values: Values, warnings: string[]): Config {
  const dataFolder = values.PLATEN_DATA;
  return {
    host: values.PLATEN_HOST,
    port: values.PLATEN_PORT,
    baseUrl: values.PLATEN_BASE_URL,
    dataFolder,
    database: values.PLATEN_DATABASE_URL ?? {
      kind: "sqlite",
      file: join(dataFolder, "platen.sqlite"),
    },
    fileStore: values.PLATEN_FILE_STORE,
    secret: values.PLATEN_SECRET,
    previousSecrets: values.PLATEN_PREVIOUS_SECRETS,
    log: { level: values.PLATEN_LOG_LEVEL, format: values.PLATEN_LOG_FORMAT },
    demo: values.PLATEN_DEMO === "on",
    render: renderOf(values),
    outbound: { allowPrivateNetworks: values.PLATEN_ALLOW_PRIVATE_NETWORKS },
    assets: assetsOf(values),
    maxBodyBytes: values.PLATEN_MAX_BODY_BYTES,
    rateLimits: values.PLATEN_RATE_LIMITS,
    batch: batchOf(values),
    queue: {
      serverUrl: values.PLATEN_QUEUE_URL,
      pollMs: values.PLATEN_QUEUE_POLL,
    },
    webhooks: webhooksOf(values),
    recentPayloadsMs: values.PLATEN_RECENT_PAYLOADS,
    plugins: pluginsOf(values),
    signIn: signInOf(values),
    signatures: signaturesOf(values),
    platforms: { writeBackDelaysMs: values.PLATEN_WRITE_BACK_DELAYS },
    metrics: metricsOf(values),
    mcp: mcpOf(values),
    warnings,
  };
}

function renderOf(values: Values): Config["render"] {
  return {
    executablePath: values.PUPPETEER_EXECUTABLE_PATH,
    sandbox: values.PLATEN_CHROMIUM_SANDBOX,
    pages: values.PLATEN_RENDER_PAGES,
    isolation: values.PLATEN_RENDER_ISOLATION,
    pageMemoryMb: values.PLATEN_RENDER_PAGE_MB,
    timeoutMs: values.PLATEN_RENDER_TIMEOUT,
    maxPrintBytes: values.PLATEN_MAX_PRINT_BYTES,
  };
}

function metricsOf(values: Values): Config["metrics"] {
  const { PLATEN_METRICS_HOST: host, PLATEN_METRICS_PORT: port } = values;
  return port === null ? null : { host, port };
}

function pluginsOf(values: Values): Config["plugins"] {
  return {
    names: values.PLATEN_PLUGINS,
    folder: values.PLATEN_PLUGIN_FOLDER ?? join(values.PLATEN_DATA, "plugins"),
    processes: values.PLATEN_PLATFORM_PROCESSES,
  };
}

function signaturesOf(values: Values): Config["signatures"] {
  return {
    timeoutMs: values.PLATEN_SIGNATURE_TIMEOUT,
    retryDelaysMs: values.PLATEN_SIGNATURE_RETRY_DELAYS,
    findWaitsMs: values.PLATEN_SIGNATURE_FIND_WAITS,
    pollMs: values.PLATEN_SIGNATURE_POLL,
    retentionMs: values.PLATEN_SIGNED_RETENTION,
  };
}

function batchOf(values: Values): Config["batch"] {
  return {
    maxBodyBytes: values.PLATEN_MAX_BATCH_BODY_BYTES,
    maxItems: values.PLATEN_MAX_BATCH_ITEMS,
    concurrency: values.PLATEN_WORKER_CONCURRENCY,
    perOrganization: values.PLATEN_ORGANIZATION_CONCURRENCY,
    leaseMs: values.PLATEN_WORKER_LEASE,
    retryDelaysMs: values.PLATEN_BATCH_RETRY_DELAYS,
  };
}

function assetsOf(values: Values): Config["assets"] {
  return {
    isFetching: values.PLATEN_FETCH_ASSETS === "on",
    maxBytes: values.PLATEN_ASSET_MAX_BYTES,
    maxTotalBytes: values.PLATEN_ASSET_TOTAL_BYTES,
    maxPixels: values.PLATEN_ASSET_MAX_PIXELS,
    maxCount: values.PLATEN_ASSET_MAX_COUNT,
    timeoutMs: values.PLATEN_ASSET_TIMEOUT,
    cacheBytes: values.PLATEN_ASSET_CACHE_BYTES,
    maxVideoBytes: values.PLATEN_VIDEO_MAX_BYTES,
    maxFontBytes: values.PLATEN_FONT_MAX_BYTES,
    maxPdfBytes: values.PLATEN_PDF_MAX_BYTES,
  };
}

function webhooksOf(values: Values): Config["webhooks"] {
  return {
    schedule: values.PLATEN_WEBHOOK_SCHEDULE,
    timeoutMs: values.PLATEN_WEBHOOK_TIMEOUT,
    maxHoldMs: values.PLATEN_WEBHOOK_MAX_HOLD,
    disableAfterMs: values.PLATEN_WEBHOOK_DISABLE_AFTER,
    overlapMs: values.PLATEN_WEBHOOK_SECRET_OVERLAP,
    concurrency: values.PLATEN_WEBHOOK_CONCURRENCY,
    perEndpoint: values.PLATEN_WEBHOOK_PER_ENDPOINT,
    retentionMs: values.PLATEN_EVENT_RETENTION,
  };
}

import type { RateLimitChoice } from "./rate-limits.js";
import type { Values } from "./variables/index.js";

/** All that is configured, typed and checked. Rooms are handed their part of it. */
export interface Config {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Without a slash at the end; null means "as listened on", see `baseUrlOf`. */
  baseUrl: string | null;
  /** Absolute. */
  dataFolder: string;
  database: { kind: "sqlite"; file: string } | { kind: "mysql"; url: string };
  /** null: the data folder's `files`. Its scheme says which plugin opens it. */
  fileStore: URL | null;
  /** null: kept in the data folder, see `loadSecret`. */
  secret: string | null;
  /** What it was before; what was encrypted with one of them can still be read. */
  previousSecrets: readonly string[];
  log: {
    level: Values["PLATEN_LOG_LEVEL"];
    format: "auto" | "json" | "pretty";
  };
  /** Whether an empty database is filled with a demo organization. */
  demo: boolean;
  render: {
    /** null: the browser that is shipped. */
    executablePath: string | null;
    sandbox: "auto" | "on" | "off";
    /** Documents printed at once. */
    pages: number;
    /** Whose documents may share a page. */
    isolation: "shared" | "organization" | "document";
    /** The most memory that one page may take. */
    pageMemoryMb: number;
    timeoutMs: number;
    maxPrintBytes: number;
  };
  outbound: {
    /** CIDR blocks of one's own networks that the service may call. */
    allowPrivateNetworks: readonly string[];
  };
  /** The images and fonts of documents. */
  assets: {
    /** Whether images of other machines are fetched at all. */
    isFetching: boolean;
    /** Of one, and of all of a document. */
    maxBytes: number;
    maxTotalBytes: number;
    maxPixels: number;
    /** Of other machines, in a document. */
    maxCount: number;
    /** For each. */
    timeoutMs: number;
    /** How much is kept in memory for the next documents. */
    cacheBytes: number;
    /** Of one file in the library. */
    maxVideoBytes: number;
    maxFontBytes: number;
    maxPdfBytes: number;
  };
  maxBodyBytes: number;
  /** Requests a minute by plan. */
  rateLimits: RateLimitChoice;
  batch: {
    maxBodyBytes: number;
    maxItems: number;
    /** Documents that a worker has in hand; null: what its pages can take. */
    concurrency: number | null;
    /** Documents of one organization at once, over all workers; null: no limit. */
    perOrganization: number | null;
    /** After how long a silent worker's documents go to others. */
    leaseMs: number;
    /** Before the first, second and third retry of a document. */
    retryDelaysMs: readonly number[];
  };
  queue: {
    /** The server that carries the wake-ups; null: the service's own database. */
    serverUrl: string | null;
    pollMs: number;
  };
  /** How events are told. Times in milliseconds. */
  webhooks: {
    schedule: readonly number[];
    timeoutMs: number;
    maxHoldMs: number;
    disableAfterMs: number;
    overlapMs: number;
    concurrency: number;
    perEndpoint: number;
    retentionMs: number;
  };
  platforms: {
    /** Before each retry of a write-back; after the last, it has failed. */
    writeBackDelaysMs: readonly number[];
  };
  /** Documents that are sent to be signed. Times in milliseconds. */
  signatures: {
    /** Of one start. */
    timeoutMs: number;
    /** Before each further start that was refused for now. */
    retryDelaysMs: readonly number[];
    /** Before the provider is asked whether it has what was sent without an answer. */
    findWaitsMs: readonly number[];
    /** The shortest and the longest wait between two looks. */
    pollMs: readonly [least: number, most: number];
    /** Of signed files, and of requests that have ended. */
    retentionMs: number;
  };
  /** How long the records of the last documents are kept for whoever designs their template; 0: not at all. */
  recentPayloadsMs: number;
  /** What is installed beside the plugins that ship. */
  plugins: {
    /** Names of packages, and paths of folders. */
    names: readonly string[];
    /** Each folder in it is a plugin; packages are looked for there first. Absolute. */
    folder: string;
    /** How many processes call platforms, and so share the platforms' limits. */
    processes: number;
  };
  /** How people sign in to the studio. Times in milliseconds. */
  signIn: {
    linkMs: number;
    sessionIdleMs: number;
    sessionMaxMs: number;
    /** null: no links by e-mail. */
    mail: { smtpUrl: string; from: string } | null;
    /** null: no single sign-on. */
    openId: {
      issuer: URL;
      clientId: string;
      clientSecret: string;
      title: string;
    } | null;
  };
  /** Where numbers are told; null: nowhere. Port 0: any free port. */
  metrics: { host: string; port: number } | null;
  /** The tool server for assistants. */
  mcp: {
    /** Without a slash at the end; null: the base URL. */
    url: string | null;
    /** Names under which it may be called, beside those of the two addresses. */
    hosts: readonly string[];
    /** This instance's name among `peers`; null: one that nobody knows. */
    node: string | null;
    /** Where instances reach each other, by name. */
    peers: ReadonlyMap<string, string>;
    /** Streams that a key may hold open here. */
    sessionsPerKey: number;
    /** After which a session without a message ends. */
    idleMs: number;
    /** After so long without a word, a stream says that it is alive. */
    keepAliveMs: number;
    /** The API key of `platen mcp --stdio`. */
    apiKey: string | null;
  };
  /** What is odd but harmless, such as a misspelt variable: for the log. */
  warnings: readonly string[];
}

/** The address under which callers reach the service, when it listens on `port`. */
export function baseUrlOf(config: Config, port: number): string {
  if (config.baseUrl !== null) return config.baseUrl;
  return urlOf({ host: config.host, port });
}

/** How this machine reaches what listens there. */
export function urlOf(address: { host: string; port: number }): string {
  const isEverywhere = address.host === "0.0.0.0" || address.host === "::";
  const host = isEverywhere ? "127.0.0.1" : address.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

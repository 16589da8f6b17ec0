import { connect, isIP, Socket } from "node:net";
import type { Database as SqliteDatabase } from "better-sqlite3";
import type { DataSource, DataSourceOptions } from "typeorm";
import * as z from "zod";
import {
  PlatformError,
  type PlatformErrorCode,
  type TableScope,
  type PlatformContext,
  parseLosslessNumber,
  type SettingsSchema,
} from "../../core/plugin-api/index.js";
import { digest, IdleSessions } from "../lib/sessions.js";
import { translations } from "./translations.js";

export interface SqlColumn {
  name: string;
  /** As the database writes it, in lower case. */
  type: string;
  isGenerated: boolean;
}

/** SQLite's integers arrive as bigint; those that a number would round become texts, as from the other drivers. */
const valueSchema = z
  .unknown()
  .transform((value) =>
    typeof value === "bigint" ? parseLosslessNumber(String(value)) : value,
  );
const rowsSchema = z.array(z.record(z.string(), valueSchema));
export type SqlRow = z.infer<typeof rowsSchema>[number];

/** An open database and its SQL dialect. Values are always sent apart from the statement. */
export class Database {
  readonly engine: Engine;

  constructor(
    private readonly source: DataSource,
    readonly settings: SqlSettings,
    /** Equal for calls that see the same tables. */
    readonly key: string,
  ) {
    this.engine = settings.engine;
  }

  /** The rows of a SELECT. */
  async query(sql: string, values: readonly unknown[] = []): Promise<SqlRow[]> {
    return rowsSchema.parse(await this.source.query(sql, [...values]));
  }

  async execute(sql: string, values: readonly unknown[] = []): Promise<void> {
    await this.source.query(sql, [...values]);
  }

  /** Takes SQLite's write lock and releases it. */
  async checkWritable(): Promise<void> {
    await this.source.query("BEGIN IMMEDIATE");
    try {
      // Beginning is not enough: in a file that is read-only it begins to read.
      await this.source.query("PRAGMA user_version = 0");
    } finally {
      await this.source.query("ROLLBACK");
    }
  }

  quote(name: string): string {
    return this.engine === "mysql"
      ? `\`${name.replaceAll("`", "``")}\``
      : `"${name.replaceAll('"', '""')}"`;
  }

  /** Quotes a table, with the connection's schema. */
  quoteTable(name: string): string {
    return this.settings.engine === "postgres"
      ? `${this.quote(this.settings.schema)}.${this.quote(name)}`
      : this.quote(name);
  }

  /** The placeholder of a value, counted from 1. PostgreSQL must know the type of the key that it is compared with. */
  placeholder(number: number, key?: SqlColumn): string {
    if (this.engine !== "postgres") return "?";
    if (key && isNumeric(key)) return `$${number}::bigint`;
    return key?.type === "uuid" ? `$${number}::uuid` : `$${number}`;
  }

  /** Placeholders for a list of values that are compared with a key. */
  placeholders(count: number, key: SqlColumn): string {
    return Array.from({ length: count }, (_, index) =>
      this.placeholder(index + 1, key),
    ).join(", ");
  }

  /** The size of a column of bytes, as an expression. */
  getSizeExpression(column: SqlColumn): string {
    const name = this.quote(column.name);
    return this.engine === "postgres"
      ? `octet_length(${name})`
      : `LENGTH(${name})`;
  }
}

const numericTypes =
  /^((tiny|small|medium|big)?int|integer|(small|big)?serial|numeric|decimal|float|double|real|money|year)/;

export function isNumeric({ type }: SqlColumn): boolean {
  return numericTypes.test(type) && type !== "tinyint(1)";
}

/** A key or a text, from whatever type the driver returns. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value)
    ? value.toString("hex")
    : (JSON.stringify(value) ?? "");
}

/** In milliseconds. SQLite has no such limit, but its statements only read by key. */
const statementTimeoutMs = 20_000;

/** A connection to a server, or an open file. One call at a time uses it. */
class OpenSource {
  source: DataSource | null = null;
  readonly sockets = new Set<Socket>();

  stop(): void {
    for (const socket of this.sockets) socket.destroy(new Error("stopped"));
  }

  async close(): Promise<void> {
    await this.source?.destroy().catch(() => undefined);
    for (const socket of this.sockets) socket.destroy();
  }

  quit(): void {
    void this.close();
  }
}

/** For the time of 30 s, as many as calls run at once. */
const idleSources = new IdleSessions<OpenSource>(30_000, 4);

/** Takes an unused connection that the server has not closed meanwhile. */
function takeIdle(settings: object): OpenSource | undefined {
  for (;;) {
    const open = idleSources.take(settings);
    if (open === undefined || open.sockets.size > 0) {
      for (const socket of open?.sockets ?? []) socket.ref();
      return open;
    }
    open.quit();
  }
}

/** Keeps a connection for the next call. It does not keep the process alive. */
function keepIdle(settings: object, open: OpenSource): void {
  for (const socket of open.sockets) socket.unref();
  if (open.sockets.size > 0) idleSources.add(settings, open);
  else open.quit();
}

/**
 * Opens the database for one call, under the connection's rate. Rejects only with PlatformError. Connections to servers
 * are kept for the next call, unless this one fails.
 * @param mayWrite rejected as `unsupported` unless the connection allows it.
 */
export function withDatabase<T>(
  context: SqlContext,
  scope: Partial<TableScope>,
  mayWrite: boolean,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return context.turn(scope, async () => {
    const settings = parseSettings(context);
    if (mayWrite && !settings.writable)
      throw new PlatformError(
        "unsupported",
        "This connection is read-only. Set `writable` in its settings, and use a database user with the UPDATE right.",
      );
    context.signal.throwIfAborted();
    let open: OpenSource | undefined;
    const stop = () => open?.stop();
    context.signal.addEventListener("abort", stop, { once: true });
    try {
      const place = await findPlace(context, settings);
      const key = [settings, place, mayWrite];
      open = takeIdle(key) ?? new OpenSource();
      open.source ??= await openSource(settings, place, mayWrite, open.sockets);
      let isSound = false;
      try {
        const settingsKey = digest([settings, place]);
        const database = new Database(open.source, settings, settingsKey);
        const result = await work(database);
        isSound = settings.engine !== "sqlite" && !context.signal.aborted;
        return result;
      } finally {
        if (isSound) keepIdle(key, open);
        else await open.close();
      }
    } catch (error) {
      stop();
      throw toPlatformError(error);
    } finally {
      context.signal.removeEventListener("abort", stop);
    }
  });
}

/** The path of the file, or the address of the server, checked at each call. */
function findPlace(
  context: SqlContext,
  settings: SqlSettings,
): Promise<string> | string {
  return settings.engine === "sqlite"
    ? context.fileAt(settings.file)
    : context.addressOf(settings.host);
}

async function openSource(
  settings: SqlSettings,
  place: string,
  mayWrite: boolean,
  sockets: Set<Socket>,
): Promise<DataSource> {
  // TypeORM is loaded by the first call.
  const { DataSource } = await import("typeorm");
  const source = new DataSource(
    createOptions(settings, place, mayWrite, sockets),
  );
  await source.initialize();
  if (settings.engine === "mysql") await limitMysql(source, mayWrite);
  return source;
}

/** MySQL and MariaDB have different names and units for the limit. */
async function limitMysql(
  source: DataSource,
  mayWrite: boolean,
): Promise<void> {
  const version: unknown = await source.query("SELECT VERSION() AS version");
  const isMariadb = /mariadb/i.test(JSON.stringify(version));
  await source.query(
    isMariadb
      ? `SET SESSION max_statement_time = ${statementTimeoutMs / 1000}`
      : `SET SESSION max_execution_time = ${statementTimeoutMs}`,
  );
  if (!mayWrite) await source.query("SET SESSION TRANSACTION READ ONLY");
}

const connectTimeoutMs = 10_000;

type ServerSettings = Exclude<SqlSettings, { engine: "sqlite" }>;

/** Options for one connection. The sockets are created here, to a checked address, so that an abort can close them. */
function createOptions(
  settings: SqlSettings,
  place: string,
  mayWrite: boolean,
  sockets: Set<Socket>,
): DataSourceOptions {
  if (settings.engine === "sqlite")
    return {
      type: "better-sqlite3",
      database: place,
      readonly: !mayWrite,
      fileMustExist: true,
      timeout: 250,
      prepareDatabase: (database: SqliteDatabase) => {
        database.defaultSafeIntegers(true);
      },
    };
  const { user, password, database } = settings;
  const common = { username: user, password, database, poolSize: 1 };
  return settings.engine === "mysql"
    ? { ...common, ...createMysqlOptions(settings, place, sockets) }
    : {
        ...common,
        ...createPostgresOptions(settings, place, mayWrite, sockets),
      };
}

/** Keeps the host name for the certificate check; the socket connects to the address. */
function createMysqlOptions(
  { host, port = 3306, tls, ca }: ServerSettings,
  address: string,
  sockets: Set<Socket>,
) {
  // For an IP address, the driver would check whether the certificate is for `localhost`.
  if (tls && isIP(host) !== 0)
    throw new PlatformError(
      "bad_config",
      "An encrypted connection to MySQL needs the server's name, as in its certificate, instead of its IP address.",
    );
  return {
    type: "mysql" as const,
    host,
    port,
    connectTimeout: connectTimeoutMs,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    charset: "utf8mb4",
    ...(tls && { ssl: { ...createTrust(ca), verifyIdentity: true } }),
    extra: {
      stream: () => track(connect({ host: address, port }), sockets),
    },
  };
}

function createPostgresOptions(
  { host, port = 5432, tls, ca }: ServerSettings,
  address: string,
  mayWrite: boolean,
  sockets: Set<Socket>,
) {
  // What the certificate must be for; an IP address is not a server name.
  const name = isIP(host) === 0 ? { servername: host } : { host };
  return {
    type: "postgres" as const,
    host: address,
    port,
    connectTimeoutMS: connectTimeoutMs,
    installExtensions: false,
    ...(tls && { ssl: { ...createTrust(ca), ...name } }),
    extra: {
      stream: () => track(new Socket(), sockets),
      statement_timeout: statementTimeoutMs,
      ...(mayWrite ? {} : { options: "-c default_transaction_read_only=on" }),
    },
  };
}

function createTrust(ca: string | undefined) {
  return { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
}

/** The handler catches errors that arrive after the driver has stopped listening. */
function track(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  socket.on("error", () => undefined);
  socket.once("close", () => sockets.delete(socket));
  return socket;
}

type ErrorMeaning = readonly [PlatformErrorCode, string];

const auth: ErrorMeaning = [
  "auth",
  "The database rejected this user and password.",
];
const forbidden: ErrorMeaning = [
  "forbidden",
  "The database user lacks a right: SELECT on the tables, and UPDATE where files are written.",
];
const noDatabase: ErrorMeaning = [
  "bad_config",
  "The database does not exist, or the file is not an SQLite database.",
];
const locked: ErrorMeaning = [
  "conflict",
  "Another program has locked the rows or tables.",
];
const tooLarge: ErrorMeaning = [
  "too_large",
  "The value is too large for the column.",
];
const readOnly: ErrorMeaning = [
  "unsupported",
  "This user can only read the database.",
];
const untrusted: ErrorMeaning = [
  "bad_config",
  "The database's certificate is not trusted, or is for another name. Use the server name that the certificate has, and set `ca` when its authority is not a public one.",
];
const noTls: ErrorMeaning = [
  "bad_config",
  "The database does not offer encrypted connections. Enable them there, or set `tls` to false.",
];
const mismatch: ErrorMeaning = [
  "invalid_field",
  "A value does not fit the column that it is compared with.",
];
const slow: ErrorMeaning = [
  "unavailable",
  "The database took too long to answer.",
];

/** By the driver's own code: names for MySQL and SQLite, SQLSTATE for PostgreSQL. */
const meanings: Readonly<Record<string, ErrorMeaning>> = {
  ER_ACCESS_DENIED_ERROR: auth,
  "28P01": auth,
  "28000": auth,
  ER_DBACCESS_DENIED_ERROR: forbidden,
  ER_TABLEACCESS_DENIED_ERROR: forbidden,
  ER_COLUMNACCESS_DENIED_ERROR: forbidden,
  "42501": forbidden,
  ER_BAD_DB_ERROR: noDatabase,
  "3D000": noDatabase,
  SQLITE_NOTADB: noDatabase,
  SQLITE_CANTOPEN: noDatabase,
  ER_LOCK_DEADLOCK: locked,
  ER_LOCK_WAIT_TIMEOUT: locked,
  "40001": locked,
  "40P01": locked,
  "55P03": locked,
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  ER_DATA_TOO_LONG: tooLarge,
  ER_NET_PACKET_TOO_LARGE: tooLarge,
  "22001": tooLarge,
  SQLITE_TOOBIG: tooLarge,
  ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: readOnly,
  "25006": readOnly,
  SQLITE_READONLY: readOnly,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  HANDSHAKE_SSL_ERROR: untrusted,
  HANDSHAKE_NO_SSL_SUPPORT: noTls,
  "22P02": mismatch,
  "22003": mismatch,
  "22007": mismatch,
  "22008": mismatch,
  ER_QUERY_TIMEOUT: slow,
  ER_STATEMENT_TIMEOUT: slow,
  "57014": slow,
};

/** Keeps the driver's message in the cause only: it may contain data of a row. */
function toPlatformError(cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  const driverCode = getDriverCode(cause);
  const [code, message] = meanings[driverCode] ?? [
    "unavailable",
    `The database did not answer${driverCode ? ` (${driverCode})` : ""}. Check its address, and that it is running.`,
  ];
  return new PlatformError(code, message, { cause });
}

/** Whether the database user lacks a right, by the driver's error or the PlatformError that it became. */
export function isRefused(error: unknown): boolean {
  return toPlatformError(error).code === "forbidden" || isReadOnly(error);
}

/** Whether a whole database can only be read. */
export function isReadOnly(error: unknown): boolean {
  return toPlatformError(error).message === readOnly[1];
}

function getDriverCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return getDriverCode(error.cause);
}

const engines = ["postgres", "mysql", "sqlite"] as const;
export type Engine = (typeof engines)[number];

const shared = {
  /** Whether files may be written; otherwise every statement runs in a read-only transaction. */
  writable: z.boolean().default(false),
  /** Text columns that accept links to files, as `table.column`. */
  linkColumns: z.array(z.string()).default([]),
};
const server = {
  ...shared,
  host: z.string().min(1),
  port: z.number().int().min(1).max(65535).optional(),
  user: z.string().min(1),
  password: z.string().default(""),
  database: z.string().min(1),
  tls: z.boolean().default(true),
  /** The certificate authority as PEM; the public ones when left out. */
  ca: z.string().optional(),
};
const settingsSchema = z.discriminatedUnion("engine", [
  z.object({
    engine: z.literal("postgres"),
    ...server,
    schema: z.string().min(1).default("public"),
  }),
  z.object({ engine: z.literal("mysql"), ...server }),
  z.object({
    engine: z.literal("sqlite"),
    ...shared,
    file: z.string().min(1),
  }),
]);

export type SqlCredentials = z.input<typeof settingsSchema>;
export type SqlSettings = z.output<typeof settingsSchema>;
export type SqlContext = PlatformContext<SqlCredentials>;

/** A connection's settings with their defaults. @throws PlatformError `bad_config` that names what is missing. */
function parseSettings({ credentials }: SqlContext): SqlSettings {
  const result = settingsSchema.safeParse(credentials);
  if (result.success) return result.data;
  const names = result.error.issues.map(({ path }) => path.join("."));
  throw new PlatformError(
    "bad_config",
    `These settings of the connection are missing or invalid: ${names.join(", ")}.`,
  );
}

const text = (title: string, description: string) => ({
  type: "string",
  minLength: 1,
  title,
  description,
});

/** Applies `then` to connections of these engines. */
const forEngines = (all: readonly Engine[], then: SettingsSchema) => ({
  if: { required: ["engine"], properties: { engine: { enum: all } } },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; nobody awaits it
  then,
});

/** For forms and checks. */
export const credentialsSchema = {
  type: "object",
  required: ["engine"],
  additionalProperties: false,
  properties: {
    engine: {
      enum: [...engines],
      title: "Database",
      description: "Choose mysql for MariaDB too.",
    },
    host: text("Server", "Host name or IP address."),
    port: { type: "integer", minimum: 1, maximum: 65535, title: "Port" },
    user: text("User", "Give it only the rights that it needs."),
    password: { type: "string", title: "Password", writeOnly: true },
    database: text("Database name", "On the server."),
    schema: text("Schema", "For PostgreSQL; `public` when left out."),
    tls: {
      type: "boolean",
      default: true,
      title: "Encrypted",
      description: "Otherwise passwords and data are sent unencrypted.",
    },
    ca: {
      ...text(
        "Certificate authority",
        "PEM of the authority that signed the server's certificate, when it is not a public one.",
      ),
      contentMediaType: "application/x-pem-file",
    },
    file: text("File", "For SQLite: its name in Platen's databases folder."),
    writable: {
      type: "boolean",
      default: false,
      title: "Allow writing files",
    },
    linkColumns: {
      type: "array",
      items: { type: "string", pattern: "^.+\\..+$" },
      title: "Columns for links to files",
      description: "Text columns, as table.column.",
    },
  },
  // Names the settings that only some engines have.
  allOf: [
    forEngines(["sqlite"], { required: ["file"], properties: { file: true } }),
    forEngines(["postgres", "mysql"], {
      required: ["host", "user", "database"],
      properties: {
        host: true,
        port: true,
        user: true,
        password: true,
        database: true,
        tls: true,
        ca: true,
      },
    }),
    forEngines(["postgres"], { properties: { schema: true } }),
  ],
  translations,
};

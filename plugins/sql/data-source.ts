import { connect as connectTcp, isIP, Socket } from "node:net";
import type { DataSource, DataSourceOptions } from "typeorm";
import { PlatformError } from "../../core/plugin-api/index.js";
import type { SqlContext, SqlSettings } from "./credentials.js";

/** For one statement, in milliseconds. SQLite has no such limit, but reads by key alone. */
export const statementMs = 20_000;
const connectMs = 10_000;

type ServerSettings = Exclude<SqlSettings, { engine: "sqlite" }>;

/** Connections are made by us, to an address that was checked; a signal cuts them. */
export type Sockets = Set<Socket>;

/** A data source with one connection; not opened yet. TypeORM is loaded by the first. */
export async function getDataSource(
  context: SqlContext,
  settings: SqlSettings,
  mayWrite: boolean,
  sockets: Sockets,
): Promise<DataSource> {
  const typeorm = await import("typeorm");
  const options =
    settings.engine === "sqlite"
      ? sqliteOptions(context.fileAt(settings.file), mayWrite)
      : await serverOptions(context, settings, mayWrite, sockets);
  return new typeorm.DataSource(options);
}

function sqliteOptions(file: string, mayWrite: boolean): DataSourceOptions {
  return {
    type: "better-sqlite3",
    database: file,
    readonly: !mayWrite,
    fileMustExist: true,
    timeout: 250,
  };
}

async function serverOptions(
  context: SqlContext,
  settings: ServerSettings,
  mayWrite: boolean,
  sockets: Sockets,
): Promise<DataSourceOptions> {
  const { host, user, password, database } = settings;
  const address = await context.addressOf(host);
  const common = { username: user, password, database, poolSize: 1 };
  return settings.engine === "mysql"
    ? { ...common, ...mysqlOptions(settings, address, sockets) }
    : { ...common, ...postgresOptions(settings, address, mayWrite, sockets) };
}

/** The name stays for the certificate; the socket goes to the address. */
function mysqlOptions(
  { host, port = 3306, tls, ca }: ServerSettings,
  address: string,
  sockets: Sockets,
) {
  if (tls && isIP(host) !== 0) throw namelessServer();
  return {
    type: "mysql" as const,
    host,
    port,
    connectTimeout: connectMs,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    charset: "utf8mb4",
    ...(tls && { ssl: { ...trust(ca), verifyIdentity: true } }),
    extra: {
      stream: () => kept(connectTcp({ host: address, port }), sockets),
    },
  };
}

function postgresOptions(
  { host, port = 5432, tls, ca }: ServerSettings,
  address: string,
  mayWrite: boolean,
  sockets: Sockets,
) {
  return {
    type: "postgres" as const,
    host: address,
    port,
    connectTimeoutMS: connectMs,
    installExtensions: false,
    ...(tls && { ssl: { ...trust(ca), ...nameOf(host) } }),
    extra: {
      stream: () => kept(new Socket(), sockets),
      statement_timeout: statementMs,
      ...(mayWrite ? {} : { options: "-c default_transaction_read_only=on" }),
    },
  };
}

/** For an address, the driver would check whether the certificate is for `localhost`. */
function namelessServer(): PlatformError {
  return new PlatformError(
    "bad_config",
    "An encrypted connection to MySQL needs the server's name, as its certificate has it, in place of its address.",
  );
}

function trust(ca: string | undefined) {
  return { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
}

/** What the certificate must be for; an address is no server name. */
function nameOf(host: string) {
  return isIP(host) === 0 ? { servername: host } : { host };
}

/** The driver hears of a cut as an error; this handler stays for those that come when it listens no more. */
function kept(socket: Socket, sockets: Sockets): Socket {
  sockets.add(socket);
  socket.on("error", () => undefined);
  socket.once("close", () => sockets.delete(socket));
  return socket;
}

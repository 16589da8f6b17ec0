import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { IsNull, LessThan, Not } from "typeorm";
import { type Config, loadSecret, parseConfig } from "../../config/index.js";
import type { Finding } from "../cli/services.js";
import { clock } from "../lib/clock.js";
import { registerValue } from "../lib/injection.js";
import { createLog } from "../lib/log.js";
import { getPackageInfo } from "../lib/package-info.js";
import { formatError, type FileStore, type Log } from "../plugin-api/index.js";
import { createConfiguredRenderer } from "../rendering/renderer.js";
import { SecretBox } from "../lib/secrets.js";
import {
  Connection,
  getDatabaseTime,
  Job,
  getMigrationState,
  openStore,
  getServerVersion,
  type Store,
  WebhookEndpoint,
} from "../storage/database/index.js";
import { PluginProcesses, Plugins } from "../integrations/host/index.js";
import { CONFIG, LOG, PACKAGE } from "../lib/process-values.js";
import { closeDataFolder, findOpenPaths } from "./data-folder.js";
import { openFileStore } from "./file-store.js";

// `platen doctor`: tries out every part that the service depends on, as the service would use it, and leaves nothing
// behind. Each part is checked whatever is wrong with the others.

type Result = Omit<Finding, "check"> & { check?: string };

const ok = (message: string): Result => ({ state: "ok", message, fix: null });

const warn = (message: string, fix: string | null = null): Result => ({
  state: "warn",
  message,
  fix,
});

const fail = (message: string, fix: string | null = null): Result => ({
  state: "fail",
  message,
  fix,
});

/**
 * @param options.fix repairs what can be repaired without asking anybody: the permissions of files.
 * @returns findings in the order in which they should be fixed.
 */
export async function examineInstallation(
  env: Readonly<Record<string, string | undefined>>,
  options: { fix: boolean } = { fix: false },
): Promise<Finding[]> {
  const configuration = checkConfiguration(env);
  const { config } = configuration;
  const findings = named("configuration", configuration.results);
  if (config === null) return findings;
  const log = createLog({ level: "silent", format: "json" });
  const checks: [name: string, () => Promise<Result[]>][] = [
    ["data folder", () => checkDataFolder(config)],
    ["permissions", () => checkPermissions(config, options)],
    ["secret", () => checkSecret(config)],
    ["database", () => checkDatabase(config, log)],
    ["file store", () => checkFileStore(config, log)],
    ["browser", () => checkBrowser(config, log)],
    ["plugins", () => checkPlugins(config, log)],
  ];
  for (const [name, check] of checks)
    findings.push(...named(name, await check().catch(toFailure)));
  return findings;
}

function named(check: string, results: readonly Result[]): Finding[] {
  return results.map((result) => ({ check, ...result }));
}

/** A check that cannot be made is a finding too. */
function toFailure(error: unknown): Result[] {
  return [fail(formatError(error))];
}

/** Checks the variables, and whether they fit together. The configuration is null when it cannot be used at all. */
function checkConfiguration(
  env: Readonly<Record<string, string | undefined>>,
): { config: Config | null; results: Result[] } {
  let config: Config;
  try {
    config = parseConfig(env);
  } catch (error) {
    const fix = "Correct these variables; config/example.env explains each.";
    const results = [fail(formatError(error), fix)];
    return { config: null, results };
  }
  const { warnings, baseUrl, host } = config;
  const results = warnings.map((message) => warn(message));
  const isLocal = ["127.0.0.1", "localhost", "::1"].includes(host);
  if (baseUrl === null && !isLocal)
    results.push(
      warn(
        "Other machines can reach the service, but its links contain an address that works on this machine only.",
        "Set PLATEN_BASE_URL to the URL at which callers reach the service.",
      ),
    );
  if (results.length === 0) results.push(ok("valid"));
  return { config, results };
}

const megabyte = 1024 ** 2;
/** Below this much free space, the service soon cannot write. */
const minFreeMb = 100;
/** Below this much, there is time to react. */
const enoughFreeMb = 1024;

/** Whether the data folder, or the folder in which it will be created, is writable and has free space. */
async function checkDataFolder({ dataFolder }: Config): Promise<Result[]> {
  let folder = dataFolder;
  while (!(await exists(folder)) && dirname(folder) !== folder)
    folder = dirname(folder);
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return [
      fail(
        `This user cannot write to ${folder}.`,
        `Make the user that runs Platen the owner: chown -R USER ${folder}`,
      ),
    ];
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / megabyte);
  const what =
    folder === dataFolder
      ? "is writable"
      : "will be created at the first start";
  const message = `${dataFolder} ${what}, ${freeMb} MB free`;
  if (freeMb >= enoughFreeMb) return [ok(message)];
  const state = freeMb < minFreeMb ? "fail" : "warn";
  return [{ state, message, fix: "Free up space on this disk." }];
}

const maxNamedPaths = 5;

/** Whether other users of this machine can read or write what the service stores. */
async function checkPermissions(
  config: Config,
  { fix }: { fix: boolean },
): Promise<Result[]> {
  const { closed, refused } = fix
    ? await closeDataFolder(config)
    : { closed: [], refused: await findOpenPaths(config) };
  const results: Result[] = [];
  if (closed.length > 0)
    results.push(ok(`closed to other users: ${listPaths(closed)}`));
  if (refused.length > 0)
    results.push(
      warn(
        `Other users can read or write ${listPaths(refused)}.`,
        fix
          ? `They belong to another user. As that user or as root, run: chmod -R go-rwx ${config.dataFolder}`
          : "Run platen doctor --fix, or start the service, which closes them.",
      ),
    );
  return results.length > 0
    ? results
    : [ok("no other user can read or write the service's files")];
}

function listPaths(paths: readonly string[]): string {
  const first = paths.slice(0, maxNamedPaths).join(", ");
  const rest = paths.length - maxNamedPaths;
  return rest > 0 ? `${first} and ${rest} more` : first;
}

/** Whether there is a secret. Creates none. */
async function checkSecret(config: Config): Promise<Result[]> {
  if (config.secret !== null) return [ok("PLATEN_SECRET")];
  const file = join(config.dataFolder, "secret");
  if (!(await exists(file)))
    return [ok(`${file} will be created at the first start`)];
  await loadSecret(config);
  return [ok(file)];
}

type Read = Store["read"];

/** Checks the server and the tables; if they can be used, also the rows that show how the service is doing. */
async function checkDatabase(config: Config, log: Log): Promise<Result[]> {
  const { database } = config;
  if (database.kind === "sqlite") {
    const stats = await stat(database.file).catch(() => null);
    if (stats === null)
      return [
        warn(
          `${database.file} does not exist yet.`,
          "The first start creates it. If you expected one, check PLATEN_DATA and PLATEN_DATABASE_URL.",
        ),
      ];
  }
  const store = await openStore({ database, migrate: false, log });
  try {
    const server = [await checkVersion(store), await checkMigrations(store)];
    const results = [...server, await checkClock(store)];
    return server.every(({ state }) => state === "ok")
      ? [...results, ...(await checkRows(config, store).catch(toFailure))]
      : results;
  } finally {
    await store.close();
  }
}

async function checkVersion(store: Store): Promise<Result> {
  const { name, version, isNewEnough } = await getServerVersion(store);
  return isNewEnough
    ? ok(`${name} ${version}`)
    : fail(
        `${name} ${version} is too old.`,
        "Upgrade to MySQL 8.0, MariaDB 10.6 or newer.",
      );
}

async function checkMigrations({ dataSource }: Store): Promise<Result> {
  const { done, pending, newer } = await getMigrationState(dataSource);
  if (newer.length > 0)
    return fail(
      `A newer version of Platen has migrated it (${newer.join(", ")}).`,
      "Run that version, or restore a backup from before the upgrade.",
    );
  if (pending.length > 0)
    return warn(
      `Migrations are pending (${pending.join(", ")}).`,
      "Make a backup. The next start runs them.",
    );
  return ok(`up to date (${done} migrations)`);
}

/** Receivers reject signatures of webhooks after five minutes. */
const maxClockSkewMs = 60_000;
const noticeableSkewMs = 2000;

async function checkClock({ read }: Store): Promise<Result> {
  const before = clock.now();
  const theirs = (await getDatabaseTime(read)).getTime();
  // The database read its clock somewhere between these two.
  const ours = (before + clock.now()) / 2;
  const skewMs = Math.round(Math.abs(theirs - ours));
  const state =
    skewMs > maxClockSkewMs
      ? "fail"
      : skewMs > noticeableSkewMs
        ? "warn"
        : "ok";
  const fix =
    state === "ok" ? null : "Synchronize the clocks of both machines with NTP.";
  const message = `${skewMs} ms apart from the database's`;
  return { check: "clock", state, message, fix };
}

/** What waits in the queue, which webhooks are disabled, and whether saved secrets can be read. */
async function checkRows(config: Config, { read }: Store): Promise<Result[]> {
  const secret = await loadSecret(config);
  return [
    { check: "queue", ...(await checkWaitingJobs(read)) },
    ...(await findAbandonedJobs(read)),
    { check: "webhooks", ...(await checkWebhooks(read)) },
    {
      check: "saved secrets",
      ...(await checkSecrets(read, [secret, ...config.previousSecrets])),
    },
  ];
}

const minuteMs = 60_000;
const maxWaitMs = 5 * minuteMs;

async function checkWaitingJobs(read: Read): Promise<Result> {
  const now = await getDatabaseTime(read);
  const waiting = { readyAt: LessThan(now), lockToken: IsNull() };
  const oldest = await read.findOne(Job, {
    where: waiting,
    order: { readyAt: "ASC" },
  });
  const waitedMs = oldest ? now.getTime() - oldest.readyAt.getTime() : 0;
  if (waitedMs < maxWaitMs) {
    const count = await read.countBy(Job, waiting);
    return ok(
      `${count} jobs are waiting, the oldest for ${Math.round(waitedMs / 1000)} s`,
    );
  }
  return warn(
    `A job (${oldest?.kind ?? ""}) has been waiting for ${Math.round(waitedMs / minuteMs)} minutes.`,
    "Start the service or a worker (platen worker); if they are running, start more.",
  );
}

/** Jobs whose lease has expired and that nobody took over: no worker of their kind is running. */
async function findAbandonedJobs(read: Read): Promise<Result[]> {
  const now = await getDatabaseTime(read);
  const count = await read.countBy(Job, {
    lockToken: Not(IsNull()),
    readyAt: LessThan(new Date(now.getTime() - minuteMs)),
  });
  if (count === 0) return [];
  const message = `${count} jobs are locked by processes that no longer run.`;
  const fix = "Start a worker: it takes them over.";
  return [{ check: "queue", ...warn(message, fix) }];
}

async function checkWebhooks(read: Read): Promise<Result> {
  const existing = { deletedAt: IsNull() };
  const count = await read.countBy(WebhookEndpoint, existing);
  const disabled = await read.findBy(WebhookEndpoint, {
    ...existing,
    isEnabled: false,
  });
  if (disabled.length === 0) return ok(`${count} endpoints`);
  const names = disabled.map(({ url, disabledReason }) =>
    disabledReason === null ? url : `${url} (${disabledReason})`,
  );
  return warn(
    `${disabled.length} of ${count} endpoints are disabled: ${names.slice(0, 5).join(", ")}`,
    "Once the receiver works again, run platen webhook enable, then platen webhook replay for the time in between.",
  );
}

const maxTriedSecrets = 100;

async function checkSecrets(
  read: Read,
  secrets: readonly [string, ...string[]],
): Promise<Result> {
  const endpoints = await read.find(WebhookEndpoint, {
    where: { deletedAt: IsNull() },
    take: maxTriedSecrets,
  });
  const connections = await read.find(Connection, { take: maxTriedSecrets });
  const unreadable: string[] = [];
  const webhookBox = new SecretBox(secrets, "webhook secrets");
  for (const { id, secret, url } of endpoints)
    await webhookBox.open(secret, id).catch(() => unreadable.push(url));
  const connectionBox = new SecretBox(secrets, "connection credentials");
  for (const { id, credentials, name } of connections)
    await connectionBox
      .open(credentials, id)
      .catch(() => unreadable.push(name));
  const count = endpoints.length + connections.length;
  if (unreadable.length === 0) return ok(`${count} can be decrypted`);
  return fail(
    `${unreadable.length} of ${count} cannot be decrypted: ${unreadable.slice(0, 5).join(", ")}`,
    "The service's secret has changed since they were saved: add the old one to PLATEN_PREVIOUS_SECRETS.",
  );
}

/** Stores a small file, reads it and deletes it. */
async function checkFileStore(config: Config, log: Log): Promise<Result[]> {
  const { fileStore, dataFolder } = config;
  if (fileStore === null && !(await exists(dataFolder)))
    return [ok("will be created at the first start")];
  // Without the key that the address may contain.
  const place =
    fileStore === null
      ? "in the data folder"
      : `${fileStore.protocol}//${fileStore.host}${fileStore.pathname}`;
  const fix =
    fileStore === null
      ? "Check the folder `files` in PLATEN_DATA: its owner, its permissions, its disk."
      : "Check PLATEN_FILE_STORE: the address, the key, and its permissions to put, get and delete.";
  try {
    const fault = await tryFileStore(await openFileStore(config, log));
    return fault === null ? [ok(place)] : [fail(`${place}: ${fault}`, fix)];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [fail(`${place}: ${reason}`, fix)];
  }
}

/** @returns what went wrong; null when nothing did. */
async function tryFileStore(files: FileStore): Promise<string | null> {
  const key = `outputs/doctor-${randomBytes(12).toString("hex")}.txt`;
  const bytes = randomBytes(64);
  await files.put(key, bytes);
  const stored = await files.open(key);
  const read = stored && (await buffer(stored.stream));
  await files.delete(key);
  if (!read?.equals(bytes))
    return "a file read back differs from what was written.";
  return (await files.size(key)) === null ? null : "a file was not deleted.";
}

/** Starts the browser as the service does, which prints a page of text. */
async function checkBrowser(config: Config, log: Log): Promise<Result[]> {
  const renderer = createConfiguredRenderer(config, getPackageInfo(), log);
  try {
    await renderer.start();
    const { browser } = renderer.health();
    const version = browser?.version ?? "a browser";
    if (browser?.isSandboxed === true)
      return [ok(`${version} prints with its sandbox and the shipped fonts`)];
    return [
      ok(`${version} prints with the shipped fonts`),
      warn(
        "The browser runs without its sandbox.",
        "Allow user namespaces on this machine or container, and do not run as root; PLATEN_CHROMIUM_SANDBOX=on enforces the sandbox.",
      ),
    ];
  } catch (error) {
    return [
      fail(
        formatError(error),
        "Check PUPPETEER_EXECUTABLE_PATH if it is set, and the free space and permissions of .cache/render.",
      ),
    ];
  } finally {
    await renderer.stop();
  }
}

/** Whether all installed plugins can be loaded. */
async function checkPlugins(config: Config, log: Log): Promise<Result[]> {
  const { createContainer } = await import("./composition.js");
  const container = createContainer();
  registerValue(container, CONFIG, config);
  registerValue(container, LOG, log);
  registerValue(container, PACKAGE, getPackageInfo());
  try {
    const all = await container.resolve(Plugins).list();
    const ready = all.filter(({ state }) => state === "ready");
    const broken = all.filter(({ state }) => state === "broken");
    return [
      ok(ready.map(({ id }) => id).join(", ") || "none"),
      ...broken.map(({ id, source, reason }) =>
        fail(`${id} (${source}): ${reason ?? "does not work"}`),
      ),
    ];
  } finally {
    await container.resolve(PluginProcesses).stop();
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

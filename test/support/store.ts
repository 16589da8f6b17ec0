import type { EntitySubscriberInterface } from "typeorm";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { rmSync } from "node:fs";
import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import {
  ApiKeys,
  Authenticator,
  CallerCache,
  operator,
  Organizations,
  Users,
} from "../../core/accounts/index.js";
import { Compute } from "../../core/compute/index.js";
import {
  formatError,
  PlatenError,
  PlatformError,
} from "../../core/plugin-api/index.js";
import {
  type DatabaseLocation,
  openStore,
  type Store,
  type Plan,
  newId,
  User,
  Organization,
} from "../../core/storage/database/index.js";
import { type TemplateOwner, Templates } from "../../core/templates/index.js";
import { useEmptyDatabase, useNewDatabase } from "./mysql-databases.js";
import { partArguments } from "./service-process.js";
import { suiteFolder } from "./store-folder.js";
import { silentLog } from "./recording-log.js";

/** Opens the suite's database, migrated; each call is one more store on it. All are closed at the suite's end. */
export type OpenDatabase = () => Promise<Store>;

/** @param location where the suite's database is; its tables exist and are empty, unless `isNew` */
type DatabaseSuite = (open: OpenDatabase, location: DatabaseLocation) => void;

/**
 * Runs a suite whose subject is SQL, transactions, leases or a difference between dialects: on SQLite, and on MySQL or
 * MariaDB too when PLATEN_TEST_MYSQL_URL names a server.
 * @param isNew whether the suite begins with a database that has no tables
 */
export function eachDatabase(
  suite: DatabaseSuite,
  { isNew = false } = {},
): void {
  onSqlite(suite, { isNew });
  const server = process.env.PLATEN_TEST_MYSQL_URL;
  if (!server) return;
  describe("on MySQL or MariaDB", () => {
    const url = isNew
      ? useNewDatabase(server)
      : useEmptyDatabase(server, async (created) => {
          await migrate({ kind: "mysql", url: created });
        });
    runSuite(suite, { kind: "mysql", url });
  });
}

/** Runs any other suite: on SQLite, and with PLATEN_TEST_ALL_DATABASES=1 on each database. */
export function anyDatabase(suite: DatabaseSuite): void {
  const isOnAll = process.env.PLATEN_TEST_ALL_DATABASES === "1";
  (isOnAll ? eachDatabase : onSqlite)(suite);
}

/** Runs a suite on SQLite alone: it says nothing about databases, or it depends on SQLite. */
export function onSqlite(suite: DatabaseSuite, { isNew = false } = {}): void {
  describe("on SQLite", () => {
    const file = join(suiteFolder(), "test.sqlite");
    if (!isNew) before(() => copyEmptySqlite(file));
    runSuite(suite, { kind: "sqlite", file });
  });
}

function runSuite(suite: DatabaseSuite, database: DatabaseLocation): void {
  const stores: Store[] = [];
  suite(async () => {
    const store = await openStore({ database, migrate: true, log: silentLog });
    stores.push(store);
    return store;
  }, database);
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
}

let emptySqlite: Promise<string> | undefined;

/** Writes a database whose tables exist, which takes a tenth of the time of its migrations. */
export async function copyEmptySqlite(file: string): Promise<void> {
  emptySqlite ??= createEmptySqlite();
  await copyFile(await emptySqlite, file);
}

async function createEmptySqlite(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "platen-test-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  const file = join(folder, "empty.sqlite");
  await migrate({ kind: "sqlite", file });
  return file;
}

async function migrate(database: DatabaseLocation): Promise<void> {
  const store = await openStore({ database, migrate: true, log: silentLog });
  await store.close();
}

/** The account room on a store, joined as in the service. */
export function createAccounts(store: Store) {
  const callers = new CallerCache();
  return {
    organizations: new Organizations(store),
    users: new Users(store),
    keys: new ApiKeys(store, callers),
    authenticator: new Authenticator(store, callers, silentLog),
  };
}

export async function newOrganization(
  store: Store,
  plan: Plan = "free",
): Promise<string> {
  const organizations = new Organizations(store);
  const { id } = await organizations.create({ name: "Acme", plan }, operator);
  return id;
}

/** What the promise was rejected with. */
export async function getRejection(
  promise: Promise<unknown>,
): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was refused.");
}

/** The code of the error with which the promise was refused, and its words: `not_found There is no organization x.` */
export async function getRefusal(promise: Promise<unknown>): Promise<string> {
  const error = await getRejection(promise);
  if (error instanceof PlatformError) return `${error.code} ${error.message}`;
  if (!(error instanceof PlatenError)) throw error;
  return `${error.code} ${formatError(error)}`;
}

/** A user's row, ready to be inserted. */
export function userRow(name: string): Omit<User, never> {
  const now = new Date();
  return {
    id: newId(),
    name,
    email: `${name.toLowerCase()}-${newId()}@example.com`,
    image: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The names of all users that are committed, in alphabetical order. */
export async function userNames(store: Store): Promise<string[]> {
  const users = await store.read.find(User, { order: { name: "ASC" } });
  return users.map(({ name }) => name);
}

export const definition = {
  schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
  components: [{ type: "text", text: "Hello {{ root.name }}" }],
};

/** The template catalogue on a store; pictures have made-up addresses. */
export function createTemplates(store: Store): Templates {
  return new Templates(
    store,
    (id, hash) => `/thumbnails/${id}/${hash}`,
    new Compute(),
    () => Promise.resolve(),
  );
}

/** A new organization, and its own user to act as. */
export async function newOwner(
  store: Store,
  plan?: Plan,
): Promise<TemplateOwner> {
  const organizationId = await newOrganization(store, plan);
  const { serviceUserId } = await store.read.findOneByOrFail(Organization, {
    id: organizationId,
  });
  return { organizationId, userId: serviceUserId };
}

/** Publishes a small template and says its id. */
export async function publish(
  store: Store,
  owner: TemplateOwner,
  input: object = {},
): Promise<string> {
  const template = { name: "Letter", definition, ...input };
  const { id } = await createTemplates(store).publish(
    owner,
    template,
    operator,
  );
  return id;
}

interface StoreProcess {
  firstLine: Promise<string>;
  ended: Promise<{ code: number | null; lines: string[] }>;
  /** At once, as by a power cut (SIGKILL). */
  kill(): void;
}

/** Starts a process of its own on the database; `act` is one of store-process-main.ts. */
export function startStoreProcess(
  act: "migrate" | "write-and-hang",
  location: DatabaseLocation,
): StoreProcess {
  const args = [
    ...partArguments("store-process-main"),
    act,
    JSON.stringify(location),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on("line", (line) =>
    lines.push(line),
  );
  const firstLine = once(reader, "line").then(() => lines[0] ?? "");
  firstLine.catch(() => undefined);
  const ended = once(child, "close").then(() => ({
    code: child.exitCode,
    lines,
  }));
  return { firstLine, ended, kill: () => child.kill("SIGKILL") };
}

/**
 * Runs `answer` while another process writes between its reads: `act` runs after the first read of the first table, and
 * all later reads of the tables wait for it. What the service reads of the others before that is not of the answer.
 * @param act must use another store on the same database.
 * @returns what `answer` returns. Rejects when `answer` reads the tables less than twice.
 */
export async function interrupted<T>(
  store: Store,
  tables: readonly string[],
  act: () => Promise<unknown>,
  answer: () => Promise<T>,
): Promise<T> {
  const interruption = new Interruption(tables, act);
  const sources = [
    store.read.dataSource,
    await store.snapshot(async (read) => read.dataSource),
  ];
  const places = [...new Set(sources)].map(({ subscribers }) => subscribers);
  for (const place of places) place.push(interruption);
  try {
    const answered = await answer();
    if (interruption.reads > 1) return answered;
    throw new Error(`${interruption.reads} reads, where two can differ`);
  } finally {
    for (const place of places) place.splice(place.indexOf(interruption), 1);
  }
}

function readsOf(tables: readonly string[]): RegExp {
  return new RegExp(`^SELECT .*FROM .(${tables.join("|")})\\W`, "s");
}

class Interruption implements EntitySubscriberInterface {
  reads = 0;
  readonly #first: RegExp;
  readonly #tables: RegExp;
  readonly #acted: Promise<void>;
  #release = (): void => {};
  #hasActed = false;

  constructor(
    tables: readonly string[],
    private readonly act: () => Promise<unknown>,
  ) {
    this.#first = readsOf(tables.slice(0, 1));
    this.#tables = readsOf(tables);
    this.#acted = new Promise((release) => {
      this.#release = release;
    });
  }

  async beforeQuery({ query }: { query: string }): Promise<void> {
    const tables = this.reads === 0 ? this.#first : this.#tables;
    if (!tables.test(query)) return;
    this.reads += 1;
    if (this.reads > 1) await this.#acted;
  }

  async afterQuery({ query }: { query: string }): Promise<void> {
    if (this.#hasActed || !this.#first.test(query)) return;
    this.#hasActed = true;
    try {
      await this.act();
    } finally {
      this.#release();
    }
  }
}

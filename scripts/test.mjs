// `npm test`: the whole suite, compiled, in several processes. `npm test -- test/batches [more files or folders, options of
// mocha]`: that part of it, from the sources, at once.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = join(fileURLToPath(import.meta.url), "..", "..");
const answerMs = 10_000;

function fail(message) {
  process.stderr.write(`platen: ${message}\n`);
  process.exit(1);
}

/** The options of mocha that have a use here; a misspelt one would else be ignored, and a misspelt path run everything. */
const known = {
  grep: { type: "string", short: "g" },
  fgrep: { type: "string", short: "f" },
  invert: { type: "boolean", short: "i" },
  bail: { type: "boolean", short: "b" },
  reporter: { type: "string", short: "R" },
  require: { type: "string", short: "r" },
  timeout: { type: "string", short: "t" },
};

function parse(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: known,
      allowPositionals: true,
    });
    RegExp(values.grep ?? "");
    return {
      patterns: positionals.map(toPattern),
      options: Object.entries(values).flatMap(([name, value]) =>
        value === true ? [`--${name}`] : [`--${name}`, value],
      ),
    };
  } catch (error) {
    return fail(error.message.split(". ")[0]);
  }
}

/** @param path of a file or folder, from the project's folder */
function toPattern(path) {
  const below = relative(root, path).split(sep).join("/");
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const pattern = isFolder ? `${below}/**/*.test.ts` : below;
  const isBelow = below === "test" || below.startsWith("test/");
  if (!isBelow || globSync(pattern, { cwd: root }).length === 0) {
    const near = `test/${below.replace(/^core\//, "")}`;
    const exists = globSync(near, { cwd: root }).length > 0;
    fail(
      `There are no tests at "${path}". ${exists ? `Did you mean ${near}?` : "Name a file or a folder below test/."}`,
    );
  }
  return pattern;
}

/** What variables name must answer before the first test. */
async function checkServers({ env }) {
  const checks = {
    PLATEN_TEST_MYSQL_URL: checkMysql,
    PLATEN_TEST_POSTGRES_URL: checkPostgres,
    PLATEN_TEST_S3_URL: (url) => {
      const endpoint = new URL(url).searchParams.get("endpoint");
      if (!endpoint) throw new Error("It lacks ?endpoint=, the server's URL");
      return checkPort(endpoint);
    },
    PLATEN_TEST_NOCODB_URL: checkPort,
    PLATEN_TEST_DIRECTUS_URL: checkPort,
    PLATEN_TEST_FIREFOX: checkFirefox,
  };
  for (const [name, check] of Object.entries(checks))
    try {
      if (env[name]) await check(env[name]);
    } catch (error) {
      // Some errors of connections have a code alone.
      const why = error.message || error.code;
      fail(`${name} cannot be used: ${why}. Correct it, or unset it.`);
    }
}

async function checkMysql(url) {
  requireScheme(url, ["mysql:", "mariadb:"]);
  const { createConnection } = await import("mysql2/promise");
  const connection = await createConnection({
    uri: url,
    connectTimeout: answerMs,
  });
  await connection.end();
}

async function checkPostgres(url) {
  requireScheme(url, ["postgres:", "postgresql:"]);
  const { Client } = (await import("pg")).default;
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
  });
  await client.connect();
  await client.end();
}

function requireScheme(url, schemes) {
  const { protocol } = new URL(url);
  if (!schemes.includes(protocol))
    throw new Error(`It begins with ${protocol} and not with ${schemes[0]}`);
}

async function checkPort(url) {
  const { protocol, hostname, port } = new URL(url);
  const usual = protocol === "https:" ? 443 : 80;
  const socket = connect(Number(port) || usual, hostname);
  await once(socket, "connect", { signal: AbortSignal.timeout(answerMs) });
  socket.destroy();
}

function checkFirefox(path) {
  const { stdout } = spawnSync(path, ["--version"], {
    encoding: "utf8",
    timeout: answerMs,
  });
  if (!stdout?.includes("Firefox")) throw new Error(`${path} is no Firefox`);
}

/** Runs a command to its end. Mocha passes an interrupt alone to the processes of the tests. */
async function run(command, ...args) {
  const child = spawn(command, args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill("SIGINT"));
  const [code] = await once(child, "exit");
  if (code !== 0) process.exit(code === null ? 130 : 1);
}

const { patterns, options } = parse(process.argv.slice(2));
await checkServers(process);
// A library's timer may outlive the tests, so the process does not wait for the last of them.
if (patterns.length > 0) await run("mocha", "--exit", ...patterns, ...options);
else {
  await run(process.execPath, "scripts/build-tests.mjs");
  await run("mocha", "--config", ".mocharc.parallel.cjs", ...options);
}

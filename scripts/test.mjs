// `npm test`: the whole suite, compiled, in several processes. `npm test -- test/batches [more files or folders, options of
// mocha]`: that part of it, from the sources, at once.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { connect } from "node:net";

const args = process.argv.slice(2);
const isPath = (arg) => /^(\.\/)?test(\/|$)/.test(arg) || arg.endsWith(".ts");
const paths = args.filter(isPath).map(toPattern);
const options = args.filter((arg) => !isPath(arg));

function fail(message) {
  process.stderr.write(`platen: ${message}\n`);
  process.exit(1);
}

function toPattern(path) {
  if (!existsSync(path))
    fail(`There are no tests at ${path}. Name a file or a folder below test/.`);
  return statSync(path).isDirectory() ? `${path}/**/*.test.ts` : path;
}

/** The servers that variables name, for what else runs on them; each must answer before the first test. */
async function checkServers() {
  const { env } = process;
  const addresses = {
    PLATEN_TEST_MYSQL_URL: (url) => url,
    PLATEN_TEST_POSTGRES_URL: (url) => url,
    PLATEN_TEST_S3_URL: (url) => new URL(url.searchParams.get("endpoint")),
    PLATEN_TEST_NOCODB_URL: (url) => url,
    PLATEN_TEST_DIRECTUS_URL: (url) => url,
  };
  for (const [name, toAddress] of Object.entries(addresses)) {
    if (!env[name]) continue;
    let address;
    try {
      address = toAddress(new URL(env[name]));
    } catch {
      fail(`${name} is not the URL of a server: ${env[name]}`);
    }
    const { hostname, port } = address;
    const socket = connect(Number(port), hostname);
    await once(socket, "connect").catch(() =>
      fail(
        `${name} names ${hostname}:${port}, where no server answers. Start it, or unset the variable.`,
      ),
    );
    socket.destroy();
  }
  const firefox = env.PLATEN_TEST_FIREFOX;
  if (firefox && !existsSync(firefox))
    fail(`PLATEN_TEST_FIREFOX names ${firefox}, which does not exist.`);
}

function run(command, ...rest) {
  const { status } = spawnSync(command, rest, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

await checkServers();
if (paths.length > 0) run("mocha", ...paths, ...options);
else {
  run(process.execPath, "scripts/build-tests.mjs");
  run("mocha", "--config", ".mocharc.parallel.cjs", ...options);
}

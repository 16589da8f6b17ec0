// What Platen consists of besides its own code: `node scripts/supply-chain.mjs licenses|sbom|audit`.
//
// Shipped are the packages under dependencies with theirs, and those that are bundled into dist.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const rule = `\n${"-".repeat(80)}\n\n`;
/** Written into dist by the builds of the service and of the studio. */
const notices = [
  "THIRD-PARTY-LICENSES.txt",
  join("studio", "THIRD-PARTY-LICENSES.txt"),
];
/** Copied into dist as it is. */
const copied = ["swagger-ui-dist"];

/**
 * Writes the licenses of all packages that were bundled.
 * @param inputs paths of the bundled files
 */
export async function writeLicenses(inputs, path) {
  const folders = new Set(
    inputs.flatMap((input) => {
      const found =
        /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(input);
      return found ? [found[0]] : [];
    }),
  );
  const parts = await Promise.all(
    [...folders]
      .toSorted((a, b) => (a < b ? -1 : 1))
      .map(async (folder) => {
        const { name, version, license } = await readJson(
          join(root, folder, "package.json"),
        );
        const files = await readdir(join(root, folder));
        const file = files.find((one) => /^licen[cs]e/i.test(one));
        const full = file
          ? await readFile(join(root, folder, file), "utf8")
          : "";
        return `${name} ${version} (${license})\n\n${full.trim()}\n`;
      }),
  );
  // Data that was taken from a package has its license beside it.
  const data = inputs
    .filter((input) => input.endsWith(".json"))
    .map((input) => join(root, input.replace(/json$/, "license.txt")))
    .filter(existsSync)
    .map((file) => readFile(file, "utf8"));
  await writeFile(path, [...parts, ...(await Promise.all(data))].join(rule));
}

async function readJson(path) {
  return JSON.parse(await readFile(path, "utf8"));
}

/** `name@version` of all packages that were bundled. */
async function readBundled(folder) {
  const texts = await Promise.all(
    notices.map((name) => readFile(join(folder, "dist", name), "utf8")),
  );
  const sections = texts.flatMap((text) => text.split(rule));
  return new Set(
    sections.map((text) => text.split(" (")[0].replace(" ", "@").trim()),
  );
}

/** All shipped packages, by `name@version`. */
async function readShipped(folder, bundled) {
  const { packages } = await readJson(join(folder, "package-lock.json"));
  const shipped = new Map();
  for (const [path, one] of Object.entries(packages)) {
    if (path === "" || one.link) continue;
    const name = one.name ?? path.slice(path.lastIndexOf("node_modules/") + 13);
    const id = `${name}@${one.version}`;
    const isDevelopment = one.dev || one.devOptional;
    if (isDevelopment && !bundled.has(id) && !copied.includes(name)) continue;
    shipped.set(id, { ...one, name, path });
  }
  return shipped;
}

/** Licenses that let anyone ship the package with a program under the MIT license. */
const permissive = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];

/** Allowed for one package: why is said beside it. */
const exceptions = [
  // Shared libraries that are loaded, and can be replaced, as files of their own.
  { name: /^@img\/sharp-/, license: "LGPL-3.0-or-later" },
  // Shipped unchanged; its license asks for the source of changed files only.
  { name: /^mediabunny$/, license: "MPL-2.0" },
];

/** What packages write instead of an SPDX expression. */
const spellings = {
  BSD: "BSD-3-Clause",
  "MIT (http://mootools.net/license.txt)": "MIT",
};

/** Evaluates an SPDX expression; what it does not understand is not allowed. */
function isAllowed(expression, name) {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  const readTerm = () => {
    const token = tokens.shift();
    if (token === "(") {
      const inside = readEither();
      return tokens.shift() === ")" && inside;
    }
    return (
      permissive.includes(token) ||
      exceptions.some((one) => one.name.test(name) && one.license === token)
    );
  };
  const readAll = () => {
    let isFine = readTerm();
    while (tokens[0] === "AND") {
      tokens.shift();
      isFine = readTerm() && isFine;
    }
    return isFine;
  };
  const readEither = () => {
    let isFine = readAll();
    while (tokens[0] === "OR") {
      tokens.shift();
      isFine = readAll() || isFine;
    }
    return isFine;
  };
  return readEither() && tokens.length === 0;
}

/** As the package says it: old ones have a list. */
async function readLicense(folder) {
  const { license, licenses = [] } = await readJson(
    join(folder, "package.json"),
  ).catch(() => ({}));
  return license ?? licenses.map(({ type }) => type).join(" OR ");
}

/** Lists the licenses of all shipped packages; fails for one that is unknown or not allowed. */
async function listLicenses(folder) {
  const shipped = await readShipped(folder, await readBundled(folder));
  const problems = [];
  const byLicense = new Map();
  for (const [id, { name, path, license: inLock }] of shipped) {
    const license = inLock ?? (await readLicense(join(folder, path)));
    const written =
      typeof license === "string" && license !== "" ? license : "no license";
    const shown = spellings[written] ?? written;
    byLicense.set(shown, [...(byLicense.get(shown) ?? []), id]);
    if (!isAllowed(shown, name)) problems.push(`${id}: ${shown}`);
  }
  const sorted = [...byLicense].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [license, ids] of sorted)
    process.stdout.write(`${license} (${ids.length})\n  ${ids.join("\n  ")}\n`);
  if (problems.length === 0) {
    process.stdout.write(
      `\n${shipped.size} packages, all under allowed licenses.\n`,
    );
    return;
  }
  process.stderr.write(
    `\nThese packages have a license that is unknown or not allowed. Replace them, or allow the license in scripts/supply-chain.mjs:\n  ${problems.join("\n  ")}\n`,
  );
  process.exitCode = 1;
}

/** @returns the output, also of a command that failed. */
function runNpm(args) {
  return new Promise((done) =>
    execFile(
      "npm",
      args,
      { cwd: root, maxBuffer: 2 ** 28, shell: process.platform === "win32" },
      (_error, stdout) => done(stdout),
    ),
  );
}

/** Writes a software bill of materials (CycloneDX) of what is shipped, beside the packed tarball. */
async function writeSbom() {
  const shipped = await readShipped(root, await readBundled(root));
  const bom = JSON.parse(
    await runNpm(["sbom", "--sbom-format=cyclonedx", "--package-lock-only"]),
  );
  const self = bom.metadata.component;
  const { name, version } = await readJson(join(root, "package.json"));
  self.name = name;
  self.type = "application";
  bom.components = bom.components.filter((one) =>
    shipped.has(one["bom-ref"].split("|")[0]),
  );
  const refs = new Set(bom.components.map((one) => one["bom-ref"]));
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === self["bom-ref"])
    .map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((one) => refs.has(one)),
    }));
  const folder = resolve(root, process.env.npm_config_pack_destination ?? ".");
  const path = join(folder, `${name}-${version}.cdx.json`);
  await writeFile(path, `${JSON.stringify(bom, null, 2)}\n`);
  process.stderr.write(`${path}: ${bom.components.length} packages\n`);
}

/** Fails for a known vulnerability of high severity. A registry that does not answer is reported and no failure. */
async function audit() {
  const output = await runNpm(["audit", "--json"]);
  let report = {};
  try {
    report = JSON.parse(output);
  } catch {
    // Not an answer, like any other object without vulnerabilities.
  }
  const { vulnerabilities } = report;
  if (vulnerabilities === undefined) {
    process.stdout.write(
      "The registry does not answer audits, so the packages were not audited.\n",
    );
    return;
  }
  const found = Object.values(vulnerabilities);
  const serious = found.filter(({ severity }) =>
    ["high", "critical"].includes(severity),
  );
  for (const { name, severity, range } of found)
    process.stdout.write(`${severity}: ${name} ${range}\n`);
  process.stdout.write(
    `${found.length} known vulnerabilities, ${serious.length} of them high or critical.\n`,
  );
  if (serious.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , command, folder = root] = process.argv;
  const commands = {
    licenses: () => listLicenses(resolve(folder)),
    sbom: writeSbom,
    audit,
  };
  await commands[command]();
}

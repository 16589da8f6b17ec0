import { readdir, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { exports as exportsOf, legacy } from "resolve.exports";
import semver from "semver";
import { z } from "zod";
import { PLUGIN_API, PLUGIN_KINDS } from "../../plugin-api/index.js";
import {
  type FoundPlugin,
  isCallable,
  CALLABLE_KINDS,
} from "./plugin-contract.js";
import type { PluginProcesses } from "./plugin-processes.js";

interface PackagePlaces {
  /** Names of packages, and paths of folders. */
  names: readonly string[];
  /** Each folder in it is a plugin, and its node_modules are searched first. */
  folder: string;
  /** Folders whose node_modules, and those of their parents, are searched as Node does. */
  roots: readonly string[];
}

export interface PackageOptions {
  places: PackagePlaces;
  /** Where plugins from outside of the package run. */
  processes: PluginProcesses;
  platenVersion: string;
}

/** Finds every plugin that is configured or in the plugin folder. Runs none of their code. */
export async function findPackages(
  options: PackageOptions,
): Promise<FoundPlugin[]> {
  const { names, folder } = options.places;
  const configured = names.map(
    async (name) =>
      (await findPackage(name, options)) ?? createMissingPlugin(name, folder),
  );
  const others = (await listFolders(folder)).map((packageFolder) =>
    findPackage(packageFolder, options),
  );
  const plugins = await Promise.all([...configured, ...others]);
  return plugins.filter((plugin) => plugin !== null);
}

async function listFolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isFile() && /^[^.]/.test(entry.name))
      .filter(({ name }) => name !== "node_modules")
      .map(({ name }) => join(folder, name))
      .toSorted();
  } catch {
    // Most installations have no such folder.
    return [];
  }
}

async function findPackage(
  name: string,
  options: PackageOptions,
): Promise<FoundPlugin | null> {
  for (const folder of listCandidates(name, options.places)) {
    const file = await readPackageFile(folder);
    if (file === null) continue;
    const source = isPath(name) ? folder : name;
    return "platen" in file
      ? createFoundPlugin(folder, source, file, options)
      : createBrokenPlugin(source, `${file.fault} Tell its author.`);
  }
  return null;
}

/** The folders where a package may be, the nearest first. */
function listCandidates(
  name: string,
  { folder, roots }: PackagePlaces,
): string[] {
  if (isPath(name)) return [resolve(name)];
  return [folder, ...roots.flatMap(listParents)].map((place) =>
    join(place, "node_modules", name),
  );
}

function listParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listParents(parent)];
}

function isPath(name: string): boolean {
  return isAbsolute(name) || name.startsWith(".");
}

/** The fields of a plugin's package.json that matter here. */
const packageFile = z.looseObject({
  name: z.string(),
  version: z.string(),
  platen: z.object({
    kind: z.enum(PLUGIN_KINDS),
    id: z
      .string()
      .max(64)
      .regex(/^[a-z0-9][a-z0-9-]*$/),
    title: z.string().min(1).max(200),
    api: z.number().int(),
    platen: z.string().min(1),
  }),
});
type PackageFile = z.output<typeof packageFile>;

/** Reads a folder's package.json, or says why it is invalid; null when there is none. */
async function readPackageFile(
  folder: string,
): Promise<PackageFile | { fault: string } | null> {
  const path = join(folder, "package.json");
  try {
    const parsed = packageFile.safeParse(
      JSON.parse(await readFile(path, "utf8")),
    );
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = ["$", ...(issue?.path ?? [])].join(".");
    return { fault: `${path}: ${field}: ${issue?.message ?? "invalid"}.` };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    const message = error instanceof Error ? error.message : String(error);
    return { fault: `${path} cannot be read: ${message}.` };
  }
}

function createFoundPlugin(
  folder: string,
  source: string,
  file: PackageFile,
  { platenVersion, processes }: PackageOptions,
): FoundPlugin {
  const { kind, id, title } = file.platen;
  const entry = findEntry(folder, file);
  const fault =
    checkCompatibility(file, platenVersion) ??
    (entry === null
      ? "The main file that its package.json names is not inside its folder. Tell its author."
      : null);
  return {
    kind,
    id,
    title,
    version: file.version,
    source,
    fault,
    load: () =>
      processes.load({ kind, id, entry: pathToFileURL(entry ?? "").href }),
  };
}

/** Why a plugin cannot run with this version of Platen, according to its package.json; null when it can. */
function checkCompatibility(
  { platen: { kind, api, platen: range } }: PackageFile,
  platenVersion: string,
): string | null {
  if (!isCallable(kind))
    return `It is of the kind "${kind}", but only platforms, e-signature providers and delivery methods ("${CALLABLE_KINDS.join('", "')}") can be installed. Remove it.`;
  if (api !== PLUGIN_API)
    return `It is written for version ${api} of the plugin contract, and this Platen has version ${PLUGIN_API}. Update ${api > PLUGIN_API ? "Platen" : "the plugin"}.`;
  if (semver.validRange(range) === null)
    return `Its package.json says platen.platen: "${range}", which is no semver range. Tell its author.`;
  const options = { includePrerelease: true };
  if (semver.satisfies(platenVersion, range, options)) return null;
  const isOld = semver.gtr(platenVersion, range, options);
  return `It runs with Platen ${range}, and this is ${platenVersion}. Update ${isOld ? "the plugin" : "Platen"}.`;
}

/** The file that runs when a package is imported, as Node finds it; null when it is not inside the package's folder. */
function findEntry(folder: string, file: PackageFile): string | null {
  const named = findExportedEntry(file) ?? legacy(file, { browser: false });
  const entry = Array.isArray(named) ? named[0] : named;
  const path = resolve(folder, typeof entry === "string" ? entry : "index.js");
  return path.startsWith(folder + sep) ? path : null;
}

function findExportedEntry(file: PackageFile): string | undefined {
  try {
    return exportsOf(file, ".")?.[0];
  } catch {
    // The package has exports, but none for ".".
    return undefined;
  }
}

function createMissingPlugin(name: string, folder: string): FoundPlugin {
  return createBrokenPlugin(
    name,
    isPath(name)
      ? `There is no package.json in ${resolve(name)}. Correct the path in PLATEN_PLUGINS.`
      : `There is no package of this name. Install it (npm install --prefix ${folder} ${name}), or remove it from PLATEN_PLUGINS.`,
  );
}

function createBrokenPlugin(source: string, fault: string): FoundPlugin {
  return {
    kind: null,
    id: source,
    title: source,
    version: null,
    source,
    fault,
    load: () => Promise.resolve(null),
  };
}

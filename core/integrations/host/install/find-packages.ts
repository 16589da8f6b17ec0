import { readdir } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { incompatibility } from "./check-compatibility.js";
import type { FoundPlugin } from "./found-plugin.js";
import { entryOf, type PackageFile, readPackageFile } from "./package-file.js";

export interface PackagePlaces {
  /** Names of packages, and paths of folders. */
  names: readonly string[];
  /** Each folder in it is a plugin, and its node_modules are searched first. */
  folder: string;
  /** Folders from which packages are looked for, upwards as Node does. */
  roots: readonly string[];
}

/** Every plugin that is configured or lies in the plugin folder. Runs no code of any. */
export async function findPackages(
  places: PackagePlaces,
  platenVersion: string,
): Promise<FoundPlugin[]> {
  const named = places.names.map((name) => ({ name, isNamed: true }));
  const lying = await foldersIn(places.folder);
  const wanted = [...named, ...lying.map((name) => ({ name, isNamed: false }))];
  const found = await Promise.all(
    wanted.map(async ({ name, isNamed }) => {
      const plugin = await findPackage(name, places, platenVersion);
      return plugin ?? (isNamed ? absent(name, places) : null);
    }),
  );
  return found.filter((plugin) => plugin !== null);
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isFile() && /^[^.]/.test(entry.name))
      .filter(({ name }) => name !== "node_modules")
      .map(({ name }) => join(folder, name))
      .toSorted();
  } catch {
    // Most services have no such folder.
    return [];
  }
}

async function findPackage(
  name: string,
  places: PackagePlaces,
  platenVersion: string,
): Promise<FoundPlugin | null> {
  for (const folder of candidates(name, places)) {
    const file = await readPackageFile(folder);
    if (file === null) continue;
    const source = isPath(name) ? folder : name;
    return "platen" in file
      ? foundIn(folder, source, file, platenVersion)
      : broken(source, `${file.fault} Tell its author.`);
  }
  return null;
}

/** The folders where a package may lie, the nearest first. */
function candidates(name: string, { folder, roots }: PackagePlaces): string[] {
  if (isPath(name)) return [resolve(name)];
  return [folder, ...roots.flatMap(upwards)].map((place) =>
    join(place, "node_modules", name),
  );
}

function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

function isPath(name: string): boolean {
  return isAbsolute(name) || name.startsWith(".");
}

function foundIn(
  folder: string,
  source: string,
  file: PackageFile,
  platenVersion: string,
): FoundPlugin {
  const { kind, id, title } = file.platen;
  const told = { kind, id, title, version: file.version, source };
  const entry = entryOf(folder, file);
  const fault =
    incompatibility(file, platenVersion) ??
    (entry === null
      ? "Its package.json names no file inside its folder as its main. Tell its author."
      : null);
  return { ...told, fault, load: () => importPlugin(entry ?? "") };
}

/** Runs a module that is not ours. */
async function importPlugin(path: string): Promise<unknown> {
  const loaded: unknown = await import(pathToFileURL(path).href);
  const plugin: unknown = Reflect.get(Object(loaded), "plugin");
  return plugin;
}

function absent(name: string, { folder }: PackagePlaces): FoundPlugin {
  return broken(
    name,
    isPath(name)
      ? `There is no package.json in ${resolve(name)}. Mend the path in PLATEN_PLUGINS.`
      : `There is no package of this name. Install it (npm install --prefix ${folder} ${name}), or take it out of PLATEN_PLUGINS.`,
  );
}

function broken(source: string, fault: string): FoundPlugin {
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

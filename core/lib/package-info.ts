import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The installation folder and version of this program. */
export interface PackageInfo {
  folder: string;
  version: string;
}

/** Works for the sources and for the build, which is one folder deeper. */
export function getPackageInfo(): PackageInfo {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const { version }: { version: string } = JSON.parse(text);
  return { folder, version };
}

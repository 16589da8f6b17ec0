import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where this program is installed, and its version. */
export interface PackageInfo {
  folder: string;
  version: string;
}

/** The same for the sources and for what is built from them, which lies one folder deeper. */
export function packageInfo(): PackageInfo {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const { version }: { version: string } = JSON.parse(text);
  return { folder, version };
}

import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Packs a package of the repository as for the registry. @returns the path of the packed file */
export function packPackage(source: string, destination: string): string {
  const packed = execFileSync(
    "npm",
    ["pack", "--json", "--pack-destination", destination],
    { cwd: source, stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" },
  );
  // The build writes to the same output.
  const [, filename = ""] = /"filename": "([^"]+)"/.exec(packed) ?? [];
  return join(destination, filename);
}

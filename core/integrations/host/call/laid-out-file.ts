import { existsSync } from "node:fs";
import { join } from "node:path";
import { PlatformError } from "../../../plugin-api/index.js";

/** A name alone: nothing that leads out of the folder. */
const plainName = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u;

/** The path of a file in the operator's folder. @throws PlatformError `bad_config` when there is none of that name. */
export function laidOutFile(folder: string | undefined, name: string): string {
  if (folder !== undefined && plainName.test(name)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
  }
  throw new PlatformError(
    "bad_config",
    `There is no file "${name}". Whoever runs the service puts such files, or links to them, into the folder ` +
      "`databases` of its data folder.",
  );
}

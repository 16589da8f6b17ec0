import { readFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { exports as exportsOf, legacy } from "resolve.exports";
import { z } from "zod";
import { PLUGIN_KINDS } from "../../../plugin-api/index.js";

/** What a plugin's package.json says; anything else in it is its own matter. */
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
export type PackageFile = z.output<typeof packageFile>;

/** Of a folder: the file, or what is wrong with it; null when there is no package.json. */
export async function readPackageFile(
  folder: string,
): Promise<PackageFile | { fault: string } | null> {
  const path = join(folder, "package.json");
  try {
    const read = packageFile.safeParse(
      JSON.parse(await readFile(path, "utf8")),
    );
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const place = ["$", ...(issue?.path ?? [])].join(".");
    return { fault: `${path}: ${place}: ${issue?.message ?? "is wrong"}.` };
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
    return { fault: `${path} cannot be read: ${messageOf(error)}.` };
  }
}

/** The file that runs when a package is imported, as Node finds it; null when it names none inside its folder. */
export function entryOf(folder: string, file: PackageFile): string | null {
  const named = exportedEntry(file) ?? legacy(file, { browser: false });
  const entry = Array.isArray(named) ? named[0] : named;
  const path = resolve(folder, typeof entry === "string" ? entry : "index.js");
  return path.startsWith(folder + sep) ? path : null;
}

/** Throws nothing: a package whose exports lead nowhere has no entry. */
function exportedEntry(file: PackageFile): string | undefined {
  try {
    return exportsOf(file, ".")?.[0];
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

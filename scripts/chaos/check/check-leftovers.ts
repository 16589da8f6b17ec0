import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { installBrowser } from "../../../core/rendering/index.js";
import type { Part } from "../part.js";
import type { Loss } from "./evidence.js";

/** The ended processes ended well, and left no process, and no file that the next start does not remove. */
export async function checkLeftovers(
  folder: string,
  parts: readonly Part[],
): Promise<Loss[]> {
  const losses: Loss[] = [];
  for (const part of parts) {
    for (const what of part.faults) losses.push({ kind: "bad end", what });
    for (const { pid } of await part.leftovers())
      losses.push({ kind: "process left", what: String(pid) });
  }
  for (const name of [
    ...(await temporaryFiles(folder)),
    ...(await browserFolders(parts.flatMap(({ pids }) => pids))),
  ])
    losses.push({ kind: "temporary file left", what: name });
  return losses;
}

/** Half-written outputs, and drafts of batches. The file store was opened since, which clears away the former. */
async function temporaryFiles(folder: string): Promise<string[]> {
  const halves = await readdir(join(folder, "files", ".tmp"));
  const names = await readdir(folder);
  return [...halves, ...names.filter((name) => name.startsWith(".draft-"))];
}

/** Prepared once more, as each start does. */
async function browserFolders(pids: readonly number[]): Promise<string[]> {
  const { profiles } = await installBrowser(resolve(".cache/render"));
  const names = await readdir(profiles);
  return names.filter((name) =>
    pids.some((pid) => name.startsWith(`profile-${pid}-`)),
  );
}

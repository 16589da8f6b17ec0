import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The files of a folder by their paths in it. */
export type Files = Record<string, unknown>;

/** Writes files into a folder: texts and bytes as they are, everything else as JSON. */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(path, isRaw ? content : JSON.stringify(content, null, 2));
  }
}

/** All files of a folder but those of git, by their paths in it, in base64. */
export async function readFiles(
  folder: string,
): Promise<Record<string, string>> {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  const files: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (!entry.isFile() || name.startsWith(".git/")) continue;
    files[name] = (await readFile(path)).toString("base64");
  }
  return files;
}

/** A template file with a text that shows a field. */
export function textTemplate(name: string, text: string): object {
  return {
    name,
    definition: {
      schema: [{ id: "root", fields: [{ name: "number", type: "String" }] }],
      components: [{ type: "text", text }],
    },
  };
}

/** A drawing that documents show as it is. */
export function drawing(color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" viewBox="0 0 80 40"><rect width="80" height="40" fill="${color}"/></svg>\n`;
}

/** Commits all files of a folder, which becomes a repository. */
export function commitAll(folder: string, subject: string): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
  git("init", "--quiet");
  git("add", "--all");
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  git(...author, "commit", "--quiet", "-m", subject);
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The commit that is checked out. */
export interface Commit {
  /** Short. */
  hash: string;
  subject: string;
  /** Whether the folder has changes that are not committed. */
  isChanged: boolean;
}

/** @param ignored a file whose changes do not count. @returns null outside of a repository, and where there is no git */
export async function readCommit(
  folder: string,
  ignored: string,
): Promise<Commit | null> {
  const text = await git(folder, "log", "-1", "--format=%h%n%s");
  const [hash, subject] = text?.split("\n") ?? [];
  if (!hash || subject === undefined) return null;
  const paths = [".", `:(exclude)${ignored}`];
  const changes = await git(folder, "status", "--porcelain", "--", ...paths);
  return { hash, subject, isChanged: changes !== "" };
}

/** Whether a commit is the one that is checked out, or one before it. */
export async function isEarlierCommit(
  folder: string,
  hash: string,
): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", hash, "HEAD"];
  return (await git(folder, ...args)) !== null;
}

const MAX_COMMITS = 100;

/** Earlier contents of a file, the newest first. @param file relative to the folder */
export async function* readHistory(
  folder: string,
  file: string,
): AsyncGenerator<string, void, undefined> {
  const limit = `-${MAX_COMMITS}`;
  const list = await git(folder, "log", limit, "--format=%H", "--", file);
  for (const hash of list?.split("\n").filter(Boolean) ?? []) {
    const text = await git(folder, "show", `${hash}:./${file}`);
    if (text !== null) yield text;
  }
}

/** @returns null when it fails */
async function git(folder: string, ...args: string[]): Promise<string | null> {
  try {
    const options = { maxBuffer: 64 * 1024 ** 2 };
    const { stdout } = await run("git", ["-C", folder, ...args], options);
    return stdout;
  } catch {
    return null;
  }
}

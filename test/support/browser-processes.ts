import { readdir, readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

const LOOK_MS = 5;
const PATIENCE_MS = 20_000;

interface Process {
  pid: number;
  parent: number;
  state: string;
  command: string;
}

/** Looks again and again until it finds something. @throws Error when it never does. */
export async function until<T>(
  what: string,
  look: () => T | null | false | Promise<T | null | false>,
): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await wait(LOOK_MS);
  }
  throw new Error(`waited in vain: ${what}`);
}

/** Living processes whose command line holds all of the words. */
export async function processesWith(...words: string[]): Promise<Process[]> {
  const all = await allProcesses();
  return all.filter(({ command }) =>
    words.every((word) => command.includes(word)),
  );
}

/** The processes that lay out pages, below a browser. */
export async function pageProcesses(browser: number): Promise<number[]> {
  const all = await allProcesses();
  const below = new Set([browser]);
  for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  return all
    .filter(({ command }) => command.includes("--type=renderer"))
    .map(({ pid }) => pid)
    .filter((pid) => below.has(pid));
}

async function allProcesses(): Promise<Process[]> {
  const entries = await readdir("/proc");
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(describeProcess));
  return found
    .filter((one) => one !== null)
    .filter(({ state }) => state !== "Z")
    .toSorted((a, b) => a.pid - b.pid);
}

async function describeProcess(pid: number): Promise<Process | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    const [state = "", parent] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ");
    return { pid, parent: Number(parent), state, command };
  } catch {
    return null;
  }
}

import { readdir, readFile } from "node:fs/promises";
import { clock } from "../../lib/clock.js";

const PAGE_KB = 4;

/** The process and its descendants, deepest last. */
export async function processTree(root: number): Promise<number[]> {
  const children = await childrenByParent();
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Memory of a process tree in MB, each shared page counted by its share (PSS). Null where /proc is not available. */
export async function treePssMb(root: number): Promise<number | null> {
  const sizes = await Promise.all((await processTree(root)).map(pssKb));
  const measured = sizes.filter((size) => size !== null);
  if (measured.length === 0) return null;
  return Math.round(measured.reduce((sum, size) => sum + size, 0) / 1024);
}

/**
 * When a process started, in clock ticks since boot. Together with the pid it identifies a process, since pids are
 * reused. Null when the process does not exist or is a zombie.
 */
export async function processStart(pid: number): Promise<string | null> {
  const fields = await statFields(pid);
  return fields === null || fields[2] === "Z" ? null : (fields[21] ?? null);
}

async function childrenByParent(): Promise<Map<number, number[]>> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const children = new Map<number, number[]>();
  const parents = await Promise.all(pids.map(statFields));
  for (const [index, fields] of parents.entries()) {
    const [pid, parent] = [pids[index], Number(fields?.[3])];
    if (pid === undefined || !fields) continue;
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

/** The fields of /proc/<pid>/stat; the second one, a name in brackets that may hold spaces, is left as one. */
async function statFields(pid: number): Promise<string[] | null> {
  const text = await readProc(pid, "stat");
  if (text === null) return null;
  const nameEnd = text.lastIndexOf(")");
  const rest = text.slice(nameEnd + 2).split(" ");
  return [String(pid), text.slice(text.indexOf("("), nameEnd + 1), ...rest];
}

/** Sandboxed processes hide smaps_rollup from a user who is not root: then resident less shared pages. */
async function pssKb(pid: number): Promise<number | null> {
  const rollup = await readProc(pid, "smaps_rollup");
  const pss = rollup?.match(/^Pss:\s+(\d+) kB/m)?.[1];
  if (pss !== undefined) return Number(pss);
  const [, resident, shared] = (await readProc(pid, "statm"))?.split(" ") ?? [];
  if (resident === undefined || shared === undefined) return null;
  return (Number(resident) - Number(shared)) * PAGE_KB;
}

function readProc(pid: number, file: string): Promise<string | null> {
  return readFile(`/proc/${pid}/${file}`, "utf8").catch(() => null);
}

const KILL_TIMEOUT_MS = 3_000;
const POLL_MS = 10;

/** The processes of a tree, to make sure later that all of them have ended. */
export async function snapshotTree(root: number): Promise<Map<number, string>> {
  const tree = new Map<number, string>();
  for (const pid of await processTree(root)) {
    const start = await processStart(pid);
    if (start !== null) tree.set(pid, start);
  }
  return tree;
}

/** Kills what is left of a tree and waits until it has ended; reused pids are left alone. */
export async function killTree(tree: Map<number, string>): Promise<void> {
  const until = clock.now() + KILL_TIMEOUT_MS;
  for (const [pid, start] of tree)
    while ((await processStart(pid)) === start && clock.now() < until) {
      signal(pid);
      await clock.sleep(POLL_MS);
    }
}

/** Kills a process group if it exists. */
export function killGroup(leader: number): void {
  signal(-leader);
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

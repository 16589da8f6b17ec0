import { setTimeout as wait } from "node:timers/promises";
import { processStart, processTree } from "./process-tree.js";

const GONE_MS = 3_000;
const LOOK_MS = 10;

/** A process tree as it was, to be sure later that all of it is gone. */
export async function rememberTree(root: number): Promise<Map<number, string>> {
  const tree = new Map<number, string>();
  for (const pid of await processTree(root)) {
    const start = await processStart(pid);
    if (start !== null) tree.set(pid, start);
  }
  return tree;
}

/** Kills what is left of a remembered tree and waits until it is gone; a pid used again is left alone. */
export async function endTree(tree: Map<number, string>): Promise<void> {
  const until = Date.now() + GONE_MS;
  for (const [pid, start] of tree)
    while ((await processStart(pid)) === start && Date.now() < until) {
      signal(pid);
      await wait(LOOK_MS);
    }
}

/** Kills a process group; none there is no error. */
export function killGroup(leader: number): void {
  signal(-leader);
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It was gone before.
  }
}

import { readdir, readFile } from "node:fs/promises";

interface Process {
  pid: number;
  parent: number;
  state: string;
  command: string;
}

/** The process and all below it. */
export async function getTree(root: number): Promise<number[]> {
  return (await treeBelow(root)).map(({ pid }) => pid);
}

/** The processes that lay out pages, below a browser. */
export async function pageProcesses(browser: number): Promise<number[]> {
  const tree = await treeBelow(browser);
  return tree
    .filter(({ command }) => command.includes("--type=renderer"))
    .map(({ pid }) => pid);
}

/** Those that are still there. */
export async function living(pids: readonly number[]): Promise<number[]> {
  const all = await allProcesses();
  return all.map(({ pid }) => pid).filter((pid) => pids.includes(pid));
}

async function treeBelow(root: number): Promise<Process[]> {
  const all = await allProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree)
    tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

async function allProcesses(): Promise<Process[]> {
  const entries = await readdir("/proc");
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(describeProcess));
  return found
    .filter((one) => one !== null)
    .filter(({ state }) => state !== "Z");
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

import { readFile } from "node:fs/promises";
import {
  processTree,
  treePssMb,
} from "../core/rendering/browser/process-tree.js";

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/** CPU time that process trees have used so far, of ended children too, in ms. */
export async function treeCpuMs(roots: readonly number[]): Promise<number> {
  const trees = await Promise.all(roots.map(processTree));
  const ticks = await Promise.all([...new Set(trees.flat())].map(cpuTicks));
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}

/** Memory of process trees in MB, shared pages counted by their share. */
export async function treesPssMb(roots: readonly number[]): Promise<number> {
  const sizes = await Promise.all(roots.map(treePssMb));
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** User and system time of a process and of the children that it has waited for. */
async function cpuTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields
    .slice(11, 15)
    .map(Number)
    .reduce((sum, one) => sum + one, 0);
}

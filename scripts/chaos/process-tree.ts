import { readdir, readFile } from "node:fs/promises";

/** A process that cannot be mistaken for a later one with the same id. */
export interface ProcessMark {
  pid: number;
  /** Since the machine's start, in its clock's ticks. */
  startedAt: string;
  parent: number;
  isZombie: boolean;
}

/** The process and all below it. */
export async function treeOf(root: number): Promise<ProcessMark[]> {
  const all = await allProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree)
    tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/** Those that still run. What nobody has reaped yet runs no more. */
export async function living(
  marks: readonly ProcessMark[],
): Promise<ProcessMark[]> {
  const all = await allProcesses();
  const isSame = (a: ProcessMark, b: ProcessMark) =>
    a.pid === b.pid && a.startedAt === b.startedAt;
  return all.filter(
    (one) => !one.isZombie && marks.some((mark) => isSame(mark, one)),
  );
}

async function allProcesses(): Promise<ProcessMark[]> {
  const names = await readdir("/proc");
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marks = await Promise.all(pids.map(markOf));
  return marks.filter((mark) => mark !== null);
}

/** Null: it ended meanwhile. See proc(5) for the fields, which are counted from behind the name. */
async function markOf(pid: number): Promise<ProcessMark | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    parent: Number(fields[1]),
    isZombie: fields[0] === "Z",
    startedAt: fields[19] ?? "",
  };
}

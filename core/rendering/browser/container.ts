import { readFile } from "node:fs/promises";
import { exists } from "./unpack-once.js";

const MARKS = ["/.dockerenv", "/run/.containerenv"];

/** True inside Docker, Podman, LXC and Kubernetes: the root of the file system is a layer, or the runtime left its mark. */
export async function isContainer(): Promise<boolean> {
  for (const mark of MARKS) if (await exists(mark)) return true;
  const mounts = await readFile("/proc/self/mounts", "utf8").catch(() => "");
  if (/^\S+ \/ (overlay|fuse\.overlayfs) /m.test(mounts)) return true;
  const init = await readFile("/proc/1/environ", "utf8").catch(() => "");
  return init.split("\0").some((entry) => entry.startsWith("container="));
}

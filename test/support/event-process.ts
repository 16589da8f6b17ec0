import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { DatabaseLocation } from "../../core/store/index.js";

/** Starts a process that makes deliveries; resolves when it works. The function ends it as by a power cut. */
export async function startEventProcess(
  location: DatabaseLocation,
): Promise<() => Promise<void>> {
  const main = new URL("event-process-main.ts", import.meta.url).pathname;
  const args = ["--import", "tsx", main, JSON.stringify(location)];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  await once(createInterface(child.stdout), "line");
  return async () => {
    child.kill("SIGKILL");
    await ended;
  };
}

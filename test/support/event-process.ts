import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { DatabaseLocation } from "../../core/storage/database/index.js";
import { partArguments } from "./program-arguments.js";

/** Starts a process that makes deliveries; resolves when it works. The function ends it as by a power cut. */
export async function startEventProcess(
  location: DatabaseLocation,
): Promise<() => Promise<void>> {
  const args = [
    ...partArguments("event-process-main"),
    JSON.stringify(location),
  ];
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

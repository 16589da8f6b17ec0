import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { DatabaseLocation } from "../../core/storage/database/index.js";
import { partArguments } from "./program-arguments.js";

export interface StoreProcess {
  firstLine: Promise<string>;
  ended: Promise<{ code: number | null; lines: string[] }>;
  /** At once, as by a power cut (SIGKILL). */
  kill(): void;
}

/** Starts a process of its own on the database; `act` is one of store-process-main.ts. */
export function startStoreProcess(
  act: "migrate" | "write-and-hang",
  location: DatabaseLocation,
): StoreProcess {
  const args = [
    ...partArguments("store-process-main"),
    act,
    JSON.stringify(location),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on("line", (line) =>
    lines.push(line),
  );
  const firstLine = once(reader, "line").then(() => lines[0] ?? "");
  firstLine.catch(() => undefined);
  const ended = once(child, "close").then(() => ({
    code: child.exitCode,
    lines,
  }));
  return { firstLine, ended, kill: () => child.kill("SIGKILL") };
}

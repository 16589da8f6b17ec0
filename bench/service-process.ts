import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const CLI = new URL("../dist/core/cli/main.js", import.meta.url).pathname;

/** The command of the process that does everything, or of those that share it out. */
const COMMANDS = { all: "start", serve: "serve", worker: "worker" } as const;

/** A process of the built service, once it is ready. */
export interface ServiceProcess {
  pid: number;
  url: string;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts it with these variables and no others of ours, on any free port. */
export async function startProcess(
  role: keyof typeof COMMANDS,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [CLI, COMMANDS[role]], {
    env: {
      ...environmentOfOthers(),
      PLATEN_PORT: "0",
      PLATEN_LOG_FORMAT: "json",
      ...env,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await readyUrl(child);
  return { pid: child.pid ?? 0, url, stop: () => stop(child) };
}

function environmentOfOthers(): Record<string, string | undefined> {
  const others = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("PLATEN_"),
  );
  return Object.fromEntries(others);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** The address stands in the line that says that the service is ready. */
async function readyUrl({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("the process has no output");
  const seen: string[] = [];
  const lines = createInterface({ input: stdout });
  const ready = new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      if (seen.length < 50) seen.push(line);
      if (line.includes('"platen is ready"')) resolve(urlOf(line));
    });
    lines.once("close", () => {
      reject(new Error(`the service did not start:\n${seen.join("\n")}`));
    });
  });
  const url = await ready;
  lines.close();
  stdout.resume();
  return url;
}

function urlOf(line: string): string {
  const { url }: { url: string } = JSON.parse(line);
  return url;
}

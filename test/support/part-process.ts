import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after } from "mocha";
import { z } from "zod";
import { programArguments } from "./program-arguments.js";

/** A part of the service in a process of its own, as `platen serve` and `platen worker` run it. */
export interface PartProcess {
  /** Once it is ready. */
  ready: Promise<{ url: string }>;
  /** Its exit code; null when it was killed. */
  ended: Promise<number | null>;
  kill(signal: "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
}

const readyLine = z.looseObject({
  msg: z.literal("platen is ready"),
  url: z.string(),
});

/** Starts it with these variables and no others of ours; whatever still runs at the suite's end is killed. */
export function startPart(
  command: "serve" | "worker",
  env: Record<string, string>,
): PartProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("PLATEN_"),
  );
  const child = spawn(
    process.execPath,
    [...programArguments("core/cli/main"), command],
    {
      env: {
        ...Object.fromEntries(inherited),
        PLATEN_LOG_FORMAT: "json",
        PLATEN_PORT: "0",
        ...env,
      },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const ended = once(child, "close").then(() => child.exitCode);
  const kill = (signal: NodeJS.Signals) => void child.kill(signal);
  after(async () => {
    kill("SIGKILL");
    await ended;
  });
  return { ready: readyOf(child), ended, kill };
}

function readyOf(child: ChildProcess): Promise<{ url: string }> {
  const { stdout } = child;
  if (!stdout) throw new Error("the process has no output");
  const ready = new Promise<{ url: string }>((resolve, reject) => {
    createInterface(stdout).on("line", (line) => {
      const parsed = readyLine.safeParse(JSON.parse(line));
      if (parsed.success) resolve(parsed.data);
    });
    child.once("close", () => reject(new Error("it ended too early")));
  });
  ready.catch(() => undefined);
  return ready;
}

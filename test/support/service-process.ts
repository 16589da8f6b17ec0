import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { z } from "zod";

/** A service in a process of its own, as people run it. */
export interface ServiceProcess {
  pid: number;
  /** Once it is ready; rejects when it ends before. */
  url: Promise<string>;
  /** The lines of its log so far. */
  log: readonly LogLine[];
  ended: Promise<Ended>;
  /** Sends the signal and waits for the end. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<Ended>;
  kill(signal: "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
}

interface Ended {
  code: number | null;
  /** All that it said there. */
  stderr: string;
}

export interface LogLine extends Record<string, unknown> {
  msg: string;
}

const logLine = z.looseObject({ msg: z.string() });
const readyLine = z.looseObject({
  msg: z.literal("platen is ready"),
  url: z.string(),
});

/** Those that the running test has started; null outside of a test. */
let ofTest: ServiceProcess[] | null = null;

/** Around each test. */
export const serviceProcessHooks = {
  beforeEach(): void {
    ofTest = [];
  },
  async afterEach(): Promise<void> {
    const started = ofTest ?? [];
    ofTest = null;
    await Promise.all(started.map((one) => one.end("SIGKILL")));
  },
};

/**
 * Starts it with these variables and no others of ours, and without a demo unless they say so. What a test has started is
 * killed at its end, the rest at the end of the file.
 */
export function startServiceProcess(
  env: Record<string, string>,
  command: "start" | "serve" | "worker" = "start",
  ...options: readonly string[]
): ServiceProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("PLATEN_"),
  );
  const child = spawn(
    process.execPath,
    [...programArguments("core/cli/main"), command, ...options],
    {
      env: {
        ...Object.fromEntries(inherited),
        PLATEN_LOG_FORMAT: "json",
        PLATEN_DEMO: "off",
        PLATEN_PORT: "0",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const stderr = text(child.stderr);
  const ended = once(child, "close").then(async () => ({
    code: child.exitCode,
    stderr: await stderr,
  }));
  const log: LogLine[] = [];
  const ready = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const entry: unknown = JSON.parse(line);
      log.push(logLine.parse(entry));
      const parsed = readyLine.safeParse(entry);
      if (parsed.success) resolve(parsed.data.url);
    });
    ended.then(
      ({ stderr: said }) => reject(new Error(`it ended: ${said}`)),
      reject,
    );
  });
  ready.catch(() => undefined);
  const kill = (signal: NodeJS.Signals) => void child.kill(signal);
  const end: ServiceProcess["end"] = (signal) => {
    kill(signal);
    return ended;
  };
  const started = { pid: child.pid ?? 0, url: ready, log, ended, kill, end };
  if (ofTest) ofTest.push(started);
  else after(() => end("SIGKILL"));
  return started;
}

/** A program of the service, by the path of its source without the ending. */
type ProgramPath = "core/cli/main";

/**
 * What Node runs for it: the built program within `npm test`, which has built it just before and starts it in half the
 * time; the source otherwise, which may be newer than what is built.
 */
export function programArguments(path: ProgramPath): string[] {
  const [file, ...loading] =
    process.env.PLATEN_TEST_BUILT === "1"
      ? [`dist/${path}.js`, "--enable-source-maps"]
      : [`${path}.ts`, "--import", "tsx"];
  return [...loading, "--import", locate("fast-clock"), file];
}

/** What Node runs for a program of the tests' own that lies beside this file: compiled, when this file is. */
export function partArguments(name: string): string[] {
  const loading = import.meta.url.endsWith(".ts") ? ["--import", "tsx"] : [];
  return [...loading, "--import", locate("fast-clock"), locate(name)];
}

function locate(name: string): string {
  const url = new URL(name + import.meta.url.slice(-3), import.meta.url);
  return fileURLToPath(url);
}

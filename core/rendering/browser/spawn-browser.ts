import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import type { BrowserHome } from "./browser-home.js";
import { CdpPipe } from "./cdp-pipe.js";

const STDERR_KEPT = 4_000;

export interface SpawnedBrowser {
  pid: number;
  pipe: CdpPipe;
  /** Settles when the process is gone. */
  exited: Promise<unknown>;
  /** The last that it said. */
  lastWords(): string;
}

/** Sets the limit of memory for itself and what it starts, and becomes the browser: Node cannot set one. */
const WITH_MEMORY_LIMIT = 'ulimit -d "$0"; exec "$@"';

/**
 * Starts Chromium with descriptors 3 and 4 as its DevTools pipe, in a process group of its own (so that Ctrl-C
 * reaches only us, and the whole group can be killed), as its own user and with an environment of its own.
 * Each of its processes gets no more than so much memory and ends when it asks for more, as a page's process does
 * whose document is too large, alone.
 */
export async function spawnBrowser(
  home: BrowserHome,
  profile: string,
  flags: readonly string[],
  pageMemoryMb: number,
): Promise<SpawnedBrowser> {
  const { executable, user } = home;
  if (user) await chown(profile, user.uid, user.gid);
  const limit = String(pageMemoryMb * 1024);
  const command = ["-c", WITH_MEMORY_LIMIT, limit, executable, ...flags];
  const child = spawn("/bin/sh", command, {
    cwd: profile,
    detached: true,
    env: environment(home, profile),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    ...user,
  });
  await once(child, "spawn");
  return describe(child);
}

function describe(child: ChildProcess): SpawnedBrowser {
  const { pid } = child;
  const [, , stderr, input, output] = child.stdio;
  if (!(input instanceof Writable && output instanceof Readable && pid))
    throw new TypeError("the browser has no pipe");
  let words = "";
  stderr?.on("data", (text: Buffer) => {
    words = (words + text.toString()).slice(-STDERR_KEPT);
  });
  return {
    pid,
    pipe: new CdpPipe(input, output),
    exited: once(child, "exit"),
    lastWords: () => words.trim(),
  };
}

function environment(home: BrowserHome, profile: string): NodeJS.ProcessEnv {
  return {
    FONTCONFIG_FILE: home.fontConfig,
    HOME: profile,
    LANG: "C.UTF-8",
    TMPDIR: profile,
    TZ: "UTC",
    XDG_CACHE_HOME: profile,
    XDG_CONFIG_HOME: profile,
    ...(home.libraries ? { LD_LIBRARY_PATH: home.libraries } : {}),
  };
}

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown } from "node:fs/promises";
import type { BrowserHome } from "./browser-home.js";

export type SpawnedBrowser = ChildProcess & { pid: number };

/**
 * Starts Chromium with descriptors 3 and 4 as its DevTools pipe, in a process group of its own (so that Ctrl-C
 * reaches only us, and the whole group can be killed), as its own user and with an environment of its own.
 * @throws Error when the program cannot be run.
 */
export async function spawnBrowser(
  home: BrowserHome,
  profile: string,
  flags: readonly string[],
): Promise<SpawnedBrowser> {
  const { executable, user } = home;
  if (user) await chown(profile, user.uid, user.gid);
  const child = spawn(executable, flags, {
    cwd: profile,
    detached: true,
    env: environment(home, profile),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    ...(user ?? {}),
  });
  await once(child, "spawn");
  return child as SpawnedBrowser;
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

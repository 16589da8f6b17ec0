import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm, statfs, chown, readFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { PlatenError, type Log } from "../../plugin-api/index.js";
import type { SandboxSetting } from "../settings.js";
import { withinTime } from "../time-limit.js";
import {
  type BrowserInstallation,
  makeOwnedFolder,
  isRoot,
  exists,
} from "./browser-installation.js";
import {
  type CdpEvent,
  type CdpMethod,
  type CdpParams,
  CdpPipe,
  type CdpResult,
  CdpSession,
} from "./cdp.js";
import {
  killTree,
  killGroup,
  snapshotTree,
  treePssMb,
} from "./process-tree.js";

const RESPONSE_TIMEOUT_MS = 5_000;
const EXIT_GRACE_MS = 2_000;

interface LaunchOptions {
  purpose: BrowserPurpose;
  isSandboxed: boolean;
  /** The most that one of its processes may take, in MB. */
  pageMemoryMb: number;
  /** How long it may take to answer for the first time. */
  startMs: number;
}

/** One running Chromium with its profile folder. It never outlives this process: see `CdpPipe`. */
export class BrowserProcess {
  /** Settles when the process is gone. */
  readonly ended: Promise<void>;
  readonly #pipe: CdpPipe;
  readonly #pages = new Map<string, CdpSession>();
  /** Pages that have cookies, storage and caches of their own, by session, with what these are kept in. */
  readonly #contexts = new Map<string, string>();
  #version = "";
  /** The page that every browser starts with, until somebody takes it. */
  #firstPage: string | null = null;
  #isStopping = false;
  #hasHung = false;
  #isRetired = false;
  #jobs = 0;

  private constructor(
    private readonly spawned: SpawnedBrowser,
    private readonly profile: string,
    readonly purpose: BrowserPurpose,
    readonly isSandboxed: boolean,
  ) {
    this.#pipe = spawned.pipe;
    this.#pipe.listen(undefined, (event) => this.#hear(event));
    this.ended = spawned.exited.then(() => this.#bury());
  }

  /** @throws Error, with Chromium's own last words, when it does not come up. */
  static async launch(
    home: BrowserInstallation,
    { purpose, isSandboxed, pageMemoryMb, startMs }: LaunchOptions,
  ): Promise<BrowserProcess> {
    const profile = await makeOwnedFolder(home.profiles, "profile");
    const flags = await getBrowserFlags(purpose, profile, isSandboxed);
    const spawned = await spawnBrowser(
      home,
      profile,
      flags,
      pageMemoryMb,
    ).catch(async (error: unknown) => {
      await rm(profile, { recursive: true, force: true });
      throw error;
    });
    const browser = new BrowserProcess(spawned, profile, purpose, isSandboxed);
    try {
      await browser.#greet(startMs);
      return browser;
    } catch (error) {
      await browser.stop();
      throw new Error(spawned.lastOutput() || "no answer", { cause: error });
    }
  }

  get version(): string {
    return this.#version;
  }

  get pid(): number {
    return this.spawned.pid;
  }

  /** True as soon as it can be of no more use; `ended` may come a moment later. */
  get hasEnded(): boolean {
    return this.#pipe.isClosed;
  }

  /** True when its end was asked for. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** True when it was killed because it did not answer. */
  get hasHung(): boolean {
    return this.#hasHung;
  }

  /** The last that it said on its way. */
  get lastOutput(): string {
    return this.spawned.lastOutput();
  }

  /** Counts a job that must not lose this browser to `retire`. */
  beginJob(): void {
    this.#jobs += 1;
  }

  endJob(): void {
    this.#jobs -= 1;
    if (this.#isRetired) this.retire();
  }

  /** Stops as soon as no job uses it. */
  retire(): void {
    this.#isRetired = true;
    if (this.#jobs === 0) void this.stop();
  }

  /** A blank page, in a renderer process of its own. */
  async openPage(): Promise<CdpSession> {
    const targetId = this.#firstPage ?? (await this.#createPage());
    this.#firstPage = null;
    return this.#attach(targetId);
  }

  /** A blank page that shares nothing with any other: its storage, caches and process go when it is closed. */
  async openOwnPage(): Promise<CdpSession> {
    const { browserContextId } = await this.#ask(
      "Target.createBrowserContext",
      { disposeOnDetach: true },
    );
    const targetId = await this.#createPage(browserContextId);
    const page = await this.#attach(targetId);
    this.#contexts.set(page.sessionId, browserContextId);
    return page;
  }

  /** Ends a page whatever it does; its renderer process goes with it. */
  async closePage({ sessionId, targetId }: CdpSession): Promise<void> {
    const browserContextId = this.#contexts.get(sessionId);
    this.#losePage(sessionId, "the page was closed");
    if (this.hasEnded) return;
    if (browserContextId === undefined)
      await this.#ask("Target.closeTarget", { targetId });
    else await this.#ask("Target.disposeBrowserContext", { browserContextId });
  }

  pssMb(): Promise<number | null> {
    return treePssMb(this.pid);
  }

  /** Asks it to go, then makes it; when this returns, no process and no folder is left. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const tree = await snapshotTree(this.pid);
    this.#pipe.send("Browser.close", undefined).catch(ignore);
    await withinTime(this.ended, EXIT_GRACE_MS, "closing").catch(ignore);
    killGroup(this.pid);
    await this.ended;
    await killTree(tree);
    await rm(this.profile, { recursive: true, force: true });
  }

  async #greet(startMs: number): Promise<void> {
    const answers = Promise.all([
      this.#pipe.send("Browser.getVersion", undefined),
      this.#pipe.send("Target.getTargets", {}),
    ]);
    const [{ product }, { targetInfos }] = await withinTime(
      answers,
      startMs,
      "starting",
    );
    this.#version = product;
    const first = targetInfos.find(({ type }) => type === "page");
    this.#firstPage = first?.targetId ?? null;
  }

  async #createPage(browserContextId?: string): Promise<string> {
    const place = browserContextId === undefined ? {} : { browserContextId };
    const params = { url: "about:blank", ...place };
    return (await this.#ask("Target.createTarget", params)).targetId;
  }

  async #attach(targetId: string): Promise<CdpSession> {
    const { sessionId } = await this.#ask("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
    const page = new CdpSession(this.#pipe, sessionId, targetId);
    this.#pages.set(sessionId, page);
    return page;
  }

  /** A browser that does not answer for its own affairs is of no use to anybody: it is killed, and then replaced. */
  async #ask<M extends CdpMethod>(
    method: M,
    params: CdpParams<M>[0],
  ): Promise<CdpResult<M>> {
    const answer = this.#pipe.send(method, params);
    try {
      return await withinTime(answer, RESPONSE_TIMEOUT_MS, method);
    } catch (error) {
      if (error instanceof PlatenError && error.code === "unavailable") {
        this.#hasHung = true;
        killGroup(this.pid);
      }
      throw error;
    }
  }

  #hear({ method, params }: CdpEvent): void {
    if (method === "Target.detachedFromTarget" && params.sessionId)
      this.#losePage(params.sessionId, "the page is gone");
  }

  #losePage(sessionId: string, reason: string): void {
    this.#pages.get(sessionId)?.lose(reason);
    this.#pages.delete(sessionId);
    this.#contexts.delete(sessionId);
  }

  async #bury(): Promise<void> {
    this.#pipe.close("the browser ended");
    for (const id of this.#pages.keys())
      this.#losePage(id, "the browser ended");
    killGroup(this.pid);
    await rm(this.profile, { recursive: true, force: true });
  }
}

function ignore(): void {
  // Whether it answered makes no difference: it is ended in any case.
}

/** What a browser is for: prints and pictures want different compositing. */
export type BrowserPurpose = "print" | "screenshot";

/** Below this, Chromium's shared memory does not fit /dev/shm (64 MB in a container) and pages crash. */
const SHARED_MEMORY_BYTES = 512 * 1024 * 1024;

/**
 * Two independent walls against the network stand here: no name resolves, and every connection goes to a proxy
 * that is not there, loopback included. The third, a content security policy, is set by `IsolatedPage`.
 */
const NO_NETWORK = [
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--dns-prefetch-disable",
  "--no-pings",
];

const PLAIN = [
  "--headless",
  "--remote-debugging-pipe",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-breakpad",
  "--disable-crash-reporter",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-gpu",
  "--disable-software-rasterizer",
  "--disable-hang-monitor",
  "--disable-popup-blocking",
  "--disable-prompt-on-repost",
  "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider",
  "--enable-features=NetworkServiceInProcess2", // one process less, for a network that is not there
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
  "--hide-scrollbars",
  "--metrics-recording-only",
  "--mute-audio",
  "--password-store=basic",
  "--use-mock-keychain",
];

/** A fifth faster to print; but animation frames and screenshots hang with it. */
const PRINT_ONLY = [
  "--disable-threaded-compositing",
  "--disable-threaded-animation",
];

async function getBrowserFlags(
  purpose: BrowserPurpose,
  profile: string,
  isSandboxed: boolean,
): Promise<string[]> {
  return [
    ...PLAIN,
    ...NO_NETWORK,
    ...(purpose === "print" ? PRINT_ONLY : []),
    ...(isSandboxed ? [] : ["--no-sandbox"]),
    ...((await hasSharedMemory()) ? [] : ["--disable-dev-shm-usage"]),
    `--user-data-dir=${profile}`,
    "about:blank",
  ];
}

async function hasSharedMemory(): Promise<boolean> {
  const size = await statfs("/dev/shm").catch(() => null);
  return size !== null && size.bavail * size.bsize >= SHARED_MEMORY_BYTES;
}

const MAX_OUTPUT_CHARACTERS = 4_000;

interface SpawnedBrowser {
  pid: number;
  pipe: CdpPipe;
  /** Settles when the process is gone. */
  exited: Promise<unknown>;
  /** The last that it said. */
  lastOutput(): string;
}

/** Sets the limit of memory for itself and what it starts, and becomes the browser: Node cannot set one. */
const MEMORY_LIMIT_SCRIPT = 'ulimit -d "$0"; exec "$@"';

/**
 * Starts Chromium with descriptors 3 and 4 as its DevTools pipe, in a process group of its own (so that Ctrl-C
 * reaches only us, and the whole group can be killed), as its own user and with an environment of its own.
 * Each of its processes gets no more than so much memory and ends when it asks for more, as a page's process does
 * whose document is too large, alone.
 */
async function spawnBrowser(
  home: BrowserInstallation,
  profile: string,
  flags: readonly string[],
  pageMemoryMb: number,
): Promise<SpawnedBrowser> {
  const { executable, user } = home;
  if (user) await chown(profile, user.uid, user.gid);
  const limit = String(pageMemoryMb * 1024);
  const command = ["-c", MEMORY_LIMIT_SCRIPT, limit, executable, ...flags];
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
    words = (words + text.toString()).slice(-MAX_OUTPUT_CHARACTERS);
  });
  return {
    pid,
    pipe: new CdpPipe(input, output),
    exited: once(child, "exit"),
    lastOutput: () => words.trim(),
  };
}

function environment(
  home: BrowserInstallation,
  profile: string,
): NodeJS.ProcessEnv {
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

export interface LaunchSettings {
  purpose: BrowserPurpose;
  sandbox: SandboxSetting;
  /** The most that one process of the browser may take, in MB. */
  pageMemoryMb: number;
  /** How long one may take to answer for the first time. */
  startMs: number;
  log: Log;
}

/**
 * Launches with Chromium's sandbox on. Without it only by setting, or for root in a container that allows no
 * sandbox; the log always says which it is. @throws PlatenError `unavailable`.
 */
export async function launchBrowser(
  home: BrowserInstallation,
  settings: LaunchSettings,
): Promise<BrowserProcess> {
  try {
    const browser = await launchAllowed(home, settings);
    const { purpose, version, isSandboxed, pid } = browser;
    const { executable, user } = home;
    settings.log.info(
      { purpose, version, isSandboxed, pid, executable, uid: user?.uid },
      `browser started, sandbox ${isSandboxed ? "on" : "OFF"}`,
    );
    return browser;
  } catch (error) {
    throw createStartError(home, error);
  }
}

async function launchAllowed(
  home: BrowserInstallation,
  settings: LaunchSettings,
): Promise<BrowserProcess> {
  const { sandbox, log } = settings;
  const sandboxed = { ...settings, isSandboxed: true };
  const bare = { ...settings, isSandboxed: false };
  if (sandbox === "off") return BrowserProcess.launch(home, bare);
  try {
    return await BrowserProcess.launch(home, sandboxed);
  } catch (error) {
    const mayGoWithout =
      sandbox === "auto" && isRoot() && (await isContainer());
    if (!mayGoWithout || isTimeout(error)) throw error;
    log.warn(
      { reason: getMessage(error) },
      "this container allows no browser sandbox: starting without it",
    );
    return await launchUnsandboxed(home, bare);
  }
}

/** A container may forbid even the change of user. */
async function launchUnsandboxed(
  home: BrowserInstallation,
  bare: LaunchOptions,
): Promise<BrowserProcess> {
  try {
    return await BrowserProcess.launch(home, bare);
  } catch {
    return BrowserProcess.launch({ ...home, user: null }, bare);
  }
}

/** One that starts and does not answer in time would be no quicker without a sandbox. */
function isTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof PlatenError && cause.code === "unavailable";
}

function createStartError(
  home: BrowserInstallation,
  error: unknown,
): PlatenError {
  if (error instanceof PlatenError) return error;
  const words = getMessage(error);
  const hint = /sandbox/i.test(words)
    ? "Its sandbox is not allowed here: allow unprivileged user namespaces, or set PLATEN_CHROMIUM_SANDBOX=off."
    : "Check PUPPETEER_EXECUTABLE_PATH, and that the system has the libraries that Chromium needs.";
  return new PlatenError(
    "unavailable",
    `The browser that prints documents does not start (${home.executable}). ${hint}`,
    { cause: words },
  );
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const MARKS = ["/.dockerenv", "/run/.containerenv"];

/** True inside Docker, Podman, LXC and Kubernetes: the root of the file system is a layer, or the runtime left its mark. */
async function isContainer(): Promise<boolean> {
  for (const mark of MARKS) if (await exists(mark)) return true;
  const mounts = await readFile("/proc/self/mounts", "utf8").catch(() => "");
  if (/^\S+ \/ (overlay|fuse\.overlayfs) /m.test(mounts)) return true;
  const init = await readFile("/proc/1/environ", "utf8").catch(() => "");
  return init.split("\0").some((entry) => entry.startsWith("container="));
}

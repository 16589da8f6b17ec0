import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, statfs, chown, readFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import type { Connection } from "puppeteer-core/internal/cdp/Connection.js";
import { clock } from "../../lib/clock.js";
import { raceWithAbort } from "../../lib/race-with-abort.js";
import { PlatenError, type Log } from "../../plugin-api/index.js";
import {
  type BrowserInstallation,
  makeOwnedFolder,
  isRoot,
  exists,
} from "./browser-installation.js";
import {
  type CdpMethod,
  type CdpParams,
  type CdpResult,
  connectToBrowser,
  PageSession,
  PipeTransport,
  toRenderError,
} from "./cdp.js";
import {
  killTree,
  killGroup,
  snapshotTree,
  treePssMb,
} from "./process-tree.js";

const RESPONSE_TIMEOUT_MS = 5_000;
const EXIT_GRACE_MS = 2_000;

type LaunchOptions = Omit<LaunchSettings, "sandbox" | "log"> & {
  isSandboxed: boolean;
};

/** One running Chromium with its profile folder. It never outlives this process: see `PipeTransport`. */
export class BrowserProcess {
  /** Settles when the process is gone. */
  readonly ended: Promise<void>;
  version = "";
  /** The page that every browser starts with, until it is used. */
  #firstPage: string | null = null;
  /** True when it was stopped on purpose. */
  isStopping = false;
  /** True when it was killed because it did not respond. */
  hasHung = false;
  #isRetired = false;
  #jobs = 0;
  /** How long it may take for its own work. Until it has its first page, as long as for its start. */
  #responseMs: number;

  private constructor(
    private readonly spawned: SpawnedBrowser,
    private readonly connection: Connection,
    private readonly profile: string,
    readonly purpose: BrowserPurpose,
    readonly isSandboxed: boolean,
    startMs: number,
  ) {
    this.#responseMs = startMs;
    this.ended = spawned.exited.then(() => this.#cleanUp());
  }

  /** @throws Error with Chromium's last output when it does not start. */
  static async launch(
    installation: BrowserInstallation,
    { purpose, isSandboxed, pageMemoryMb, startMs }: LaunchOptions,
  ): Promise<BrowserProcess> {
    const profile = await makeOwnedFolder(installation.profiles, "profile");
    const flags = await getBrowserFlags(purpose, profile, isSandboxed);
    const spawned = await spawnBrowser(
      installation,
      profile,
      flags,
      pageMemoryMb,
    ).catch(async (error: unknown) => {
      await rm(profile, { recursive: true, force: true });
      throw error;
    });
    const browser = new BrowserProcess(
      spawned,
      await connectToBrowser(spawned.transport),
      profile,
      purpose,
      isSandboxed,
      startMs,
    );
    try {
      await browser.#handshake();
      return browser;
    } catch (error) {
      await browser.stop();
      throw new Error(spawned.lastOutput() || "no response", { cause: error });
    }
  }

  get pid(): number {
    return this.spawned.pid;
  }

  /** True as soon as it is unusable; `ended` may resolve a moment later. */
  get hasEnded(): boolean {
    return this.spawned.transport.isClosed;
  }

  get lastOutput(): string {
    return this.spawned.lastOutput();
  }

  /** Whether another one was started in its place: it takes no further jobs. */
  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Counts a running job; `retire` waits for it. */
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

  /** Opens a blank page in its own renderer process. */
  async openPage(): Promise<PageSession> {
    const targetId = this.#firstPage ?? (await this.#createPage());
    this.#firstPage = null;
    return this.#attach(targetId);
  }

  /** Opens a blank page in its own browser context: its storage, caches and process end when it is closed. */
  async openOwnPage(): Promise<PageSession> {
    const { browserContextId } = await this.#send(
      "Target.createBrowserContext",
      { disposeOnDetach: true },
    );
    const targetId = await this.#createPage(browserContextId);
    return this.#attach(targetId, browserContextId);
  }

  /** Closes a page whatever it is doing; its renderer process ends too. */
  async closePage(page: PageSession): Promise<void> {
    const { targetId, browserContextId } = page;
    page.lose("it was closed");
    if (this.hasEnded) return;
    if (browserContextId === undefined)
      await this.#send("Target.closeTarget", { targetId });
    else await this.#send("Target.disposeBrowserContext", { browserContextId });
  }

  pssMb(): Promise<number | null> {
    return treePssMb(this.pid);
  }

  /** Asks the browser to close, then kills it; afterwards no process and no folder is left. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const tree = await snapshotTree(this.pid);
    this.connection.send("Browser.close").catch(ignore);
    await withinTime(this.ended, EXIT_GRACE_MS, "closing").catch(ignore);
    killGroup(this.pid);
    await this.ended;
    await killTree(tree);
    await rm(this.profile, { recursive: true, force: true });
  }

  async #handshake(): Promise<void> {
    const answers = Promise.all([
      this.connection.send("Browser.getVersion"),
      this.connection.send("Target.getTargets"),
    ]);
    const [{ product }, { targetInfos }] = await withinTime(
      answers,
      this.#responseMs,
      "starting",
    );
    this.version = product;
    const first = targetInfos.find(({ type }) => type === "page");
    this.#firstPage = first?.targetId ?? null;
  }

  async #createPage(browserContextId?: string): Promise<string> {
    const { targetId } = await this.#send("Target.createTarget", {
      url: "about:blank",
      ...(browserContextId !== undefined && { browserContextId }),
    });
    return targetId;
  }

  async #attach(
    targetId: string,
    browserContextId?: string,
  ): Promise<PageSession> {
    const attached = PageSession.attach(
      this.connection,
      targetId,
      browserContextId,
    );
    const page = await this.#withinResponseTime(
      attached,
      "Target.attachToTarget",
    );
    this.#responseMs = RESPONSE_TIMEOUT_MS;
    return page;
  }

  #send<M extends CdpMethod>(
    method: M,
    ...[params]: CdpParams<M>
  ): Promise<CdpResult<M>> {
    const answer = this.connection.send(method, params);
    return this.#withinResponseTime(answer, method);
  }

  /** A browser that does not respond to its own commands is killed, and then replaced. */
  async #withinResponseTime<T>(answer: Promise<T>, method: string): Promise<T> {
    try {
      return await withinTime(answer, this.#responseMs, method);
    } catch (error) {
      if (!(error instanceof PlatenError))
        throw toRenderError(error, this.hasEnded);
      this.hasHung = true;
      killGroup(this.pid);
      throw error;
    }
  }

  async #cleanUp(): Promise<void> {
    this.spawned.transport.close();
    killGroup(this.pid);
    await rm(this.profile, { recursive: true, force: true });
  }
}

function ignore(): void {
  // The browser is killed in any case.
}

/** Prints and screenshots need different compositing. */
export type BrowserPurpose = "print" | "screenshot";

/** Below this, Chromium's shared memory does not fit /dev/shm (64 MB in a container) and pages crash. */
const SHARED_MEMORY_BYTES = 512 * 1024 * 1024;

/**
 * Two independent barriers against network access: no name resolves, and every connection, loopback included, goes to a
 * proxy that does not exist. The third, a content security policy, is set by `IsolatedPage`.
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
  "--enable-features=NetworkServiceInProcess2", // one process less, since there is no network
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
  "--hide-scrollbars",
  "--metrics-recording-only",
  "--mute-audio",
  "--password-store=basic",
  "--use-mock-keychain",
];

/** Printing is 20% faster with these, but animation frames and screenshots hang. */
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
  transport: PipeTransport;
  /** Settles when the process is gone. */
  exited: Promise<unknown>;
  lastOutput(): string;
}

/**
 * Sets a memory limit and a low priority and then executes the browser, since Node cannot do so: pages that keep all cores
 * busy must not delay the thread that answers. Linux ranks a process group of its own by its autogroup.
 */
const LIMITS_SCRIPT =
  '{ echo 5 >/proc/self/autogroup; } 2>/dev/null; ulimit -d "$0"; exec nice -n 5 "$@"';

/**
 * Starts Chromium with descriptors 3 and 4 as its DevTools pipe, in its own process group (so that Ctrl-C
 * reaches only this process, and the whole group can be killed), with its own user and environment. A process that
 * exceeds the memory limit ends alone, for example that of a page whose document is too large.
 */
async function spawnBrowser(
  installation: BrowserInstallation,
  profile: string,
  flags: readonly string[],
  pageMemoryMb: number,
): Promise<SpawnedBrowser> {
  const { executable, user } = installation;
  if (user) await chown(profile, user.uid, user.gid);
  const limit = String(pageMemoryMb * 1024);
  const command = ["-c", LIMITS_SCRIPT, limit, executable, ...flags];
  const child = spawn("/bin/sh", command, {
    cwd: profile,
    detached: true,
    env: getEnvironment(installation, profile),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    ...user,
  });
  await once(child, "spawn");
  const { pid } = child;
  const [, , stderr, input, output] = child.stdio;
  if (!(input instanceof Writable && output instanceof Readable && pid))
    throw new TypeError("the browser process has no pipe");
  let text = "";
  stderr?.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS);
  });
  return {
    pid,
    transport: new PipeTransport(input, output),
    exited: once(child, "exit"),
    lastOutput: () => text.trim(),
  };
}

function getEnvironment(
  installation: BrowserInstallation,
  profile: string,
): NodeJS.ProcessEnv {
  return {
    FONTCONFIG_FILE: installation.fontConfig,
    HOME: profile,
    LANG: "C.UTF-8",
    TMPDIR: profile,
    TZ: "UTC",
    XDG_CACHE_HOME: profile,
    XDG_CONFIG_HOME: profile,
    ...(installation.libraries
      ? { LD_LIBRARY_PATH: installation.libraries }
      : {}),
  };
}

/** `on` or fail, `off`, or `auto`: on, except for root in a container that forbids it. */
export type SandboxSetting = "auto" | "on" | "off";

export interface LaunchSettings {
  purpose: BrowserPurpose;
  sandbox: SandboxSetting;
  /** Memory limit of each process of the browser, in MB. */
  pageMemoryMb: number;
  /** Time limit for its first response. */
  startMs: number;
  log: Log;
}

/**
 * Launches Chromium with its sandbox. The sandbox is off only by configuration, or for root in a container that does not
 * allow it; the log states which. @throws PlatenError `unavailable`.
 */
export async function launchBrowser(
  installation: BrowserInstallation,
  settings: LaunchSettings,
): Promise<BrowserProcess> {
  try {
    const browser = await launchAllowed(installation, settings);
    const { purpose, version, isSandboxed, pid } = browser;
    const { executable, user } = installation;
    settings.log.info(
      { purpose, version, isSandboxed, pid, executable, uid: user?.uid },
      `browser started, sandbox ${isSandboxed ? "on" : "OFF"}`,
    );
    return browser;
  } catch (error) {
    throw createStartError(installation, error);
  }
}

async function launchAllowed(
  installation: BrowserInstallation,
  settings: LaunchSettings,
): Promise<BrowserProcess> {
  const { sandbox, log } = settings;
  const sandboxed = { ...settings, isSandboxed: true };
  const bare = { ...settings, isSandboxed: false };
  if (sandbox === "off") return BrowserProcess.launch(installation, bare);
  try {
    return await BrowserProcess.launch(installation, sandboxed);
  } catch (error) {
    const mayGoWithout =
      sandbox === "auto" && isRoot() && (await isContainer());
    if (!mayGoWithout || isTimeout(error)) throw error;
    log.warn(
      { reason: getMessage(error) },
      "this container does not allow the browser sandbox: starting without it",
    );
    // A container may forbid even changing the user.
    return BrowserProcess.launch(installation, bare).catch(() =>
      BrowserProcess.launch({ ...installation, user: null }, bare),
    );
  }
}

/** A browser that did not respond in time would not be faster without a sandbox. */
function isTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof PlatenError && cause.code === "unavailable";
}

function createStartError(
  installation: BrowserInstallation,
  error: unknown,
): PlatenError {
  if (error instanceof PlatenError) return error;
  const output = getMessage(error);
  const hint = /sandbox/i.test(output)
    ? "Its sandbox is not permitted: allow unprivileged user namespaces, or set PLATEN_CHROMIUM_SANDBOX=off."
    : "Check PUPPETEER_EXECUTABLE_PATH, and that the system has the libraries which Chromium needs.";
  return new PlatenError(
    "unavailable",
    `The browser that prints documents does not start (${installation.executable}). ${hint}`,
    { cause: output },
  );
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const MARKS = ["/.dockerenv", "/run/.containerenv"];

/** Detects Docker, Podman, LXC and Kubernetes by an overlay root file system or the runtime's marker files. */
async function isContainer(): Promise<boolean> {
  for (const mark of MARKS) if (await exists(mark)) return true;
  const mounts = await readFile("/proc/self/mounts", "utf8").catch(() => "");
  if (/^\S+ \/ (overlay|fuse\.overlayfs) /m.test(mounts)) return true;
  const init = await readFile("/proc/1/environ", "utf8").catch(() => "");
  return init.split("\0").some((entry) => entry.startsWith("container="));
}

/** @throws PlatenError `unavailable` when the browser takes longer than `milliseconds` for its own work. */
export async function withinTime<T>(
  promise: Promise<T>,
  milliseconds: number,
  action: string,
): Promise<T> {
  promise.catch(() => null); // It may fail when no caller waits for it any more.
  const limit = new AbortController();
  const timer = clock.limit(milliseconds, () => limit.abort());
  try {
    return await raceWithAbort(
      () => promise,
      limit.signal,
      () =>
        new PlatenError(
          "unavailable",
          "The browser that prints documents does not respond. Try again in a moment.",
          { cause: `${action} took more than ${milliseconds} ms` },
        ),
    );
  } finally {
    timer.cancel();
  }
}

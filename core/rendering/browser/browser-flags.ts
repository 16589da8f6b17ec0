import { statfs } from "node:fs/promises";

/** What a browser is for: prints and pictures want different compositing. */
export type BrowserPurpose = "print" | "screenshot";

/** Below this, Chromium's shared memory does not fit /dev/shm (64 MB in a container) and pages crash. */
const SHARED_MEMORY_BYTES = 512 * 1024 * 1024;

/**
 * Two independent walls against the network stand here: no name resolves, and every connection goes to a proxy
 * that is not there, loopback included. The third, a content security policy, is set by `SealedPage`.
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

export async function browserFlags(
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

import { PlatenError, type Log } from "../../plugin-api/index.js";
import type { SandboxSetting } from "../settings.js";
import type { BrowserPurpose } from "./browser-flags.js";
import type { BrowserHome } from "./browser-home.js";
import { BrowserProcess, type LaunchTerms } from "./browser-process.js";
import { isRoot } from "./browser-user.js";
import { isContainer } from "./container.js";

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
  home: BrowserHome,
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
    throw startError(home, error);
  }
}

async function launchAllowed(
  home: BrowserHome,
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
    if (!mayGoWithout || isSilence(error)) throw error;
    log.warn(
      { reason: messageOf(error) },
      "this container allows no browser sandbox: starting without it",
    );
    return await launchUnsandboxed(home, bare);
  }
}

/** A container may forbid even the change of user. */
async function launchUnsandboxed(
  home: BrowserHome,
  bare: LaunchTerms,
): Promise<BrowserProcess> {
  try {
    return await BrowserProcess.launch(home, bare);
  } catch {
    return BrowserProcess.launch({ ...home, user: null }, bare);
  }
}

/** One that starts and does not answer in time would be no quicker without a sandbox. */
function isSilence(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof PlatenError && cause.code === "unavailable";
}

function startError(home: BrowserHome, error: unknown): PlatenError {
  if (error instanceof PlatenError) return error;
  const words = messageOf(error);
  const hint = /sandbox/i.test(words)
    ? "Its sandbox is not allowed here: allow unprivileged user namespaces, or set PLATEN_CHROMIUM_SANDBOX=off."
    : "Check PUPPETEER_EXECUTABLE_PATH, and that the system has the libraries that Chromium needs.";
  return new PlatenError(
    "unavailable",
    `The browser that prints documents does not start (${home.executable}). ${hint}`,
    { cause: words },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

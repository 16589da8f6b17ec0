import { PlatenError, type Log } from "../../contract/index.js";
import type { SandboxSetting } from "../settings.js";
import type { BrowserPurpose } from "./browser-flags.js";
import type { BrowserHome } from "./browser-home.js";
import { BrowserProcess } from "./browser-process.js";
import { isRoot } from "./browser-user.js";
import { isContainer } from "./container.js";

/**
 * Launches with Chromium's sandbox on. Without it only by setting, or for root in a container that allows no
 * sandbox; the log always says which it is. @throws PlatenError `unavailable`.
 */
export async function launchBrowser(
  home: BrowserHome,
  purpose: BrowserPurpose,
  sandbox: SandboxSetting,
  log: Log,
): Promise<BrowserProcess> {
  try {
    const browser = await launchAllowed(home, purpose, sandbox, log);
    const { version, isSandboxed, pid } = browser;
    const { executable, user } = home;
    log.info(
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
  purpose: BrowserPurpose,
  sandbox: SandboxSetting,
  log: Log,
): Promise<BrowserProcess> {
  if (sandbox === "off") return BrowserProcess.launch(home, purpose, false);
  try {
    return await BrowserProcess.launch(home, purpose, true);
  } catch (error) {
    const mayGoWithout =
      sandbox === "auto" && isRoot() && (await isContainer());
    if (!mayGoWithout) throw error;
    log.warn(
      { reason: messageOf(error) },
      "this container allows no browser sandbox: starting without it",
    );
    return await launchUnsandboxed(home, purpose);
  }
}

/** A container may forbid even the change of user. */
async function launchUnsandboxed(
  home: BrowserHome,
  purpose: BrowserPurpose,
): Promise<BrowserProcess> {
  try {
    return await BrowserProcess.launch(home, purpose, false);
  } catch {
    return BrowserProcess.launch({ ...home, user: null }, purpose, false);
  }
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

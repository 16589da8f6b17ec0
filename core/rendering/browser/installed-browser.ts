import { PlatenError } from "../../plugin-api/index.js";
import { exists } from "./unpack-once.js";

/** Fastest first: a headless shell prints faster than a whole browser. */
const INSTALLED = [
  "/usr/bin/chromium-headless-shell",
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** @throws PlatenError `unavailable` when none is installed. */
export async function findInstalledBrowser(): Promise<string> {
  for (const path of INSTALLED) if (await exists(path)) return path;
  throw new PlatenError(
    "unavailable",
    "No browser to print with: the shipped one runs on 64-bit Intel Linux only. " +
      "Install Chromium (Debian: apt-get install chromium-headless-shell) " +
      "or set PUPPETEER_EXECUTABLE_PATH to an installed one.",
  );
}

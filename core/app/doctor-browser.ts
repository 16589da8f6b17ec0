import type { Finding } from "../cli/services.js";
import { createConfiguredRenderer } from "../rendering/configured-renderer.js";
import { errorText } from "../plugin-api/index.js";
import type { DoctorContext } from "./doctor.js";
import { packageInfo } from "../lib/package-info.js";

const check = "browser";

/** Starts it as the service does, which prints a page with letters. */
export async function checkBrowser({
  config,
  log,
}: DoctorContext): Promise<Finding[]> {
  const renderer = createConfiguredRenderer(config, packageInfo(), log);
  try {
    await renderer.start();
    const { browser } = renderer.health();
    const version = browser?.version ?? "a browser";
    return browser?.isSandboxed === true
      ? [ok(`${version} prints with its sandbox and the shipped fonts`)]
      : [ok(`${version} prints with the shipped fonts`), withoutSandbox];
  } catch (error) {
    const fix =
      "Check PUPPETEER_EXECUTABLE_PATH if it is set, and the free space and permissions of .cache/render.";
    return [{ check, state: "fail", message: errorText(error), fix }];
  } finally {
    await renderer.stop();
  }
}

const withoutSandbox: Finding = {
  check,
  state: "warn",
  message: "The browser runs without its sandbox.",
  fix: "Allow user namespaces on this machine or container, and do not run as root; PLATEN_CHROMIUM_SANDBOX=on enforces the sandbox.",
};

function ok(message: string): Finding {
  return { check, state: "ok", message, fix: null };
}

import type { Finding } from "../cli/finding.js";
import { configuredRenderer } from "./configured-renderer.js";
import { errorText } from "../plugin-api/index.js";
import type { Patient } from "./doctor.js";
import { packageInfo } from "../lib/package-info.js";

const check = "browser";

/** Starts it as the service does, which prints a page with letters. */
export async function checkBrowser({
  config,
  log,
}: Patient): Promise<Finding[]> {
  const renderer = configuredRenderer(config, packageInfo(), log);
  try {
    await renderer.start();
    const { browser } = renderer.health();
    const version = browser?.version ?? "a browser";
    return browser?.isSandboxed === true
      ? [ok(`${version} prints, with its sandbox and our fonts`)]
      : [ok(`${version} prints, with our fonts`), withoutSandbox];
  } catch (error) {
    const mend =
      "Look at PUPPETEER_EXECUTABLE_PATH if it is set, and at the space and the rights of .cache/render.";
    return [{ check, state: "fail", message: errorText(error), mend }];
  } finally {
    await renderer.stop();
  }
}

const withoutSandbox: Finding = {
  check,
  state: "warn",
  message: "It runs without its sandbox.",
  mend: "Let this machine or container make user namespaces, and do not run as root; PLATEN_CHROMIUM_SANDBOX=on makes sure.",
};

function ok(message: string): Finding {
  return { check, state: "ok", message, mend: null };
}

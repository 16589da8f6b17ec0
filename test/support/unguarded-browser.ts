import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { installBrowser } from "../../core/rendering/index.js";
import { until } from "./browser-processes.js";
import { RENDER_CACHE } from "./renderer.js";

/** Opens html in the same Chromium with nothing to hold it back, until `isEnough`. Its files go to `folder`. */
export async function openUnguarded(
  html: string,
  folder: string,
  isEnough: () => boolean,
): Promise<void> {
  const home = await installBrowser(RENDER_CACHE);
  const file = join(folder, "unguarded.html");
  writeFileSync(file, html);
  const browser = spawn(
    home.executable,
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      `--user-data-dir=${folder}`,
      "--remote-debugging-pipe",
      `file://${file}`,
    ],
    {
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      env: {
        LD_LIBRARY_PATH: home.libraries ?? "",
        FONTCONFIG_FILE: home.fontConfig,
      },
    },
  );
  await until("the unguarded browser reaches out", isEnough);
  process.kill(-(browser.pid ?? 0), "SIGKILL");
  await once(browser, "exit");
}

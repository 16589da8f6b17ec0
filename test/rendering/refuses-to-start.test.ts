import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import {
  installBrowser,
  type RenderSettings,
} from "../../core/rendering/index.js";
import { living } from "../support/browser-processes.js";
import { RENDER_CACHE, startRenderer } from "../support/renderer.js";
import { suiteFolder } from "../support/store-folder.js";

async function startError(
  executablePath: string,
  settings: Partial<RenderSettings> = {},
): Promise<unknown> {
  return startRenderer({ executablePath, pages: 1, ...settings }).catch(
    (error: unknown) => error,
  );
}

describe("a renderer without a usable browser", () => {
  const folder = suiteFolder();
  chmodSync(folder, 0o755);

  function program(name: string, ...lines: string[]): string {
    const path = join(folder, name);
    writeFileSync(path, ["#!/bin/sh", ...lines].join("\n"));
    chmodSync(path, 0o755);
    return path;
  }

  it("says where it searched when there is no browser", async () => {
    const error = await startError(join(folder, "missing"));
    expect(error).to.have.property("code", "unavailable");
    expect(error).to.have.property("message").that.includes("missing");
  });

  it("reports a program that ends at once, with its last output", async () => {
    const error = await startError(
      program("broken", "echo libfoo.so is missing >&2", "exit 1"),
    );
    expect(error).to.have.property("code", "unavailable");
    expect(error).to.have.property("cause").that.includes("libfoo.so");
  });

  it("stops waiting for a browser that starts and never responds, and kills it", async () => {
    const pidFile = join(folder, "pid");
    writeFileSync(pidFile, "");
    chmodSync(pidFile, 0o666);
    const error = await startError(
      program("mute", `echo $$ > ${pidFile}`, "exec sleep 600"),
      { startMs: 2_000 },
    );
    expect(error).to.have.property("code", "unavailable");
    const pid = Number(readFileSync(pidFile, "utf8"));
    expect(await living([pid])).to.deep.equal([]);
  });

  it("rejects a browser that prints no text", async () => {
    const { executable, libraries } = await installBrowser(RENDER_CACHE);
    writeFileSync(join(folder, "empty.conf"), "<fontconfig></fontconfig>");
    const error = await startError(
      program(
        "fontless",
        `export FONTCONFIG_FILE=${join(folder, "empty.conf")} LD_LIBRARY_PATH=${libraries}`,
        `exec ${executable} "$@"`,
      ),
    );
    expect(error).to.have.property("code", "unavailable");
    expect(error).to.have.property("message").that.includes("font");
  });
});

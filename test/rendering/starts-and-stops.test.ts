import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";
import {
  installBrowser,
  type RenderSettings,
} from "../../core/rendering/index.js";
import { getTree, living } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { fontNames } from "../support/read-pdf.js";
import { recordingLog } from "../support/recording-log.js";
import {
  ample,
  page,
  profileFolders,
  RENDER_CACHE,
  replaceableBrowser,
  startRenderer,
} from "../support/renderer.js";
import { partArguments } from "../support/service-process.js";
import { suiteFolder, withSmallDisk } from "../support/store-folder.js";
import { failure } from "./jobs.js";

const job = () => ({ html: page("<p>Hello</p>"), deadline: ample() });

/** A log, and its line about the start of the browser. */
function useLog() {
  const { log, text } = recordingLog();
  const readStart = () =>
    text()
      .split("\n")
      .find((line) => line.includes("browser started"));
  return { log, readStart };
}

describe("a renderer that stops", () => {
  it("waits for its running job, leaves no process and no folder, and rejects new jobs", async () => {
    const before = await profileFolders(process.pid);
    const { log, readStart } = useLog();
    const renderer = await startRenderer({ pages: 1, sandbox: "auto", log });
    const { browser } = renderer.health();
    const tree = await getTree(browser?.pid ?? 0);
    const last = renderer.pdf(job());
    await renderer.stop();
    expect((await last).pages).to.equal(1);
    expect(tree.length).to.be.greaterThan(3);
    expect(await living(tree)).to.deep.equal([]);
    expect(await profileFolders(process.pid)).to.have.members(before);
    const error = await failure(renderer.pdf(job()));
    expect(error).to.have.property("code", "unavailable");
    expect(renderer.health()).to.include({ ready: false });
    // It has logged the sandbox of its browser, and the browser's user.
    const line = readStart();
    expect(line).to.include(`sandbox ${browser?.isSandboxed ? "on" : "OFF"}`);
    expect(line?.includes('"uid":')).to.equal(process.getuid?.() === 0);
  });

  it("ends its browser also when its service is killed while it prints, and the next start removes its folders", async () => {
    const child = spawn(
      process.execPath,
      [...partArguments("renderer-process-main"), RENDER_CACHE],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(child.stdout, "data");
    const { pid = 0 } = child;
    const tree = await getTree(pid);
    expect(await profileFolders(pid)).to.have.lengthOf(1);
    child.kill("SIGKILL");
    expect(tree.length).to.be.greaterThan(4);
    await until(
      "no process is left",
      async () => (await living(tree)).length === 0,
    );
    const { log, readStart } = useLog();
    const renderer = await startRenderer({ pages: 1, sandbox: "off", log });
    expect(await profileFolders(pid)).to.deep.equal([]);
    // Without a sandbox it prints, and says so.
    expect(await renderer.pdf(job())).to.have.property("pages", 1);
    expect(renderer.health().browser?.isSandboxed).to.equal(false);
    expect(readStart()).to.include("sandbox OFF");
    await renderer.stop();
  });
});

describe("a renderer whose browser dies", () => {
  const folder = suiteFolder();

  it("installs fonts again that were taken away, and is not ready until a browser exists, which it starts without a request", async () => {
    const browser = await replaceableBrowser(folder);
    const cacheFolder = join(folder, "cache");
    mkdirSync(cacheFolder);
    const renderer = await startRenderer({
      cacheFolder,
      executablePath: browser.path,
      pages: 1,
    });
    const kill = () => {
      const pid = renderer.health().browser?.pid ?? 0;
      process.kill(pid, "SIGKILL");
      return pid;
    };
    const names = await readdir(cacheFolder);
    const fonts = names.find((name) => name.startsWith("fonts-")) ?? "";
    await rm(join(cacheFolder, fonts), { recursive: true });
    const first = kill();
    await until(
      "another browser prints",
      () => renderer.health().browser?.pid !== first,
    );
    const { bytes } = await renderer.pdf(job());
    expect(fontNames(bytes)).to.deep.equal(["Inter-Regular"]);

    browser.hideExecutable();
    kill();
    await until("nothing is printed", async () => {
      const error = await failure(renderer.pdf(job()));
      return Object(error).code === "unavailable";
    });
    expect(renderer.health().ready).to.equal(false);
    expect(renderer.health().reason).to.include(browser.path);
    browser.restoreExecutable();
    await until("it is ready", () => renderer.health().ready);
    expect(await renderer.pdf(job())).to.have.property("pages", 1);
    await renderer.stop();
  });

  it("prints while its disk is full, and again when there is space", async () => {
    const { path } = await replaceableBrowser(folder);
    const cacheFolder = join(folder, "cache");
    const profiles = join(cacheFolder, "profiles");
    mkdirSync(profiles, { recursive: true });
    await withSmallDisk(profiles, async (disk) => {
      const settings = { cacheFolder, executablePath: path, pages: 1 };
      const renderer = await startRenderer(settings);
      disk.fill();
      expect(await renderer.pdf(job())).to.have.property("pages", 1);
      process.kill(renderer.health().browser?.pid ?? 0, "SIGKILL");
      const outcome = await renderer.pdf(job()).then(
        ({ pages }) => `${pages} page`,
        (error: { code?: string }) => error.code,
      );
      expect(outcome).to.be.oneOf(["1 page", "unavailable"]);
      disk.free();
      await until(
        "it prints again",
        async () => (await failure(renderer.pdf(job()))) === null,
      );
      await renderer.stop();
    });
  });

  it("replaces one that has grown past its limit without failing a job, ends it, and counts the reasons", async () => {
    const renderer = await startRenderer({ pages: 2, recyclePssMb: 1 });
    expect((await renderer.stats()).pssMb).to.be.within(20, 2_000);
    // Its memory is looked at after a long document, many characters, or many documents.
    for (const characters of [300_000, 250_000, 0]) {
      const html = page(`x<!-- ${"-".repeat(characters)} -->`);
      const pid = renderer.health().browser?.pid ?? 0;
      await until("another browser prints", async () => {
        const prints = Array.from({ length: 20 }, () =>
          renderer.pdf({ ...job(), html }),
        );
        for (const { pages } of await Promise.all(prints))
          expect(pages).to.equal(1);
        return renderer.health().browser?.pid !== pid;
      });
      await until(
        "the first is gone",
        async () => (await living([pid])).length === 0,
      );
    }
    expect(renderer.health()).to.include({ restarts: 0, pagesReplaced: 0 });
    expect((await renderer.stats()).restarts.memory).to.be.at.least(3);
    process.kill(renderer.health().browser?.pid ?? 0, "SIGKILL");
    const restarts = await until("its end is noticed", async () => {
      const stats = await renderer.stats();
      return stats.restarts.died > 0 && stats.restarts;
    });
    expect(restarts).to.include({ died: 1, hung: 0 });
    await renderer.stop();
    expect((await renderer.stats()).pssMb).to.equal(null);
  });
});

const startError = (
  executablePath: string,
  settings: Partial<RenderSettings> = {},
) => failure(startRenderer({ executablePath, pages: 1, ...settings }));

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
    const mute = program("mute", `echo $$ > ${pidFile}`, "exec sleep 600");
    const error = await startError(mute, { startMs: 1_000 });
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

describe("the folder of the unpacked browser", () => {
  it("is not accessible to other users, and contains a program that only its owner can change", async () => {
    const { profiles, executable, user } = await installBrowser(RENDER_CACHE);
    expect((await stat(dirname(profiles))).mode & 0o007).to.equal(0);
    const { uid, mode } = await stat(executable);
    expect(mode & 0o022).to.equal(0);
    expect(uid).to.equal(process.getuid?.());
    expect(uid).not.to.equal(user?.uid);
  });
});

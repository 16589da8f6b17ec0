import { readdir } from "node:fs/promises";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "chai";
import { processesWith, until } from "../support/browser-processes.js";
import {
  ample,
  page,
  RENDER_CACHE,
  startRenderer,
} from "../support/renderer.js";

const MAIN = new URL("../support/renderer-process-main.ts", import.meta.url);

function profilesOf(pid: number): Promise<string[]> {
  return readdir(join(RENDER_CACHE, "profiles")).then((names) =>
    names.filter((name) => name.startsWith(`profile-${pid}-`)),
  );
}

describe("a renderer that stops", () => {
  it("lets its job end and leaves no process and no folder", async () => {
    const renderer = await startRenderer({ pages: 1 });
    const { pid = 0 } = renderer.health().browser ?? {};
    const before = await profilesOf(process.pid);
    const job = renderer.pdf({ html: page("x"), deadline: ample() });
    await renderer.stop();
    expect((await job).pages).to.equal(1);
    expect(await processesWith(`--user-data-dir=`, `-${pid}-`)).to.be.empty;
    expect(await profilesOf(process.pid)).to.have.length(before.length - 1);
    const late = await renderer
      .pdf({ html: page("x"), deadline: ample() })
      .catch((error: unknown) => error);
    expect(late).to.have.property("code", "unavailable");
  });
});

describe("a service that is killed", () => {
  it("takes its browsers with it, and the next start clears its folders", async () => {
    const child = spawn(
      process.execPath,
      ["--import=tsx", MAIN.pathname, RENDER_CACHE],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(child.stdout, "data");
    const { pid = 0 } = child;
    const profile = `profile-${pid}-`;
    expect(await processesWith(profile)).not.to.be.empty;
    child.kill("SIGKILL");
    await until(
      "no browser is left",
      async () => (await processesWith(profile)).length === 0,
    );
    const renderer = await startRenderer({ pages: 1 });
    expect(await profilesOf(pid)).to.be.empty;
    await renderer.stop();
  });
});

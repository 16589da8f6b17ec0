import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { living, getTree } from "../support/browser-processes.js";
import { until } from "../support/eventually.js";
import { partArguments } from "../support/service-process.js";
import {
  profileFolders,
  RENDER_CACHE,
  startRenderer,
} from "../support/renderer.js";

describe("a service that is killed while it prints", () => {
  it("ends its browser, and the next start removes its folders", async () => {
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
    const renderer = await startRenderer({ pages: 1 });
    expect(await profileFolders(pid)).to.deep.equal([]);
    await renderer.stop();
  });
});

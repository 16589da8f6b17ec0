import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { until } from "../support/eventually.js";
import {
  ample,
  page,
  startRenderer,
  replaceableBrowser,
} from "../support/renderer.js";
import { withSmallDisk, suiteFolder } from "../support/store-folder.js";

describe("a renderer whose disk is full", () => {
  const folder = suiteFolder();

  it("frees its page while printing and its place in the queue while waiting", async () => {
    const { path } = await replaceableBrowser(folder);
    const cacheFolder = join(folder, "cache");
    const profiles = join(cacheFolder, "profiles");
    mkdirSync(profiles, { recursive: true });
    await withSmallDisk(profiles, async (disk) => {
      const settings = { cacheFolder, executablePath: path, pages: 1 };
      const renderer = await startRenderer(settings);
      const job = { html: page("x"), deadline: ample() };
      disk.fill();
      expect(await renderer.pdf(job)).to.have.property("pages", 1);
      process.kill(renderer.health().browser?.pid ?? 0, "SIGKILL");
      const outcome = await renderer.pdf(job).then(
        ({ pages }) => `${pages} page`,
        (error: { code?: string }) => error.code,
      );
      expect(outcome).to.be.oneOf(["1 page", "unavailable"]);
      disk.free();
      const prints = () =>
        renderer.pdf(job).then(
          () => true,
          () => false,
        );
      await until("it prints again", prints);
      await renderer.stop();
    });
  });
});

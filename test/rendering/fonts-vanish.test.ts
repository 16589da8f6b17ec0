import { mkdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { until } from "../support/eventually.js";
import { fontNames } from "../support/read-pdf.js";
import {
  ample,
  page,
  startRenderer,
  replaceableBrowser,
} from "../support/renderer.js";
import { suiteFolder } from "../support/store-folder.js";

describe("a renderer whose fonts are taken away", () => {
  const folder = suiteFolder();

  it("installs them again before the next browser prints", async () => {
    const browser = await replaceableBrowser(folder);
    const cacheFolder = join(folder, "cache");
    mkdirSync(cacheFolder);
    const renderer = await startRenderer({
      cacheFolder,
      executablePath: browser.path,
      pages: 1,
    });
    const names = await readdir(cacheFolder);
    const fonts = names.find((name) => name.startsWith("fonts-")) ?? "";
    await rm(join(cacheFolder, fonts), { recursive: true });
    const pid = renderer.health().browser?.pid ?? 0;
    process.kill(pid, "SIGKILL");
    await until(
      "another browser prints",
      () => renderer.health().browser?.pid !== pid,
    );
    const job = { html: page("<p>Hello</p>"), deadline: ample() };
    const { bytes } = await renderer.pdf(job);
    expect(fontNames(bytes)).to.deep.equal(["Inter-Regular"]);
    await renderer.stop();
  });
});

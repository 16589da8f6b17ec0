import { expect } from "chai";
import { until } from "../support/eventually.js";
import {
  ample,
  page,
  startRenderer,
  replaceableBrowser,
} from "../support/renderer.js";
import { suiteFolder } from "../support/store-folder.js";

describe("a renderer whose browser dies and cannot be started again", () => {
  const folder = suiteFolder();

  it("is not ready until a browser exists again, and then starts it without a request", async () => {
    const browser = await replaceableBrowser(folder);
    const renderer = await startRenderer({
      executablePath: browser.path,
      pages: 1,
    });
    browser.hideExecutable();
    process.kill(renderer.health().browser?.pid ?? 0, "SIGKILL");
    const job = { html: page("x"), deadline: ample() };
    await until("nothing is printed", () =>
      renderer.pdf(job).then(
        () => false,
        (error: { code?: string }) => error.code === "unavailable",
      ),
    );
    expect(renderer.health().ready).to.equal(false);
    expect(renderer.health().reason).to.include(browser.path);
    browser.restoreExecutable();
    await until("it is ready", () => renderer.health().ready);
    expect(await renderer.pdf(job)).to.have.property("pages", 1);
    await renderer.stop();
  });
});

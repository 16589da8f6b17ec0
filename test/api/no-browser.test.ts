import { expect } from "chai";
import { before, describe, it } from "mocha";
import { createRenderer } from "../../core/rendering/index.js";
import { RENDERER } from "../../core/app/tokens.js";
import { until } from "../support/eventually.js";
import { readError, newCaller } from "../support/caller.js";
import { RENDER_CACHE, replaceableBrowser } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import { silentLog } from "../support/recording-log.js";
import { publish } from "../support/store.js";

describe("a service whose browser is gone", () => {
  const folder = suiteFolder();
  const renderer = createRenderer({
    cacheFolder: RENDER_CACHE,
    executablePath: `${folder}/browser`,
    log: silentLog,
    pages: 1,
  });
  const browser = replaceableBrowser(folder);
  // The service starts after it: hooks run in the order in which they are written.
  before(() => browser);
  const service = useService({
    replace: (container) =>
      container.register(RENDERER, { useValue: renderer }),
  });

  it("is not ready, reports it, and is ready again when there is a browser", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const ready = () => fetch(`${service.url}/health/ready`);
    const answers = async (status: number) => (await ready()).status === status;
    expect((await ready()).status).to.equal(200);
    const program = await browser;
    program.hideExecutable();
    process.kill(renderer.health().browser?.pid ?? 0, "SIGKILL");
    await until("it is not ready", () => answers(503));
    expect(await readError(await ready())).to.include("browser");
    const request = { templateId, formats: ["pdf"] };
    const rejected = await caller.post("/api/export", request);
    expect(rejected.status).to.equal(503);
    const html = { templateId, formats: ["html"] };
    expect((await caller.post("/api/export", html)).status).to.equal(200);
    program.restoreExecutable();
    await until("it is ready", () => answers(200));
    expect((await caller.post("/api/export", request)).status).to.equal(200);
  });
});

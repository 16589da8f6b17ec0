import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { createReadinessCheck } from "../../core/app/process-module.js";
import { openStore } from "../../core/storage/database/index.js";
import { DRAINING, RENDERER } from "../../core/app/tokens.js";
import { readError } from "../support/caller.js";
import { lazyRenderer } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import { silentLog } from "../support/recording-log.js";

describe("the health of the service", () => {
  let isUp = true;
  const service = useService({
    replace: (container) =>
      container.register(RENDERER, {
        useValue: {
          ...lazyRenderer,
          health: () =>
            isUp
              ? lazyRenderer.health()
              : {
                  ...lazyRenderer.health(),
                  ready: false,
                  reason: "no browser",
                },
        },
      }),
  });
  const ask = (path: string) => fetch(`${service.url}/health/${path}`);

  it("is live, and ready when it can print", async () => {
    expect((await ask("live")).status).to.equal(200);
    expect((await ask("ready")).status).to.equal(200);
  });

  it("is live but not ready without a browser, and names the reason", async () => {
    isUp = false;
    expect((await ask("live")).status).to.equal(200);
    const response = await ask("ready");
    expect(response.status).to.equal(503);
    expect(await readError(response)).to.contain("no browser");
  });

  it("is not ready without its database", async () => {
    const file = join(suiteFolder(), "test.sqlite");
    const database = { kind: "sqlite", file } as const;
    const store = await openStore({ database, migrate: true, log: silentLog });
    await store.close();
    const isReady = createReadinessCheck(store, lazyRenderer);
    expect(String(await isReady().catch(String))).to.contain("database");
  });

  it("is not ready once it is stopping", async () => {
    const { signal } = service.container.resolve(DRAINING);
    const isReady = createReadinessCheck(service.store, lazyRenderer, signal);
    await isReady();
    await service.stop();
    expect(String(await isReady().catch(String))).to.contain("shutting down");
  });
});

import { expect } from "chai";
import { describe, it } from "mocha";
import { Deadline } from "../../core/plugin-api/index.js";
import { createRenderer } from "../../core/rendering/index.js";
import { RENDERER } from "../../core/app/tokens.js";
import { until } from "../support/eventually.js";
import { readError, newCaller } from "../support/caller.js";
import { endlessLayout } from "../support/large-documents.js";
import { RENDER_CACHE } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { silentLog } from "../support/recording-log.js";
import { publish } from "../support/store.js";

describe("a service whose queue is full", () => {
  const renderer = createRenderer({
    cacheFolder: RENDER_CACHE,
    log: silentLog,
    pages: 1,
    queueLimit: 1,
  });
  const service = useService({
    replace: (container) =>
      container.register(RENDERER, { useValue: renderer }),
  });
  const clients = new AbortController();

  it("answers 429 with Retry-After, and renders again as soon as there is room", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const request = { templateId, formats: ["pdf"] };
    const occupied = [1, 2].map(() =>
      renderer
        .pdf({
          html: endlessLayout(),
          owner: caller.organizationId,
          deadline: Deadline.after(50_000, clients.signal),
        })
        .catch(() => null),
    );
    await until("the queue is full", () => renderer.health().queued === 1);
    const rejected = await caller.post("/api/export", request);
    expect(rejected.status).to.equal(429);
    expect(Number(rejected.headers.get("retry-after"))).to.be.at.least(1);
    expect(await readError(rejected)).to.include("Try again");
    clients.abort();
    await Promise.all(occupied);
    const response = await caller.post("/api/export", request);
    expect(response.status).to.equal(200);
  });
});

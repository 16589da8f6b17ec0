import { EventEmitter, once } from "node:events";
import { expect } from "chai";
import { describe, it } from "mocha";
import { RENDERER } from "../../core/app/tokens.js";
import { readError, newCaller, replies } from "../support/caller.js";
import { lazyRenderer } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("a service that stops", () => {
  const events = new EventEmitter();
  const service = useService({
    replace: (container) =>
      container.register(RENDERER, {
        useValue: {
          ...lazyRenderer,
          pdf: async (job) => {
            const go = once(events, "go");
            events.emit("rendering");
            await go;
            return lazyRenderer.pdf(job);
          },
        },
      }),
  });

  it("completes current requests and rejects new ones with the reason", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const { url } = service;
    const rendering = once(events, "rendering");
    const response = caller.post("/api/export", {
      templateId,
      formats: ["pdf"],
    });
    await rendering;
    const stopped = service.stop();
    const live = await fetch(`${url}/health/live`);
    const ready = await fetch(`${url}/health/ready`);
    const fresh = await caller.get("/api/templates");
    expect([live, ready, fresh].map(({ status }) => status)).to.deep.equal([
      200, 503, 503,
    ]);
    expect(await readError(ready)).to.contain("shutting down");
    expect(fresh.headers.get("retry-after")).to.match(/^\d+$/);
    events.emit("go");
    expect(await replies.exported(await response)).to.have.property("pdf");
    await stopped;
    const gone = fetch(`${url}/health/live`).then(() => "answered", String);
    expect(await gone).to.contain("fetch failed");
  });
});

import { EventEmitter, once } from "node:events";
import { expect } from "chai";
import { describe, it } from "mocha";
import { RENDERER } from "../../core/tokens.js";
import { newCaller } from "../support/caller.js";
import { lazyRenderer } from "../support/lazy-renderer.js";
import { replies } from "../support/replies.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store-templates.js";

describe("a service that is stopped", () => {
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

  it("answers what it has begun, and takes nothing new", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const { url } = service;
    const rendering = once(events, "rendering");
    const answer = caller.post("/api/export", { templateId, formats: ["pdf"] });
    await rendering;
    const stopped = service.stop();
    const refused = fetch(`${url}/health/live`).then(() => "answered", String);
    expect(await refused).to.contain("fetch failed");
    events.emit("go");
    expect(await replies.exported(await answer)).to.have.property("pdf");
    await stopped;
  });
});

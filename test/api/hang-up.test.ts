import { expect } from "chai";
import { describe, it } from "mocha";
import { RENDERER } from "../../core/app/tokens.js";
import { newCaller, replies } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { lazyRenderer } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("a client that disconnects", () => {
  const hungUp = new AbortController();
  const service = useService({
    replace: (container) =>
      container.register(RENDERER, {
        useValue: {
          ...lazyRenderer,
          pdf: ({ deadline }) =>
            new Promise((_resolve, reject) => {
              deadline.signal.addEventListener("abort", () =>
                reject(deadline.error("printing")),
              );
              hungUp.abort();
            }),
        },
      }),
  });

  it("ends the render, which is recorded as failed", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const outcome = await fetch(`${service.url}/api/export`, {
      method: "POST",
      headers: { "x-api-key": caller.key, "content-type": "application/json" },
      body: JSON.stringify({ templateId, formats: ["pdf"] }),
      signal: hungUp.signal,
    }).catch((error: unknown) => String(error));
    expect(outcome).to.contain("AbortError");
    const recorded = async () =>
      (await replies.documents(await caller.get("/api/documents"))).data[0];
    const document = await eventually(recorded);
    expect(document.status).to.equal("failed");
    expect(document.error).to.contain("client closed the connection");
  });
});

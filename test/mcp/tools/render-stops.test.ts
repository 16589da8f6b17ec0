import { once } from "node:events";
import { expect } from "chai";
import { describe, it } from "mocha";
import { RENDERER } from "../../../core/app/tokens.js";
import { newCaller } from "../../support/caller.js";
import { eventually } from "../../support/eventually.js";
import { lazyRenderer } from "../../support/renderer.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { toolClient } from "../../support/tool-client.js";

/** Prints what nobody waits for any more, and nothing before. */
const late: typeof lazyRenderer = {
  ...lazyRenderer,
  pdf: async (job) => {
    const { signal } = job.deadline;
    if (!signal.aborted) await once(signal, "abort");
    return lazyRenderer.pdf(job);
  },
};

describe("a render whose client disconnects", () => {
  const service = useService({
    replace: (container) => container.register(RENDERER, { useValue: late }),
  });

  it("stops and leaves a failed document with the reason", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const client = await toolClient(service, caller);
    const params = {
      name: "render_document",
      arguments: { templateId, formats: ["pdf"] },
    };
    const onprogress = ({ message }: { message?: string | undefined }) => {
      if (message === "print") void client.close();
    };
    await client.callTool(params, { onprogress }).catch(() => null);
    const isStopped = await eventually(async () => {
      const list = await (await caller.get("/api/documents")).text();
      return /"failed".*went away/.test(list);
    });
    expect(isStopped).to.equal(true);
  });
});

import { expect } from "chai";
import { describe, it } from "mocha";
import { publish } from "../../support/store-templates.js";
import { eventually } from "../../support/eventually.js";
import { toolClient } from "../../support/tool-client.js";
import { useTools } from "../../support/use-tools.js";

const rows = Array.from({ length: 4000 }, (_, n) => ({
  type: "text",
  text: `Line ${n} of a long document that takes its time`,
}));

describe("a render whose client goes away", () => {
  const { service, caller } = useTools();

  it("stops, and leaves a failed document that says so", async () => {
    const definition = { schema: [], components: rows };
    const templateId = await publish(service.store, caller(), { definition });
    const client = await toolClient(service, caller());
    const params = {
      name: "render_document",
      arguments: { templateId, formats: ["pdf"] },
    };
    const onprogress = ({ message }: { message?: string | undefined }) => {
      if (message === "print") void client.close();
    };
    await client.callTool(params, { onprogress }).catch(() => null);
    const isStopped = await eventually(async () => {
      const list = await (await caller().get("/api/documents")).text();
      return /"failed".*went away/.test(list);
    });
    expect(isStopped).to.equal(true);
  });
});

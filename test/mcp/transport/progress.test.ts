import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../../support/caller.js";
import { WaitingTool, officialClients } from "../../support/tool-client.js";
import { useService } from "../../support/service.js";

describe("a long call", () => {
  const waiting = new WaitingTool();
  const service = useService({
    replace: (container) => waiting.replaceTools(container),
  });

  for (const [name, connect] of officialClients)
    it(`reports its progress to ${name}`, async () => {
      const { key } = await newCaller(service);
      const client = await connect(service.url, {
        headers: { "x-api-key": key },
      });
      const reports: unknown[] = [];
      const answer = await client.callTool({ name: "wait" }, (progress) => {
        reports.push(progress);
        waiting.release();
      });
      expect(reports).to.deep.equal([
        { progress: 1, total: 2, message: "half-way" },
      ]);
      expect(answer["content"]).to.deep.equal([
        { type: "text", text: "waited" },
      ]);
      await client.close();
    });
});

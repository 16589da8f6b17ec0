import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatformError } from "../../core/plugin-api/index.js";
import { useEsign } from "../support/esign.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((_open, database) => {
  describe("a start that the provider rejects", () => {
    const harness = useEsign({ config: { database } });
    const { memory } = harness;

    it("is retried without a lookup when it was rejected for now", async () => {
      const before = memory.calls.length;
      let starts = 0;
      memory.beforeCall = (call) => {
        if (call !== "start") return;
        starts += 1;
        if (starts === 1)
          throw new PlatformError("rate_limited", "Too many.", {
            retryAfterMs: 1,
          });
      };
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      expect(memory.findSubmissions(id)).to.have.length(1);
      expect(memory.calls.slice(before)).not.to.include("find");
    });

    it("fails the request with the provider's message when it was rejected for good", async () => {
      memory.beforeCall = (call) => {
        if (call === "start")
          throw new PlatformError("unsupported", "This needs the Pro edition.");
      };
      const id = await harness.send();
      const { error, completedAt } = await harness.waitForStatus(id, "failed");
      expect(error).to.equal("Memory: This needs the Pro edition.");
      expect(completedAt).not.to.equal(null);
    });

    it("is not made for a PDF that is too large", async () => {
      const order = await harness.settle();
      const other = await harness.newDocument();
      const large = Buffer.alloc(1_000_001);
      const failed = await harness.get(
        await harness.record(order, other, large),
      );
      expect(failed).to.include({ status: "failed" });
      expect(failed.error).to.include("1000001 bytes");
    });
  });
});

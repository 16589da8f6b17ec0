import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatformError } from "../../core/plugin-api/index.js";
import { useEsign } from "../support/esign.js";
import { onSqlite } from "../support/store.js";

onSqlite((_open, database) => {
  describe("signed files that the provider is still creating", () => {
    const harness = useEsign({ config: { database } });
    const { memory } = harness;

    it("are fetched again later, and the signers are shown as done meanwhile", async () => {
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      memory.beforeCall = (call) => {
        if (call === "download")
          throw new PlatformError("unavailable", "Not ready yet.");
      };
      memory.end(id, "completed");
      const { status, submitters } = await harness.waitUntil(
        id,
        ({ error }) => error !== null,
      );
      expect(status).to.equal("pending");
      expect(submitters[0]?.status).to.equal("completed");
      memory.reset();
      const { outputs } = await harness.waitForStatus(id, "completed");
      expect(outputs).to.have.length(2);
    });
  });
});

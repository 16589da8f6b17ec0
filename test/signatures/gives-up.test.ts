import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatformError } from "../../core/plugin-api/index.js";
import { SignatureRequest } from "../../core/storage/database/index.js";
import { useEsign } from "../support/esign.js";
import { onSqlite } from "../support/store.js";

const longAgo = { createdAt: new Date(Date.now() - 4 * 24 * 60 * 60_000) };

onSqlite((_open, database) => {
  describe("a request that cannot be sent for days", () => {
    const harness = useEsign({ config: { database } });
    const { memory, service } = harness;
    const aged = async () => {
      const id = await harness.send();
      await harness.waitUntil(id, ({ error }) => error !== null);
      await service.store.unitOfWork.run((tx) =>
        tx.update(SignatureRequest, { id }, longAgo),
      );
      return id;
    };

    it("fails with the last error", async () => {
      memory.beforeCall = (call) => {
        if (call === "start") throw new PlatformError("rate_limited", "Later.");
      };
      const { error } = await harness.waitForStatus(await aged(), "failed");
      expect(error).to.equal("Memory: Later.");
    });

    it("fails with a message that says it is unknown whether it arrived", async () => {
      memory.beforeCall = (call) => {
        throw new PlatformError("unavailable", `No answer to ${call}.`);
      };
      const { error } = await harness.waitForStatus(await aged(), "failed");
      expect(error).to.include("unknown whether it arrived");
    });
  });
});

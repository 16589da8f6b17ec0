import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatformError } from "../../core/plugin-api/index.js";
import { fastSettings, useEsign } from "../support/esign.js";
import { anyDatabase } from "../support/store.js";

const noAnswer = () => new PlatformError("unavailable", "No answer came.");

anyDatabase((_open, database) => {
  describe("a request whose start had no response", () => {
    const signatures = { ...fastSettings, pollMs: [60_000, 60_000] as const };
    const harness = useEsign({ config: { database, signatures } });
    const { memory } = harness;

    it("is at the provider once, however late the provider lists it", async () => {
      const looks = new Map<string, number>();
      memory.beforeReply = (call) => {
        if (call === "start") throw noAnswer();
      };
      // As with providers whose lists lag behind.
      memory.isListed = ({ externalId }) => {
        const seen = looks.get(externalId) ?? 0;
        looks.set(externalId, seen + 1);
        return seen >= Number(externalId.slice(4)) % 3;
      };
      const ids = await harness.sendMany(25);
      for (const id of ids) await harness.waitForStatus(id, "pending");
      expect(ids.map((id) => memory.findSubmissions(id).length)).to.deep.equal(
        ids.map(() => 1),
      );
    });

    it("is sent again once the provider certainly does not have it", async () => {
      let starts = 0;
      memory.beforeCall = (call) => {
        if (call !== "start") return;
        starts += 1;
        if (starts === 1) throw noAnswer();
      };
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      expect(starts).to.equal(2);
      expect(memory.findSubmissions(id)).to.have.length(1);
    });

    it("is looked up when a plugin error hid the response", async () => {
      memory.beforeReply = (call) => {
        if (call === "start") throw new TypeError("undefined is no function");
      };
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      expect(memory.findSubmissions(id)).to.have.length(1);
    });
  });
});

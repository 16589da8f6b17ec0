import { expect } from "chai";
import { PlatformError } from "../../../core/plugin-api/index.js";
import { useEsign } from "../../support/esign.js";
import { scrape } from "../../support/scrape.js";
import { onSqlite } from "../../support/store.js";

onSqlite((_open, database) => {
  describe("metrics of signature requests", () => {
    const metrics = { host: "127.0.0.1", port: 0 };
    const harness = useEsign({ config: { database, metrics } });
    const { memory, service } = harness;

    it("count open requests and measure the age of the oldest unsent one", async () => {
      await harness.waitForStatus(await harness.send(), "pending");
      memory.beforeCall = (call) => {
        if (call === "start") throw new PlatformError("rate_limited", "Later.");
      };
      await harness.send();
      const numbers = await scrape(service.metricsUrl);
      expect(numbers.get('platen_signatures{status="pending"}')).to.equal(1);
      expect(numbers.get('platen_signatures{status="starting"}')).to.equal(1);
      const oldest = numbers.get("platen_signature_oldest_starting_seconds");
      expect(oldest).to.be.above(0);
    });
  });
});

import { expect } from "chai";
import { sqliteDatabase } from "../../scripts/chaos/databases.js";
import { runChaos } from "../../scripts/chaos/run-chaos.js";
import { programArguments } from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((_open, location) => {
  describe("a service whose processes are killed, stalled and restarted", () => {
    const folder = suiteFolder();
    const kind = location.kind;

    it(`loses nothing (the long form is npm run chaos -- --database ${kind === "sqlite" ? kind : "mariadb"})`, async function () {
      this.timeout(300_000);
      const database =
        location.kind === "sqlite"
          ? sqliteDatabase(folder)
          : {
              location,
              url: location.url,
              // Other suites need the server.
              outage: () => Promise.resolve(),
              close: () => Promise.resolve(),
            };
      const { losses, injected, documents, numbers } = await runChaos({
        folder,
        database,
        command: programArguments("core/cli/main"),
        seed: 120,
        kills: 3,
        workers: 1,
        intervalMs: 500,
        itemsOfBatch: [3, 5],
        leaseMs: 1000,
        timeoutMs: 120_000,
        freesNumbers: true,
        say: () => undefined,
        enough: new AbortController().signal,
      });
      expect(losses).to.deep.equal([]);
      expect(injected.kill).to.equal(3);
      // The one that kills its workers, and none of those beside it.
      expect(documents.get("given up")).to.equal(1);
      expect([...documents.keys()].join("\n")).not.to.contain("failed (");
      expect(numbers.given).to.be.above(0);
    });
  });
});

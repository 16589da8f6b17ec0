import { expect } from "chai";
import { describe, it } from "mocha";
import { eachDatabase } from "../../support/store.js";

describe("a database that a newer version has migrated", () => {
  eachDatabase((open) => {
    it("is rejected with the name of the unknown migration, and opened without it", async () => {
      const { dataSource } = await open();
      await dataSource.query(
        "INSERT INTO migration (timestamp, name) VALUES (9999, 'Telepathy0000000009999')",
      );
      const error = await open().catch((reason: unknown) => reason);
      await dataSource.query("DELETE FROM migration WHERE timestamp = 9999");
      expect(String(error)).to.include(
        "changed by a newer version of Platen (Telepathy0000000009999)",
      );
      await open();
    });
  });
});

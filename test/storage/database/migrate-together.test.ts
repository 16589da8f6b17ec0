import { expect } from "chai";
import { describe, it } from "mocha";
import { eachDatabase, startStoreProcess } from "../../support/store.js";

describe("processes that start together on an empty database", () => {
  eachDatabase(
    (open, location) => {
      it("migrate it once, and all of them can use it", async () => {
        const processes = Array.from({ length: 3 }, () =>
          startStoreProcess("migrate", location),
        );
        const results = await Promise.all(processes.map((one) => one.ended));
        expect(results.map(({ code }) => code)).to.deep.equal([0, 0, 0]);
        const done = results.flatMap(({ lines }) => lines);
        const store = await open();
        const rows: unknown[] = await store.read.query(
          "SELECT * FROM migration",
        );
        expect(done).to.have.lengthOf(rows.length);
        expect(new Set(done).size).to.equal(rows.length);
      });
    },
    { isNew: true },
  );
});

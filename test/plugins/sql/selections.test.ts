import { expect } from "chai";
import { describe, it } from "mocha";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { sqlPlugin } from "../../../plugins/sql/plugin.js";
import { eachEngine, shopFor } from "./shop.js";

const scope = { tableId: "invoice" };

describe("rows of a database that are selected", () => {
  eachEngine((open) => {
    const getShop = shopFor(open);
    const list = async (filter: unknown) => {
      const host = new SuiteHost(sqlPlugin, (await getShop()).credentials());
      return host.listRows(scope, { filter });
    };

    const failure = async (filter: object) =>
      String(await list(filter).catch((error: unknown) => error));

    it("are listed page by page, in the order of their keys", async () => {
      const shop = await getShop();
      const rows = Array.from({ length: 2500 }, (_, at) => `(${5000 + at})`);
      await shop.execute(`INSERT INTO invoice (id) VALUES ${rows.join(",")}`);
      const ids = await list({ id: { min: 5000 } });
      expect(ids).to.deep.equal(rows.map((one) => one.slice(1, -1)));
    });

    it("are never more than the values of a filter say", async () => {
      for (const text of ["' OR '1'='1", "R-0'; DROP TABLE invoice; --", "%"])
        expect(await list({ "no. of order; --": text })).to.deep.equal([]);
      expect(await list({ "no. of order; --": "R-0" })).to.deep.equal(["1"]);
    });

    it("are refused for a text in a column of numbers, a column of bytes and an unknown column", async () => {
      expect(await failure({ total: "1 or so" })).to.contain(
        'The filter compares the column "total", which holds numbers, with a text.',
      );
      expect(await failure({ scan: null })).to.contain('the column "scan"');
      expect(await failure({ totl: 1 })).to.contain('Did you mean "total"?');
      expect(await failure({ total: {} })).to.contain(
        "must be an object of conditions",
      );
    });
  });
});

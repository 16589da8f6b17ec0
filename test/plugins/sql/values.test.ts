import { expect } from "chai";
import { describe, it } from "mocha";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { sqlPlugin } from "../../../plugins/sql/plugin.js";
import { eachEngine, shopFor } from "./shop.js";

describe("a row of a database", () => {
  eachEngine((open) => {
    const shop = shopFor(open);
    const host = async () =>
      new SuiteHost(sqlPlugin, (await shop()).credentials());

    it("contains numbers, booleans, dates and links in both directions", async () => {
      const scope = { tableId: "invoice" };
      const { rows } = await (await host()).fetchRows(scope, ["2"]);
      const [row] = rows;
      expect(row?.fields).to.include({
        id: 2,
        total: 1234.5,
        paid: true,
        due: "2026-01-02",
        "no. of order; --": "R-1",
      });
      expect(row?.fields["made"]).to.match(/^2026-01-02T10:00:00/);
      expect(row?.fields["scan"]).to.deep.equal([]);
      expect(row?.links["customer_id"]).to.deep.equal(["c-1"]);
      expect(row?.links["line.invoice_id"]).to.have.length(30);
    });

    it("contains bits as a number, and sums of fractions without the noise of their last digits", async () => {
      const opened = await shop();
      const execute = (sql: string) => opened.execute(sql);
      const { engine } = opened.credentials();
      const isMysql = engine === "mysql";
      const double = engine === "sqlite" ? "real" : "double precision";
      await execute(
        `CREATE TABLE measured (id integer PRIMARY KEY, total ${double}, flags ${isMysql ? "bit(12)" : "integer"}, done ${isMysql ? "bit(1)" : "boolean"})`,
      );
      await execute(
        `INSERT INTO measured VALUES (1, ${double === "real" ? "0.1 + 0.2" : "0.1e0 + 0.2e0"}, ${isMysql ? "b'100000000001'" : "2049"}, true)`,
      );
      const found = await (
        await host()
      ).fetchRows({ tableId: "measured" }, ["1"]);
      expect(found.rows[0]?.fields).to.deep.equal({
        id: 1,
        total: 0.3,
        flags: 2049,
        done: true,
      });
    });

    it("is found by the exact value of a text key", async () => {
      const scope = { tableId: "customer" };
      const ids = ["c-1", "C-1", "c-1 "];
      const found = await (await host()).fetchRows(scope, ids);
      expect(found.rows.map(({ id }) => id)).to.deep.equal(["c-1"]);
      expect(found.missing).to.deep.equal(["C-1", "c-1 "]);
    });

    it("is rejected when its table has no key of one column", async () => {
      const call = (await host()).fetchRows({ tableId: "pair" }, ["1"]);
      expect(await call.catch(String)).to.include("no primary key");
    });

    it("is described with the kinds of its columns", async () => {
      const tables = await (await host()).describe();
      const invoice = tables.find(({ id }) => id === "invoice");
      const kinds = invoice?.fields.map(({ id, kind }) => [id, kind]);
      expect(Object.fromEntries(kinds ?? [])).to.deep.equal({
        id: "number",
        "no. of order; --": "text",
        total: "number",
        paid: "boolean",
        due: "date",
        made: "date",
        customer_id: "link",
        scan: "attachment",
        papers: "attachment",
        "line.invoice_id": "link",
      });
    });

    it("is named by a column such as name, or else by its key", async () => {
      const tables = await (await host()).describe();
      const names = tables.map((one) => [one.id, one.primaryFieldId]);
      expect(Object.fromEntries(names)).to.include({
        customer: "name",
        invoice: "id",
      });
    });
  });
});

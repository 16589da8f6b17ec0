import { expect } from "chai";
import { describe, it } from "mocha";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { eventually } from "../../support/eventually.js";
import { sqlPlugin } from "../../../plugins/sql/plugin.js";
import { eachEngine, onMysql, shopFor } from "./shop.js";

interface Connected extends RowDataPacket {
  id: number;
}

describe("calls of a database", () => {
  eachEngine((open) => {
    const shop = shopFor(open);
    const host = async () =>
      new SuiteHost(sqlPlugin, (await shop()).credentials());

    it("find tables and columns that were added after another call", async () => {
      const opened = await shop();
      const execute = (sql: string) => opened.execute(sql);
      const database = await host();
      await database.fetchRows({ tableId: "customer" }, ["c-1"]);
      await execute("CREATE TABLE later (id integer PRIMARY KEY, a integer)");
      await execute("INSERT INTO later VALUES (1, 5)");
      const scope = { tableId: "later" };
      const first = await database.fetchRows(scope, ["1"], ["a"]);
      expect(first.rows[0]?.fields).to.include({ a: 5 });
      await execute("ALTER TABLE later ADD COLUMN b integer");
      await execute("UPDATE later SET b = 6");
      const second = await database.fetchRows(scope, ["1"], ["a", "b"]);
      expect(second.rows[0]?.fields).to.include({ a: 5, b: 6 });
      await execute("ALTER TABLE later DROP COLUMN a");
      const third = await database.fetchRows(scope, ["1"]);
      expect(third.rows[0]?.fields).to.deep.equal({ id: 1, b: 6 });
    });
  });

  onMysql((server, open) => {
    const shop = shopFor(open);

    it("share connections, and replace one that the server has closed", async () => {
      const credentials = (await shop()).credentials();
      if (!("database" in credentials)) throw new Error("not a server");
      const database = new SuiteHost(sqlPlugin, credentials);
      const read = () => database.fetchRows({ tableId: "customer" }, ["c-1"]);
      const admin = await createConnection(server);
      const findConnections = async () => {
        const [rows] = await admin.query<Connected[]>(
          "SELECT id FROM information_schema.processlist WHERE db = ? ORDER BY id",
          [credentials.database],
        );
        return rows.map(({ id }) => id);
      };
      try {
        await read();
        const opened = await findConnections();
        for (let call = 0; call < 5; call += 1) await read();
        expect(await findConnections()).to.deep.equal(opened);
        for (const id of opened.slice(-1)) await admin.query("KILL ?", [id]);
        await eventually(async () => {
          const found = await read().catch(() => null);
          return found?.rows.length === 1;
        });
      } finally {
        await admin.end();
      }
    });
  });
});

import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { expect } from "chai";
import { describe, it } from "mocha";
import { createConnection } from "mysql2/promise";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import type { SqlCredentials } from "../../../plugins/sql/database.js";
import { sqlPlugin } from "../../../plugins/sql/plugin.js";
import { eachEngine, shopFor } from "./shop.js";

const check = async (credentials: SqlCredentials) =>
  (await new SuiteHost(sqlPlugin, credentials).check()).warnings ?? [];

describe("the test of a connection to a database", () => {
  eachEngine((open) => {
    const shop = shopFor(open);

    it("names a column for links that does not exist, and the nearest that does", async () => {
      const credentials = (await shop()).credentials();
      const linkColumns = ["invoice.paper", "invoice.papers", "a.b"];
      const warnings = await check({ ...credentials, linkColumns });
      const named = warnings.filter((text) => text.includes("linkColumns"));
      expect(named).to.have.length(2);
      expect(named[0]).to.include('"invoice.paper", which does not exist');
      expect(named[0]).to.include('Did you mean "invoice.papers"?');
    });

    it("has nothing to say about columns that can be written", async () => {
      const warnings = await check((await shop()).credentials());
      expect(warnings.join()).to.not.match(/linkColumns|may not|only be read/);
    });
  });

  describe("on an SQLite file that is read-only", () => {
    eachEngine((open) => {
      const shop = shopFor(open);
      it("says that no files can be written", async function () {
        const credentials = (await shop()).credentials();
        // Root may write to every file.
        if (credentials.engine !== "sqlite" || process.getuid?.() === 0)
          this.skip();
        await chmod(credentials.file, 0o444);
        const warnings = await check(credentials);
        expect(warnings.join()).to.include("can only be read");
      });
    });
  });

  const server = process.env["PLATEN_TEST_MYSQL_URL"];
  if (server)
    describe("with a user of MySQL or MariaDB that may only read", () => {
      eachEngine((open) => {
        const shop = shopFor(open);
        it("names the columns that cannot be written", async function () {
          const credentials = (await shop()).credentials();
          if (credentials.engine !== "mysql") {
            this.skip();
          }
          const user = `reader_${randomBytes(4).toString("hex")}`;
          const admin = await createConnection(server);
          try {
            await admin.query(
              `CREATE USER ${user}@'%' IDENTIFIED BY 'read-only'`,
            );
            await admin.query(
              `GRANT SELECT ON ${credentials.database}.* TO ${user}@'%'`,
            );
            const warnings = await check({
              ...credentials,
              user,
              password: "read-only",
            });
            expect(warnings.join()).to.include(
              "may not write to these columns: invoice.scan, invoice.papers",
            );
          } finally {
            await admin.query(`DROP USER ${user}@'%'`);
            await admin.end();
          }
        });
      });
    });
});

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { createConnection } from "mysql2/promise";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import type { SqlCredentials } from "../../../plugins/sql/database.js";
import { sqlPlugin } from "../../../plugins/sql/plugin.js";
import { suiteFolder } from "../../support/store-folder.js";
import { eachEngine, onMysql, openSqlite, shopFor } from "./shop.js";

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
    const folder = suiteFolder();
    const shop = shopFor(() => openSqlite(folder));
    it("says that no files can be written", async () => {
      const credentials = (await shop()).credentials();
      await withReadOnlyFiles(folder, async () => {
        expect((await check(credentials)).join()).to.include(
          "can only be read",
        );
      });
    });
  });

  describe("with a user that may only read", () => {
    onMysql((server, open) => {
      const shop = shopFor(open);
      it("names the columns that cannot be written", async () => {
        const credentials = (await shop()).credentials();
        if (!("database" in credentials)) throw new Error("not a server");
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

/** Root may write to every file, but not to a file system that is mounted to be read. */
async function withReadOnlyFiles(
  folder: string,
  work: () => Promise<void>,
): Promise<void> {
  if (process.getuid?.() !== 0) {
    for (const name of await readdir(folder))
      await chmod(join(folder, name), 0o444);
    return work();
  }
  execFileSync("mount", ["--bind", folder, folder]);
  try {
    execFileSync("mount", ["-o", "remount,ro,bind", folder]);
    await work();
  } finally {
    execFileSync("umount", ["--lazy", folder]);
  }
}

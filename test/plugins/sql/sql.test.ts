import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import {
  contractSuite,
  type StartedServer,
} from "../../../plugins/contract-suite/index.js";
import {
  SuiteHost,
  createFile,
} from "../../../plugins/contract-suite/platform-session.js";
import type { SqlCredentials } from "../../../plugins/sql/database.js";
import { sqlPlugin } from "../../../plugins/sql/plugin.js";
import { eventually } from "../../support/eventually.js";
import { suiteFolder } from "../../support/store-folder.js";
import {
  eachEngine,
  onMysql,
  openSqlite,
  shopFor,
  type Shop,
  getLines,
} from "./shop.js";

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

function started(shop: Shop): StartedServer<SqlCredentials> {
  let next = 1000;
  return {
    addresses: shop.address === null ? {} : { database: shop.address },
    credentials: ({ database }) => shop.credentials(database),
    fixture: {
      scope: { tableId: "invoice" },
      recordIds: ["1", "2", "3"],
      unknownRecordId: "987654",
      unknownScope: { tableId: "none" },
      textFieldId: "no. of order; --",
      links: { fieldId: "line.invoice_id", expected: getLines() },
      attachments: {
        fieldId: "papers",
        newRecord: async () => {
          const id = (next += 1);
          await shop.execute(`INSERT INTO invoice (id) VALUES (${id})`);
          return String(id);
        },
      },
      selections: [
        { selection: { viewId: "latest" }, expected: ["3", "2", "1"] },
        {
          selection: { filter: { "no. of order; --": ["R-2", "R-0"] } },
          expected: ["1", "3"],
        },
        {
          selection: { filter: { total: { min: 1000 }, customer_id: null } },
          expected: ["1", "3"],
        },
        {
          selection: {
            filter: {
              id: { not: 2, max: 3 },
              paid: true,
              due: { min: "2026-01-02", max: "2026-01-02" },
            },
          },
          expected: ["1", "3"],
        },
      ],
    },
    close: () => shop.close(),
  };
}

const invoices = { tableId: "invoice" };

describe("SQL databases fulfill the contract", () => {
  eachEngine((open) => {
    const plugin = sqlPlugin;
    const { checks, close } = contractSuite({
      plugin,
      start: async () => {
        const shop = await open();
        await shop.execute(
          "CREATE VIEW latest AS SELECT id, total FROM invoice WHERE total > 0 ORDER BY id DESC",
        );
        return started(shop);
      },
    });
    after(close);
    for (const { title, run } of checks) it(title, run);
  });
});

describe("a connection to a database that offers no encryption", () => {
  eachEngine((open) => {
    const shop = shopFor(open);

    it("is encrypted unless the settings disable it", async () => {
      const opened = await shop();
      if (opened.address === null) return;
      const settings = { ...opened.credentials(), tls: true };
      const host = new SuiteHost(sqlPlugin, settings);
      const answer = await host.check().catch(String);
      expect(answer).to.match(/^PlatformError/);
    });
  });
});

describe("rows of a database that are selected", () => {
  eachEngine((open) => {
    const getShop = shopFor(open);
    const list = async (filter: unknown) => {
      const host = new SuiteHost(sqlPlugin, (await getShop()).credentials());
      return host.listRows(invoices, { filter });
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
      expect(await failure({ total: "" })).to.contain("which holds numbers");
      expect(await failure({ scan: null })).to.contain('the column "scan"');
      expect(await failure({ totl: 1 })).to.contain('Did you mean "total"?');
      expect(await failure({ total: {} })).to.contain(
        "must be an object of conditions",
      );
    });
  });
});

describe("a row of a database", () => {
  eachEngine((open) => {
    const shop = shopFor(open);
    const host = async () =>
      new SuiteHost(sqlPlugin, (await shop()).credentials());

    it("contains numbers, booleans, dates and links in both directions", async () => {
      const { rows } = await (await host()).fetchRows(invoices, ["2"]);
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

    it("keeps all digits of integers: in keys, links, filters, pages and the row of a file", async () => {
      const opened = await shop();
      const { engine } = opened.credentials();
      const blob = { postgres: "bytea", mysql: "mediumblob", sqlite: "blob" };
      const [a, b] = ["4006381333931000001", "4006381333931000002"];
      const digits = engine === "sqlite" ? "integer" : "decimal(20, 0)";
      for (const sql of [
        `CREATE TABLE bigs (id bigint PRIMARY KEY, k bigint, d ${digits}, parent bigint, scan ${blob[engine]},
          FOREIGN KEY (parent) REFERENCES bigs (id))`,
        `INSERT INTO bigs (id, k, d) VALUES (${a}, ${a}, ${a}), (7, 9007199254740991, 7)`,
        `INSERT INTO bigs (id, k, d, parent) VALUES (${b}, ${b}, ${b}, ${a})`,
      ])
        await opened.execute(sql);
      const database = await host();
      const scope = { tableId: "bigs" };
      const list = (filter: object) => database.listRows(scope, { filter });
      const first = { id: a, k: a, d: a, scan: [] };
      expect(
        (await database.fetchRows(scope, [a, b, "7", `${a}0`, "9".repeat(19)]))
          .rows,
      ).to.have.deep.members([
        { id: a, fields: first, links: { parent: [], "bigs.parent": [b] } },
        {
          id: b,
          fields: { ...first, id: b, k: b, d: b },
          links: { parent: [a], "bigs.parent": [] },
        },
        {
          id: "7",
          fields: { id: 7, k: Number.MAX_SAFE_INTEGER, d: 7, scan: [] },
          links: { parent: [], "bigs.parent": [] },
        },
      ]);
      for (const column of ["id", "k", "d", "parent"]) {
        const expected = column === "parent" ? [b] : [a];
        expect(await list({ [column]: a }), column).to.deep.equal(expected);
        expect(await list({ [column]: [a] }), column).to.deep.equal(expected);
      }
      for (const column of ["id", "k", "d"]) {
        expect(await list({ [column]: { min: b } }), column).to.deep.equal([b]);
        expect(
          await list({ [column]: { max: a, not: 7, min: 10 } }),
          column,
        ).to.have.members(column === "k" ? ["7", a] : [a]);
      }
      const cell = { scope, recordId: b, fieldId: "scan" };
      await database.write(cell, [createFile("scan.txt")], "replace");
      expect(await database.read(cell)).to.have.length(1);
      expect(await database.read({ ...cell, recordId: a })).to.deep.equal([]);
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

const scan = { scope: invoices, recordId: "1", fieldId: "scan" };

const papers = { scope: invoices, recordId: "2", fieldId: "papers" };

describe("a file for a database", () => {
  eachEngine((open) => {
    const shop = shopFor(open);
    const host = async (changes = {}) => {
      const credentials = { ...(await shop()).credentials(), ...changes };
      return new SuiteHost(sqlPlugin, credentials);
    };

    it("fills a column of bytes, which can hold only one", async () => {
      const database = await host();
      const file = createFile("scan.txt");
      await database.write(scan, [file], "append");
      const [held] = await database.read(scan);
      expect(held?.sizeBytes).to.equal(file.sizeBytes);
      const again = database.write(scan, [file], "append");
      expect(await again.catch(String)).to.include("can hold only one file");
      await database.write(scan, [createFile("newer.txt")], "replace");
    });

    it("is added as a line with a link to a text column", async () => {
      const database = await host();
      for (const name of ["Größe 1.pdf", "b.pdf"])
        await database.write(papers, [createFile(name)], "append");
      const held = await database.read(papers);
      expect(held.map(({ filename }) => filename)).to.deep.equal([
        "Größe 1.pdf",
        "b.pdf",
      ]);
    });

    it("is not written by a connection that is read-only", async () => {
      const database = await host({ writable: false });
      const call = database.write(papers, [createFile("a.txt")], "append");
      expect(await call.catch(String)).to.include("is read-only");
    });

    it("is rejected by a text column that the connection does not name", async () => {
      const database = await host({ linkColumns: [] });
      const call = database.write(papers, [createFile("a.txt")], "append");
      expect(await call.catch(String)).to.include("does not accept files");
    });
  });
});

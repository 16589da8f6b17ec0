import { expect } from "chai";
import { describe, it } from "mocha";
import {
  createFile,
  SuiteHost,
} from "../../../plugins/contract-suite/platform-session.js";
import { sqlPlugin } from "../../../plugins/sql/plugin.js";
import { eachEngine, shopFor } from "./shop.js";

const scope = { tableId: "invoice" };
const scan = { scope, recordId: "1", fieldId: "scan" };
const papers = { scope, recordId: "2", fieldId: "papers" };

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

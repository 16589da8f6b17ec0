import { expect } from "chai";
import { describe, it } from "mocha";
import { createFile } from "../../../plugins/contract-suite/platform-session.js";
import { airtableHost } from "./airtable-setup.js";

const {
  AIRTABLE_TOKEN: token,
  AIRTABLE_BASE: baseId,
  AIRTABLE_TABLE: tableId,
  AIRTABLE_RECORD: recordId,
  AIRTABLE_FIELD: fieldId,
} = process.env;

// Only with a token: adds a file to the record's field, and leaves it there alone.
if (token && baseId && tableId && recordId && fieldId)
  describe("Airtable itself", () => {
    const host = airtableHost({ token });
    const scope = { baseId, tableId };

    it("accepts the token and returns the record", async () => {
      const { account, warnings } = await host.check();
      expect(account).to.be.a("string");
      expect(warnings).to.deep.equal([]);
      const unknown = "recZZZZZZZZZZZZZZ";
      const found = await host.fetchRows(scope, [recordId, unknown]);
      expect(found.rows.map(({ id }) => id)).to.deep.equal([recordId]);
      expect(found.missing).to.deep.equal([unknown]);
    });

    it("stores files and replaces them", async () => {
      const cell = { scope, recordId, fieldId };
      await host.write(cell, [createFile("first.txt")], "append");
      await host.write(cell, [createFile("second.txt")], "replace");
      const held = await host.read(cell);
      expect(held.map(({ filename }) => filename)).to.deep.equal([
        "second.txt",
      ]);
    });
  });

import { expect } from "chai";
import { describe, it } from "mocha";
import { createFile } from "../../../plugins/contract-suite/platform-session.js";
import { googleHost } from "./google-setup.js";

const {
  GOOGLE_SERVICE_ACCOUNT: serviceAccount,
  GOOGLE_FOLDER: folderId,
  GOOGLE_SPREADSHEET: baseId,
  GOOGLE_SHEET: tableId,
  GOOGLE_KEY: recordId,
} = process.env;

// Only with a key: adds a file to the column PDF of the row, and leaves it there alone.
if (serviceAccount && folderId && baseId && tableId && recordId)
  describe("Google Sheets itself", () => {
    const host = googleHost({ serviceAccount, folderId });
    const scope = { baseId, tableId };

    it("accepts the key and returns the row", async () => {
      expect((await host.check()).warnings).to.deep.equal([]);
      const found = await host.fetchRows(scope, [recordId, "no such key"]);
      expect(found.rows.map(({ id }) => id)).to.deep.equal([recordId]);
      expect(found.missing).to.deep.equal(["no such key"]);
    });

    it("stores files and replaces them", async () => {
      const cell = { scope, recordId, fieldId: "PDF" };
      await host.write(cell, [createFile("first.txt")], "append");
      await host.write(cell, [createFile("second.txt")], "replace");
      const held = await host.read(cell);
      expect(held.map(({ filename }) => filename)).to.deep.equal([
        "second.txt",
      ]);
    });
  });

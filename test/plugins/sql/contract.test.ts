import { after, describe, it } from "mocha";
import {
  contractSuite,
  type StartedServer,
} from "../../../plugins/contract-suite/index.js";
import type { SqlCredentials } from "../../../plugins/sql/database.js";
import { sqlPlugin } from "../../../plugins/sql/plugin.js";
import { eachEngine, type Shop, getLines } from "./shop.js";

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
    },
    close: () => shop.close(),
  };
}

describe("SQL databases fulfill the contract", () => {
  eachEngine((open) => {
    const plugin = sqlPlugin;
    const { checks, close } = contractSuite({
      plugin,
      start: async () => started(await open()),
    });
    after(close);
    for (const { title, run } of checks) it(title, run);
  });
});

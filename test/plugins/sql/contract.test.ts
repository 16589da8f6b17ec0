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

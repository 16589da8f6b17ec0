// @ts-check
import { after, test } from "node:test";
import { contractSuite } from "platen/contract-suite";
import { plugin } from "../src/plugin.js";
import { FakeDirectus } from "./fake-directus.js";

async function start() {
  const server = new FakeDirectus();
  const url = await server.listen();
  const recordIds = [0, 30, 130].map((count) => server.addInvoice(count));
  const expected = Object.fromEntries(
    recordIds.map((id) => [
      id,
      server.invoices
        .get(id)
        .lines.map((/** @type {any} */ line) => String(line.id)),
    ]),
  );
  return {
    addresses: { api: url },
    credentials: (/** @type {any} */ { api }) => ({
      url: `${api}/`,
      token: "right",
    }),
    wrongCredentials: (/** @type {any} */ { api }) => ({
      url: `${api}/`,
      token: "wrong",
    }),
    fixture: {
      scope: { tableId: "invoices" },
      recordIds,
      unknownRecordId: "987654",
      unknownScope: { tableId: "receipts" },
      textFieldId: "number",
      links: { fieldId: "lines", expected },
      attachments: {
        fieldId: "papers",
        newRecord: () => Promise.resolve(server.addInvoice(0)),
      },
    },
    close: () => server.close(),
  };
}

const { checks, close } = contractSuite({ plugin, start });
after(close);
for (const { title, run } of checks) void test(title, run);

import { contractSuite } from "../../../plugins/contract-suite/index.js";
import { directusPlugin } from "../../../plugins/directus/plugin.js";
import { testContract } from "../../support/contract.js";
import { type DirectusShop, eachDirectus, shopFor } from "./directus-server.js";

const lineCount = 240;

function linesOf(invoice: string, count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    text: `line ${at}`,
    invoice,
  }));
}

/** Invoices with no line, with 30 and with 210, and of those the last two in a bookmark. */
async function fill(shop: DirectusShop) {
  const { server, invoices, lines } = shop;
  const recordIds = await shop.addInvoices(
    ["R-0", "R-1", "R-2"].map((invoice_no) => ({ invoice_no, status: "sent" })),
  );
  const [none = "", some = "", many = ""] = recordIds;
  const someLines = await server.addItems(lines, linesOf(some, 30));
  const manyLines = await server.addItems(lines, linesOf(many, lineCount - 30));
  const viewId = await server.makeBookmark({
    bookmark: "The last ones",
    collection: invoices,
    layout: "tabular",
    layout_query: { tabular: { sort: ["-invoice_no"] } },
    filter: { invoice_no: { _in: ["R-1", "R-2"] } },
  });
  return {
    recordIds,
    viewId,
    expected: { [none]: [], [some]: someLines, [many]: manyLines },
    many,
    some,
  };
}

describe("Directus fulfills the contract", () => {
  eachDirectus((open) => {
    const getShop = shopFor(open);
    const suite = contractSuite({
      plugin: directusPlugin,
      start: async () => {
        const shop = await getShop();
        const { recordIds, viewId, expected, many, some } = await fill(shop);
        return {
          addresses: { url: shop.server.url },
          credentials: ({ url = "" }) => ({ url, token: shop.token }),
          wrongCredentials: ({ url = "" }) => ({ url, token: "wrong" }),
          fixture: {
            scope: { tableId: shop.invoices },
            recordIds,
            unknownRecordId: "987654",
            unknownScope: { tableId: "no_such_collection" },
            textFieldId: "invoice_no",
            links: { fieldId: "lines", expected },
            selections: [
              { selection: { viewId }, expected: [many, some] },
              {
                selection: {
                  filter: { status: { _eq: "sent" }, invoice_no: "R-2" },
                },
                expected: [many],
              },
            ],
            attachments: {
              fieldId: "papers",
              newRecord: async () => (await shop.addInvoices([{}]))[0] ?? "",
              bytesOf: shop.bytesOf,
            },
          },
          close: () => Promise.resolve(),
        };
      },
    });
    testContract(suite);
  });
});

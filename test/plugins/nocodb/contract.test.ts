import { z } from "zod";
import {
  type ContractSubject,
  contractSuite,
} from "../../../plugins/contract-suite/index.js";
import type { ServerCredentials } from "../../../plugins/lib/rest-server.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { testContract } from "../../support/contract.js";
import { eachNocodb, type NocodbServer } from "./nocodb-server.js";

const lineCount = 240;

/** A base with invoices and their lines: one with none, one with 30, one with 210. */
async function start(
  server: NocodbServer,
  linkType: string,
): ReturnType<ContractSubject<ServerCredentials>["start"]> {
  const token = await server.makeToken();
  const base = await server.makeBase(`Contract ${linkType}`);
  const invoices = await server.makeTable(base, "Invoices", [
    { title: "Number", type: "SingleLineText" },
    { title: "Total", type: "Number" },
    { title: "Due", type: "DateTime" },
    { title: "Paid", type: "Checkbox" },
    { title: "Papers, signed [PDF]", type: "Attachment" },
  ]);
  const lines = await server.makeTable(base, "Lines", [
    { title: "Text", type: "SingleLineText" },
  ]);
  const fieldId = await server.addField(base, invoices, {
    title: "Lines",
    type: linkType,
    options: { relation_type: "hm", related_table_id: lines },
  });
  const all = await server.getFields(base, invoices);
  const named = (title: string) => all.get(title) ?? "";
  const add = (count: number) =>
    server.addRows(
      base,
      invoices,
      Array.from({ length: count }, (_, at) => ({
        Number: `R-${at}`,
        // Other rows are created by checks.
        ...(count === 3 && {
          Total: at,
          Due: `2026-11-2${at} 10:00:00+00:00`,
          Paid: at > 0,
        }),
      })),
    );
  const texts = Array.from({ length: lineCount }, (_, at) => ({
    Text: `line ${at}`,
  }));
  const lineIds = await server.addRows(base, lines, texts);
  const recordIds = await add(3);
  const [none = "", some = "", many = ""] = recordIds;
  const expected = {
    [none]: [],
    [some]: lineIds.slice(0, 30),
    [many]: lineIds.slice(30),
  };
  for (const [row, to] of Object.entries(expected))
    await server.link(base, invoices, fieldId, row, to);
  const view = await server.makeView(invoices, "Long ones", named("Number"));
  return {
    addresses: { url: server.url },
    credentials: ({ url = "" }) => ({ url, token }),
    wrongCredentials: ({ url = "" }) => ({ url, token: `no-${token}` }),
    fixture: {
      scope: { baseId: base, tableId: invoices },
      recordIds,
      unknownRecordId: "987654",
      unknownScope: { baseId: base, tableId: "mxxxxxxxxxxxxxx" },
      textFieldId: named("Number"),
      links: { fieldId, expected },
      countWebhooks: async (address) => {
        const path = `api/v2/meta/tables/${invoices}/hooks`;
        const hooks = z.object({ list: z.array(z.unknown()) });
        const { list } = await server.send(path, hooks);
        return list.filter((one) => JSON.stringify(one).includes(address))
          .length;
      },
      selections: [
        { selection: { viewId: view }, expected: [many, some] },
        { selection: { filter: "(Number,eq,R-2)" }, expected: [many] },
        {
          selection: {
            filter: { Number: ["R-1", "R-2"], Total: { max: 1 }, Paid: true },
          },
          expected: [some],
        },
        {
          selection: {
            filter: {
              Due: { min: "2026-11-20", max: "2026-11-21" },
              Number: { not: "(odd), 'text'" },
              Total: { not: null },
            },
          },
          expected: [none, some],
        },
      ],
      attachments: {
        fieldId: named("Papers, signed [PDF]"),
        newRecord: async () => (await add(1))[0] ?? "",
        bytesOf: async ({ url = "" }) =>
          new Uint8Array(await (await fetch(url)).arrayBuffer()),
      },
    },
    close: () => Promise.resolve(),
  };
}

for (const linkType of ["LinkToAnotherRecord", "Links"])
  describe(`NocoDB fulfills the contract with fields of the type ${linkType}`, () => {
    eachNocodb((open) =>
      testContract(
        contractSuite({
          plugin: nocodbPlugin,
          start: async () => start(await open(), linkType),
        }),
      ),
    );
  });

import type { AirtableCredentials } from "../../../plugins/airtable/client.js";
import { airtablePlugin } from "../../../plugins/airtable/plugin.js";
import type {
  ContractSubject,
  StartedServer,
} from "../../../plugins/contract-suite/index.js";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import {
  airtableScopes,
  FakeAirtable,
} from "../../support/fakes/fake-airtable.js";

const columns = {
  Name: "singleLineText",
  Documents: "multipleAttachments",
} as const;

/** Airtable's plugin and a filled fake, for the contract suite. */
export const airtableSubject: ContractSubject<AirtableCredentials> = {
  plugin: airtablePlugin,
  async start() {
    const fake = await FakeAirtable.start();
    const token = fake.addToken("pat.secret", [
      ...airtableScopes,
      "webhook:manage",
    ]);
    const base = fake.addBase("Sales");
    const items = fake.addTable(base, "Items", columns);
    const options = { linkedTableId: items.id };
    const orders = fake.addTable(base, "Orders", {
      ...columns,
      Items: { type: "multipleRecordLinks", options },
      Kind: "singleLineText",
      Rank: "singleLineText",
      "Total {net}": { type: "currency", options: { symbol: "€" } },
      Due: "date",
      Paid: "checkbox",
    });
    const linked = Array.from({ length: 130 }, (_, at) =>
      items.add({ Name: `Item ${at}` }),
    );
    const filled = [linked, linked.slice(0, 26), linked.slice(0, 1)];
    const rows = filled.map((Items, at) =>
      orders.add({
        Name: `Order ${at}`,
        Items,
        Kind: "x",
        Rank: `${9 - at}`,
        "Total {net}": at,
        ...(at > 0 && { Due: `2026-11-2${at}`, Paid: true }),
      }),
    );
    const view = orders.addView("By rank", "{Kind} = 'x'", "Rank");
    const scope = { baseId: base.id, tableId: orders.id };
    return server(fake, token, {
      scope,
      recordIds: rows,
      unknownRecordId: "recZZZZZZZZZZZZZZ",
      unknownScope: { baseId: base.id, tableId: "tblZZZZZZZZZZZZZZ" },
      textFieldId: orders.field("Name").id,
      links: {
        fieldId: orders.field("Items").id,
        expected: Object.fromEntries(
          rows.map((id, at) => [id, filled[at] ?? []]),
        ),
      },
      attachments: {
        fieldId: orders.field("Documents").id,
        newRecord: () => Promise.resolve(orders.add({ Name: "Empty" })),
        bytesOf: async ({ url = "" }) =>
          new Uint8Array(await (await fetch(url)).arrayBuffer()),
      },
      countWebhooks: (url) => {
        const { all } = fake.webhooks;
        const ours = all.filter((one) => one.notificationUrl === url);
        return Promise.resolve(ours.length);
      },
      selections: [
        { selection: { viewId: view.id }, expected: rows.toReversed() },
        { selection: { filter: "{Kind} = 'x'" }, expected: rows },
        {
          selection: {
            filter: {
              Name: ["Order 0", "Order 1"],
              Kind: { not: 'a "quoted" \\text' },
              "Total {net}": { min: 0, max: 5 },
              [orders.field("Due").id]: null,
            },
          },
          expected: rows.slice(0, 1),
        },
        {
          selection: {
            filter: {
              Due: { min: "2026-11-21", max: "2026-11-21" },
              Paid: true,
            },
          },
          expected: rows.slice(1, 2),
        },
      ],
    });
  },
};

function server(
  fake: FakeAirtable,
  token: string,
  fixture: StartedServer<AirtableCredentials>["fixture"],
): StartedServer<AirtableCredentials> {
  const credentials = ({ api = "" }: Readonly<Record<string, string>>) => ({
    token,
    endpointUrl: api,
    contentUrl: api,
  });
  return {
    addresses: { api: fake.url },
    credentials,
    wrongCredentials: (addresses) => ({
      ...credentials(addresses),
      token: "pat.wrong",
    }),
    fixture,
    close: () => fake.close(),
  };
}

/** Calls the plugin as the service does, with these credentials. */
export function airtableHost(
  credentials: AirtableCredentials,
): SuiteHost<AirtableCredentials> {
  return new SuiteHost(airtablePlugin, credentials);
}
